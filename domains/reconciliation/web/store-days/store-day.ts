import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import type { getStoreDay } from "../../contract/index.ts";
import type { StoreDayColumn } from "../../contract/store-day-words.ts";

export type StoreDay = OutputOf<typeof getStoreDay>;
/** The columns as they stand on screen and paper; how often something went back stands behind the amount. */
export const SHOWN = [
  "count",
  "paidCents",
  "shopOffCents",
  "subsidyCents",
  "feeCents",
  "backCents",
  "incomeCents",
] as const satisfies readonly StoreDayColumn[];
