import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** Where a contract stands. Its tree signs in only while it is signed. */
export const contractState = labelled({
  inactive: ["未启用", "ended"],
  pending: ["待审核", "warn"],
  signed: ["已签约", "good"],
  expired: ["过期", "bad"],
  cancelled: ["注销", "ended"],
  rejected: ["驳回", "bad"],
});
export type ContractState = CodeOf<typeof contractState>;
/** Where the contract of a new provider begins. */
export const contractStart = labelled({ signed: "立即签约", inactive: "暂不启用，走审核" });
/** What somebody does to a contract; renewing and expiring are besides. */
export const contractMove = labelled({ submit: "提交审核", approve: "通过审核", reject: "驳回", cancel: "注销" });
export type ContractMove = CodeOf<typeof contractMove>;

/** From where each move leads where; app.state_edges holds the same, with expiry and renewal. */
export const CONTRACT_MOVES: Readonly<Record<ContractMove, { readonly from: readonly ContractState[]; readonly to: ContractState }>> = {
  submit: { from: ["inactive", "rejected"], to: "pending" },
  approve: { from: ["pending"], to: "signed" },
  reject: { from: ["pending"], to: "rejected" },
  cancel: { from: ["inactive", "pending", "rejected", "signed", "expired"], to: "cancelled" },
};
/** States in which the term may be set anew. */
export const RENEWABLE: readonly ContractState[] = ["inactive", "pending", "rejected", "signed", "expired"];
/** How many days before the last one somebody is warned. */
export const WARN_DAYS = [30, 7, 1] as const;
