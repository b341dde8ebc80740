import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { isAsked, isTakeaway, type listDifferences } from "../../contract/index.ts";

export type Difference = RowOf<typeof listDifferences>;
/** The channel or the platform can be asked about it. */
export const mayAsk = (row: Difference): boolean => row.orderId !== null || isAsked(row.source) || isTakeaway(row.source);
/** A payment that nobody here knows; what waits for its store or for being fetched has a way of its own. */
export const mayBeUnknown = (row: Difference): boolean =>
  row.class === "channel-only" && row.orderId === null && row.hint !== "unmapped" && row.hint !== "unfetched";
