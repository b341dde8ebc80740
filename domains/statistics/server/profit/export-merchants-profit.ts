import { sql } from "kysely";
import { z } from "zod";
import type { ExportColumn, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { metric, type Metric } from "../../contract/index.ts";
import { profitFilter } from "../../contract/merchants-profit.ts";
import { profitBy } from "./list-merchants-profit.ts";
import { profitGroups, profitOf } from "./merchants-profit.ts";

const input = z.object({ ...profitFilter, sort: z.string().max(32).optional() });
const money = (key: Metric): ExportColumn => ({ key, label: metric.label(key), kind: "money", width: 14 });
const columns: readonly ExportColumn[] = [
  { key: "day", label: "日期", kind: "text", width: 12 },
  { key: "merchantName", label: "商户", kind: "text", width: 24 },
  ...(
    ["grossCents", "discountCents", "paidCents", "refundCents", "feeKeptCents", "sharedCents", "profitCents", "settledCents"] as const
  ).map(money),
];

/** 商户收益 as a file: every group of the same question. */
export const merchantsProfitExport: ExportSource<typeof input> = {
  name: "merchants-profit",
  title: "商户收益",
  access: "/dataCentre/merchantsProfit/export",
  input,
  columns,
  async count(tx, scope, { sort: _sort, ...filter }) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${profitGroups(scope, filter, filter.by)}) g`.execute(tx);
    return rows[0]?.n ?? 0;
  },
  async *rows(tx, scope, { sort = "usual", ...filter }) {
    const found = profitBy(scope, filter, { sort });
    for await (const batch of readByCursor(tx, { compile: () => found.compile(tx) }))
      yield batch.map((row) => ({ day: row.day, merchantName: row.merchant === null ? null : row.name, ...profitOf(row) }));
  },
};
