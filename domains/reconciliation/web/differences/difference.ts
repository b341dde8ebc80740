import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { isAsked, isTakeaway, KNOWN_HINTS, type listDifferences } from "../../contract/index.ts";

export type Difference = RowOf<typeof listDifferences>;
/** The channel or the platform can be asked about it. */
export const mayAsk = (row: Difference): boolean => row.orderId !== null || isAsked(row.source) || isTakeaway(row.source);
/** A payment that nobody here knows. */
export const mayBeUnknown = (row: Difference): boolean =>
  row.class === "channel-only" && row.orderId === null && !KNOWN_HINTS.includes(row.hint);
