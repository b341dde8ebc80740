import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { dateRange, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { audienceFilter, memberShown, sheetMember } from "../../members/contract/index.ts";

/** A sheet of a sending holds phones: it is kept for so many days at most. */
export const SHEET_DAYS = 30;
export const sendStatus = labelled({
  4: ["准备中", "active"],
  0: ["发送中", "active"],
  1: ["已暂停", "warn"],
  2: ["已完成", "good"],
  3: ["已取消", "ended"],
});
export const sendRowStatus = labelled({ 0: ["待发", "active"], 1: ["已发", "good"], 2: ["失败", "bad"], 3: ["跳过", "ended"] });
/** Members by what they are, or lines of a sheet. */
export const MOST_SENT = 100_000;

/** Whom a sending means; a provider's may mean the members of one of the merchants that take part. */
const sendAudience = audienceFilter.extend({ merchantId: id.optional() });
export type SendAudience = z.output<typeof sendAudience>;

const access = "/ticket/batchSend";
const run = "/ticket/batchSend/run";
const row = z.object({
  id,
  name: z.string(),
  /** One of the two: what each member of it is given. */
  campaignId: id.nullable(),
  packageId: id.nullable(),
  thingNo: z.string(),
  thingName: z.string(),
  /** 满 80 减 20; of a package how many coupons are in it. */
  worth: z.string(),
  /** None: it is the provider's. */
  merchantName: z.string().nullable(),
  /** Whether the caller steers it: a merchant its own, a provider its own. */
  mine: z.boolean(),
  status: oneOf(sendStatus),
  pausedWhy: z.string(),
  startsAt: instant,
  ownerName: z.string(),
  createdAt: instant,
  /** Members who are meant and whose rows are not made yet. */
  toMake: z.int(),
  waiting: z.int(),
  sent: z.int(),
  failed: z.int(),
  skipped: z.int(),
});
export const sendFilters = { keyword: line(40).optional(), status: oneOf(sendStatus).optional(), campaignId: id.optional(), ...dateRange };
export const listSends = read({
  path: "/api/coupons/sends",
  title: "批量发券任务",
  access,
  input: listInput(sendFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const revokeStatus = labelled({ 0: ["待确认", "warn"], 1: ["作废中", "active"], 2: ["已作废", "bad"], 3: ["已驳回", "ended"] });
export const getSend = read({
  path: "/api/coupons/sends/one",
  title: "批量发券任务详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    /** Where the coupons of it are: what a revoking would take back, what an order has, what is used, what is over otherwise. */
    coupons: z.object({ usable: z.int(), using: z.int(), used: z.int(), over: z.int() }),
    /** The last 作废. Who asked for it can't confirm it. */
    revoke: z
      .object({
        status: oneOf(revokeStatus),
        reason: z.string(),
        askedBy: z.string(),
        askedAt: instant,
        decidedBy: z.string(),
        mayDecide: z.boolean(),
      })
      .nullable(),
  }),
});
/** 申请作废 of what a sending gave out by mistake; its holders read the reason. */
export const askRevoke = write({
  path: "/api/coupons/sends/revoke",
  title: "申请作废一次发放",
  access: run,
  input: z.object({ id, reason: line(100, 2, "请写明作废原因，顾客会看到") }),
  output: done,
});
/** 确认作废, or 驳回, by another than who asked. */
export const decideRevoke = write({
  path: "/api/coupons/sends/revoke/decide",
  title: "确认作废一次发放",
  access: "/ticket/batchSend/revoke",
  input: z.object({ id, approve: flag }),
  output: done,
});
export const sendRowFilters = { taskId: id, status: oneOf(sendRowStatus).optional() };
export const listSendRows = read({
  path: "/api/coupons/sends/rows",
  title: "批量发券名单",
  access,
  input: listInput(sendRowFilters, ["place"]),
  output: listOutput(z.object({ id: z.string(), place: z.int(), ...memberShown, status: oneOf(sendRowStatus), reason: z.string() })),
});
/** How many members a filter means now, before anything is sent to them. */
export const countSendAudience = read({
  path: "/api/coupons/sends/audience",
  title: "符合条件的会员数",
  access: run,
  /** `campaignId`: what a provider would send, which says of whose members. */
  input: sendAudience.extend({ campaignId: id.optional() }),
  output: z.object({ members: z.int() }),
});
/** Campaigns of which coupons can be sent now, with what is left of each. */
export const listSendable = read({
  path: "/api/coupons/sends/campaigns",
  title: "可以发送的优惠券",
  access: [run, "/member/cardRules/edit", "/memberCard/activity/edit", "/activity/centre/edit", "/activity/shake/edit"],
  input: z.object({}),
  output: z.object({
    items: z.array(z.object({ id, no: z.string(), name: z.string(), worth: z.string(), said: z.string(), left: z.int(), endsAt: instant })),
  }),
});
/** Packages that can be sent now, with what is left of each. */
export const listSendablePackages = read({
  path: "/api/coupons/sends/packages",
  title: "可以发送的券包",
  access: "/ticket/batchSend/package",
  input: z.object({}),
  output: z.object({
    items: z.array(z.object({ id, no: z.string(), name: z.string(), worth: z.string(), left: z.int(), endsAt: instant })),
  }),
});
const sendFields = {
  requestId: id,
  name: line(40, 1, "请填写任务名称"),
  /** Not given: at once. */
  startsAt: instant.optional(),
  /** Numbers or phones of members, of a sheet. */
  memberNos: z
    .array(sheetMember)
    .min(1, "名单是空的")
    .max(MOST_SENT, `一次最多 ${MOST_SENT.toLocaleString("en-US")} 人`)
    .optional(),
  /** Or members by what they are, which is all that a provider chooses by. */
  filter: sendAudience.optional(),
  /** The same list was sent the same before, and is meant once more. */
  again: flag.default(false),
};
const oneList = (
  { memberNos, filter }: { readonly memberNos?: unknown; readonly filter?: unknown },
  ctx: { addIssue(issue: { code: "custom"; path: string[]; message: string }): void },
): void => {
  if ((memberNos === undefined) === (filter === undefined))
    ctx.addIssue({ code: "custom", path: ["memberNos"], message: "请上传名单，或选择会员条件" });
};
const sending = {
  idempotent: "requestId",
  rate: "export" as const,
  most_keys: MOST_SENT + 100,
  // A line is a phone in quotes and a comma.
  most_bytes: 16 * MOST_SENT + 64 * 1024,
  deadline_ms: 30_000,
  output: done.extend({ id, rows: z.int() }),
};
/** 新建批量发券任务: whom it means is frozen, a piece is set aside for each, and they are sent from `startsAt` on. */
export const createSend = write({
  path: "/api/coupons/sends/add",
  title: "新建批量发券任务",
  access: run,
  ...sending,
  input: z.object({ ...sendFields, campaignId: z.uuid("请选择优惠券") }).superRefine(oneList),
});
/** 发送券包: to each member all that is in it, or nothing. */
export const createPackageSend = write({
  path: "/api/coupons/sends/add-package",
  title: "新建批量发券包任务",
  access: "/ticket/batchSend/package",
  ...sending,
  input: z.object({ ...sendFields, packageId: z.uuid("请选择券包") }).superRefine(oneList),
});
/** 暂停, 继续, 失败的再发一次, 取消 what has not been sent. What was sent is never sent again. */
export const steerSend = write({
  path: "/api/coupons/sends/steer",
  title: "控制批量发券任务",
  access: run,
  input: z.object({ id, act: z.enum(["pause", "resume", "retry", "cancel"]) }),
  output: done,
});
