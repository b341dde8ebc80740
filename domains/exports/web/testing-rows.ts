import type { Instant } from "@zhangfang/contract/fields.ts";
import type { ExportRow } from "../contract.ts";

/** An export at work, a third done. */
export const atWork: ExportRow = {
  id: "01a1fc69-3fc1-74e4-a14e-e498f98e4dee",
  name: "支付订单_20261120_100000.xlsx",
  source: "pay-orders",
  sourceTitle: "支付订单",
  filter: { from: "2026-11-01", to: "2026-11-19", status: 2 },
  format: "xlsx",
  status: 0,
  rowsDone: 33_000,
  rowsTotal: 100_000,
  percent: 33,
  waitingBefore: 0,
  cancelling: false,
  sizeBytes: null,
  failure: null,
  attempt: 1,
  createdAt: "2026-11-20T02:00:00Z" as Instant,
  finishedAt: null,
  expiresAt: "2026-11-27T02:00:00Z" as Instant,
  can: { download: false, cancel: true, retry: false, remove: false },
};
/** The same export, ready. */
export const ready: ExportRow = {
  ...atWork,
  status: 1,
  rowsDone: 100_000,
  percent: null,
  waitingBefore: null,
  sizeBytes: 1_258_291,
  can: { download: true, cancel: false, retry: false, remove: true },
};
