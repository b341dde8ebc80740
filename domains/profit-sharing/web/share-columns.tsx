import type { ReactNode } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { retryShare, sendShare, sharingKind, shareShown, sharingMode, shownOf } from "../contract/index.ts";
import type { Share } from "./shared.ts";

interface Asked {
  readonly open: (id: string) => void;
  readonly acts: (row: Share) => ReactNode;
  readonly withMerchant: boolean;
}
/** The columns of a share; their keys are those of the export. */
export function shareColumns({ open, acts, withMerchant }: Asked): Column<Share>[] {
  const c = columns<Share>();
  const asked = { hidden: true };
  return [
    c.link("shareNo", "分账单号", (row) => open(row.id), { width: 244 }),
    c.link("orderNo", "订单号", { to: (row) => `/dataCentre/payOrder?id=${row.orderId}` }, { width: 244 }),
    c.text("merchantName", "商户", { hidden: !withMerchant }),
    c.text("storeName", "门店", { hidden: withMerchant }),
    c.code("kind", "类型", sharingKind, { ...asked, width: 64 }),
    c.money("baseCents", "分账基数（元）", { ...asked, width: 120 }),
    // What waits has not been reckoned.
    c.money("amountCents", "分账（元）", (row) => (row.status === 0 ? null : row.amountCents), { width: 104 }),
    c.money("sharedCents", "已分（元）", (row) => (row.status === 0 ? null : row.sharedCents), {
      width: 112,
      note: (row) => row.failedCents > 0 && (row.madeGood ? `已补分 ${yuan(row.failedCents)}` : `未到账 ${yuan(row.failedCents)}`),
    }),
    c.money("returnedCents", "已回退（元）", { ...asked, width: 112 }),
    c.money("failedCents", "未到账（元）", { ...asked, width: 112 }),
    c.code("status", "状态", shareShown, shownOf, { width: 96, note: (row) => row.kind === "unfreeze" && sharingKind.label(row.kind) }),
    c.time("createdAt", "创建时间", { sort: "createdAt" }),
    c.time("finishedAt", "完成时间", asked),
    c.money("orderPaidCents", "订单实收（元）", asked),
    c.number("receivers", "接收方数", asked),
    c.code("mode", "方式", sharingMode, asked),
    c.text("failure", "失败原因", { ...asked, width: 200 }),
    c.text("requestedByName", "发起人", asked),
    c.actions(acts, { width: 72, of: [sendShare, retryShare] }),
  ];
}
