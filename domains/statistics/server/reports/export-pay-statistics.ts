import { z } from "zod";
import { oneOf } from "@zhangfang/contract/fields.ts";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import { exportColumn, exportRows, type ExportRow, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { sql } from "kysely";
import { dimension, metric, TAKINGS, VALUE } from "../../contract/index.ts";
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

/** The groups of a report as a file: the same question as the screen's, every group of it. */
const source = (name: string, title: string, access: ExportSource["access"]): ExportSource<typeof input> => ({
  name,
  title,
  access,
  input,
  columns: [
    exportColumn("name", "统计项", 24),
    exportColumn("splitName", "再按", 24),
    ...[...TAKINGS, ...VALUE].map((one) => exportColumn(one, metric.label(one), 14, one.endsWith("Cents") ? "money" : "count")),
    exportColumn("beforePayCount", "对比期支付笔数", 14, "count"),
    exportColumn("beforePaidCents", "对比期实收金额", 14, "money"),
    exportColumn("beforeRefundCents", "对比期退款金额", 14, "money"),
    exportColumn("beforeNetCents", "对比期净收入", 14, "money"),
  ],
  count: (tx, scope, filter) => countAll(tx, sql`(${groupsOf(questionOf(scope, filter))}) g`),
  async *rows(tx, scope, { sort = "usual", ...filter }) {
    const question = questionOf(scope, filter);
    const found = foundBy(question, { sort });
    yield* exportRows(tx, found, (row) => cellsOf(shownOf(question, row)));
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
