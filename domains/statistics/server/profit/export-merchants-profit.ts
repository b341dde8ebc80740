import { sql } from "kysely";
import { z } from "zod";
import { countAll } from "@zhangfang/server/lists/keyset.ts";
import { exportColumn, exportRows, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { metric } from "../../contract/index.ts";
import { profitFilter } from "../../contract/merchants-profit.ts";
import { profitBy } from "./list-merchants-profit.ts";
import { profitGroups, profitOf } from "./merchants-profit.ts";

const input = z.object({ ...profitFilter, sort: z.string().max(32).optional() });

/** 商户收益 as a file: every group of the same question. */
export const merchantsProfitExport: ExportSource<typeof input> = {
  name: "merchants-profit",
  title: "商户收益",
  access: "/dataCentre/merchantsProfit/export",
  input,
  columns: [
    exportColumn("day", "日期", 12),
    exportColumn("merchantName", "商户", 24),
    ...(
      [
        "grossCents",
        "discountCents",
        "storedCents",
        "paidCents",
        "refundCents",
        "feeKeptCents",
        "sharedCents",
        "profitCents",
        "settledCents",
      ] as const
    ).map((key) => exportColumn(key, metric.label(key), 14, "money")),
  ],
  count: (tx, scope, { sort: _sort, ...filter }) => countAll(tx, sql`(${profitGroups(scope, filter, filter.by)}) g`),
  rows: (tx, scope, { sort = "usual", ...filter }) =>
    exportRows(tx, profitBy(scope, filter, { sort }), (row) => ({
      day: row.day,
      merchantName: row.merchant === null ? null : row.name,
      ...profitOf(row),
    })),
};
