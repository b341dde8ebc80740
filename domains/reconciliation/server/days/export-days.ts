import { z } from "zod";
import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { billSource, dayFilter, dayState } from "../../contract/index.ts";
import { type DayFound, shownDay } from "../rows.ts";
import { daysListed } from "./list-days.ts";

const columns = [
  exportColumn("day", "账单日期", 12),
  exportColumn("merchantName", "商户", 18),
  exportColumn("source", "通道", 10, "code"),
  exportColumn("state", "状态", 10, "code"),
  exportColumn("oursPayCount", "本地支付或核销笔数", 12, "count"),
  exportColumn("oursPay", "本地支付", 14, "money"),
  exportColumn("oursRefund", "本地退款或撤销", 14, "money"),
  exportColumn("oursNet", "本地净收", 14, "money"),
  exportColumn("oursFee", "本地手续费或预计佣金", 14, "money"),
  exportColumn("billPayCount", "通道支付或核销笔数", 12, "count"),
  exportColumn("billPay", "通道支付", 14, "money"),
  exportColumn("billRefund", "通道退款或撤销", 14, "money"),
  exportColumn("billNet", "通道净收", 14, "money"),
  exportColumn("billFee", "通道手续费或实际佣金", 14, "money"),
  exportColumn("gap", "相差", 12, "money"),
  exportColumn("settledCents", "应结算", 14, "money"),
  exportColumn("externalCount", "其中平台端核销", 14, "count"),
  exportColumn("pendingCount", "待结算张数", 12, "count"),
  exportColumn("pendingCents", "待结算", 14, "money"),
  exportColumn("matchedCount", "一致", 10, "count"),
  exportColumn("differenceCount", "差异", 10, "count"),
  exportColumn("openCount", "待处理", 10, "count"),
  exportColumn("closedBy", "关账人", 14),
  exportColumn("closedAt", "关账时间", 20, "time"),
];
const input = z.object(dayFilter);

/** 对账, day by day, as a file: both sides of each day and by how much they differ. */
export const reconDayExport: ExportSource<typeof input> = {
  name: "recon-days",
  title: "对账",
  access: "/reconciliation/bill/export",
  input,
  columns,
  ...fileOf(daysListed, cellsOf),
};
function cellsOf(found: DayFound): ExportRow {
  const {
    day,
    merchantName,
    source,
    state,
    ours,
    bill,
    settledCents,
    matchedCount,
    differenceCount,
    openCount,
    closedBy,
    closedAt,
    platform,
  } = shownDay(found);
  const [oursNet, billNet] = [ours.payCents - ours.refundCents, bill.payCents - bill.refundCents];
  return {
    day,
    merchantName,
    source: billSource.label(source),
    state: dayState.label(state),
    oursPayCount: ours.payCount,
    oursPay: ours.payCents,
    oursRefund: ours.refundCents,
    oursNet,
    oursFee: ours.feeCents,
    billPayCount: bill.payCount,
    billPay: bill.payCents,
    billRefund: bill.refundCents,
    billNet,
    billFee: bill.feeCents,
    gap: billNet - oursNet,
    settledCents,
    externalCount: platform?.externalCount ?? null,
    pendingCount: platform?.pendingCount ?? null,
    pendingCents: platform?.pendingCents ?? null,
    matchedCount,
    differenceCount,
    openCount,
    closedBy,
    closedAt,
  };
}
