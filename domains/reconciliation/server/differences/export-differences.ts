import { sql } from "kysely";
import { z } from "zod";
import type { ExportColumn, ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import {
  billSource,
  billState,
  differenceClass,
  differenceFilter,
  differenceHint,
  differenceKind,
  differenceStatus,
  resolution,
} from "../../contract/index.ts";
import { differenceColumns, type DifferenceFound, differenceNames, mustSeeWhole } from "../rows.ts";
import { differencesWhere } from "./difference-where.ts";

/** The sheet that goes out is the one that comes back: 差异编号 and 处理方式 are what the import reads. */
const columns: readonly ExportColumn[] = [
  { key: "number", label: "单号", kind: "text", width: 30 },
  { key: "day", label: "账单日期", kind: "text", width: 12 },
  { key: "merchantName", label: "商户", kind: "text", width: 18 },
  { key: "source", label: "渠道", kind: "code", width: 10 },
  { key: "kind", label: "类型", kind: "code", width: 8 },
  { key: "class", label: "差异", kind: "code", width: 14 },
  { key: "hint", label: "情况", kind: "code", width: 22 },
  { key: "ours", label: "本地金额", kind: "money", width: 12 },
  { key: "bill", label: "渠道金额", kind: "money", width: 12 },
  { key: "oursFee", label: "本地手续费", kind: "money", width: 12 },
  { key: "billFee", label: "渠道手续费", kind: "money", width: 12 },
  { key: "gapCents", label: "相差", kind: "money", width: 12 },
  { key: "oursAt", label: "本地时间", kind: "time", width: 20 },
  { key: "billAt", label: "渠道时间", kind: "time", width: 20 },
  { key: "billState", label: "渠道状态", kind: "code", width: 12 },
  { key: "orderNo", label: "订单号", kind: "text", width: 30 },
  { key: "channelNo", label: "渠道单号", kind: "text", width: 32 },
  { key: "storeName", label: "门店", kind: "text", width: 18 },
  { key: "status", label: "状态", kind: "code", width: 10 },
  { key: "resolution", label: "处理方式", kind: "code", width: 16 },
  { key: "reason", label: "说明", kind: "text", width: 30 },
  { key: "looker", label: "追查人", kind: "text", width: 12 },
  { key: "proposedBy", label: "核销申请人", kind: "text", width: 14 },
  { key: "resolvedBy", label: "处理人", kind: "text", width: 14 },
  { key: "resolvedAt", label: "处理时间", kind: "time", width: 20 },
  { key: "id", label: "差异编号", kind: "text", width: 40 },
];
const input = z.object(differenceFilter);

export const differenceExport: ExportSource<typeof input> = {
  name: "recon-differences",
  title: "对账差异",
  access: "/reconciliation/bill/export",
  input,
  columns,
  async count(tx, scope, filter) {
    mustSeeWhole(scope);
    const found = await sql<{
      n: number;
    }>`select count(*)::int as n from recon_differences d where ${differencesWhere(scope, filter)}`.execute(tx);
    return found.rows[0]?.n ?? 0;
  },
  async *rows(tx, scope, filter) {
    mustSeeWhole(scope);
    const query = sql<DifferenceFound>`select ${differenceColumns("00000000-0000-0000-0000-000000000000")} from recon_differences d ${differenceNames}
      where ${differencesWhere(scope, filter)} order by d.day desc, d.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) })) yield batch.map(cellsOf);
  },
};
function cellsOf(row: DifferenceFound): ExportRow {
  const { ours, bill, ...rest } = row;
  return {
    ...(rest as unknown as ExportRow),
    source: billSource.label(row.source),
    kind: differenceKind.label(row.kind),
    class: differenceClass.label(row.class),
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
