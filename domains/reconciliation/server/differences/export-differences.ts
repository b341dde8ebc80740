import { z } from "zod";
import { exportColumn, fileOf, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import {
  billSource,
  billState,
  differenceClass,
  differenceFilter,
  differenceHint,
  differenceKind,
  differenceStatus,
  isPlatform,
  platformClass,
  resolution,
} from "../../contract/index.ts";
import type { DifferenceFound } from "../rows.ts";
import { differencesListed } from "./list-differences.ts";

const input = z.object(differenceFilter);
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** The sheet that goes out is the one that comes back: 差异编号 and 处理方式 are what the import reads. */
export const differenceExport: ExportSource<typeof input> = {
  name: "recon-differences",
  title: "对账差异",
  access: "/reconciliation/bill/export",
  input,
  columns: [
    exportColumn("number", "单号", 30),
    exportColumn("day", "账单日期", 12),
    exportColumn("merchantName", "商户", 18),
    exportColumn("source", "通道", 10, "code"),
    exportColumn("kind", "类型", 8, "code"),
    exportColumn("class", "差异", 14, "code"),
    exportColumn("hint", "情况", 22, "code"),
    exportColumn("ours", "本地金额", 12, "money"),
    exportColumn("bill", "通道金额", 12, "money"),
    exportColumn("oursFee", "本地手续费（佣金）", 12, "money"),
    exportColumn("billFee", "通道手续费（佣金）", 12, "money"),
    exportColumn("gapCents", "相差", 12, "money"),
    exportColumn("oursAt", "本地时间", 20, "time"),
    exportColumn("billAt", "通道时间", 20, "time"),
    exportColumn("billState", "通道状态", 12, "code"),
    exportColumn("orderNo", "订单号", 30),
    exportColumn("channelNo", "通道单号", 32),
    exportColumn("storeName", "门店", 18),
    exportColumn("status", "状态", 10, "code"),
    exportColumn("resolution", "处理方式", 16, "code"),
    exportColumn("reason", "说明", 30),
    exportColumn("looker", "追查人", 12),
    exportColumn("proposedBy", "核销申请人", 14),
    exportColumn("resolvedBy", "处理人", 14),
    exportColumn("resolvedAt", "处理时间", 20, "time"),
    exportColumn("id", "差异编号", 40),
  ],
  always: ["resolution", "reason", "looker", "id"],
  ...fileOf((scope, filter: z.output<typeof input>) => differencesListed(scope, filter, NOBODY), cellsOf),
};
function cellsOf(row: DifferenceFound): ExportRow {
  const { ours, bill, ...rest } = row;
  return {
    ...(rest as unknown as ExportRow),
    source: billSource.label(row.source),
    kind: differenceKind.label(row.kind),
    class: (isPlatform(row.source) ? platformClass : differenceClass).label(row.class),
    hint: row.hint && differenceHint.label(row.hint),
    status: differenceStatus.label(row.status),
    resolution: row.resolution && resolution.label(row.resolution),
    ours: ours?.cents ?? null,
    bill: bill?.cents ?? null,
    oursFee: ours?.feeCents ?? null,
    billFee: bill?.feeCents ?? null,
    oursAt: ours?.at ?? null,
    billAt: bill?.at ?? null,
    billState: bill && billState.label(bill.state as never),
  };
}
