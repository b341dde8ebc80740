import { z } from "zod";
import { oneOf } from "@zhangfang/contract/fields.ts";
import type { ExportColumn, ExportRow, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { sql } from "kysely";
import { dimension, metric, TAKINGS } from "../../contract/index.ts";
import { comparedWith, takingsInput } from "../../contract/pay-statistics.ts";
import { questionOf } from "./ask.ts";
import { groupsOf } from "./groups.ts";
import { foundBy, shownOf } from "./list-pay-statistics.ts";

const input = takingsInput.extend({
  ...comparedWith,
  by: oneOf(dimension).default("day"),
  splitBy: oneOf(dimension).optional(),
  sort: z.string().max(32).optional(),
});
const figures: readonly ExportColumn[] = TAKINGS.map((name) => ({
  key: name,
  label: metric.label(name),
  kind: name.endsWith("Cents") ? "money" : "count",
  width: 14,
}));
const columns: readonly ExportColumn[] = [
  { key: "name", label: "统计项", kind: "text", width: 24 },
  { key: "splitName", label: "再按", kind: "text", width: 24 },
  ...figures,
  { key: "beforePayCount", label: "对比期支付笔数", kind: "count", width: 14 },
  { key: "beforePaidCents", label: "对比期实收金额", kind: "money", width: 14 },
  { key: "beforeRefundCents", label: "对比期退款金额", kind: "money", width: 14 },
  { key: "beforeNetCents", label: "对比期净收入", kind: "money", width: 14 },
];

/** The groups of a report as a file: the same question as the screen's, every group of it. */
const source = (name: string, title: string, access: ExportSource["access"]): ExportSource<typeof input> => ({
  name,
  title,
  access,
  input,
  columns,
  async count(tx, scope, filter) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${groupsOf(questionOf(scope, filter))}) g`.execute(tx);
    return rows[0]?.n ?? 0;
  },
  async *rows(tx, scope, { sort = "usual", ...filter }) {
    const question = questionOf(scope, filter);
    const found = foundBy(question, { sort });
    for await (const batch of readByCursor(tx, { compile: () => found.compile(tx) }))
      yield batch.map((row) => cellsOf(shownOf(question, row)));
  },
});
function cellsOf({ before, ...row }: ReturnType<typeof shownOf>): ExportRow {
  return {
    ...row,
    beforePayCount: before?.payCount ?? null,
    beforePaidCents: before?.paidCents ?? null,
    beforeRefundCents: before?.refundCents ?? null,
    beforeNetCents: before?.netCents ?? null,
  };
}
export const payStatisticsExport = source("pay-statistics", "支付统计", "/dataCentre/payStatistics/export");
export const salesExport = source("sales", "销售情况", "/dataCentre/sales/export");
