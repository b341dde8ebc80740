import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import {
  type getReturn,
  getShare,
  getSharingSetup,
  listReturns,
  listShares,
  summariseReturns,
  summariseShares,
} from "../contract/index.ts";
import type { previewShare } from "../contract/index.ts";

export type Share = RowOf<typeof listShares>;
export type ShareDetails = OutputOf<typeof getShare>;
export type Return = RowOf<typeof listReturns>;
export type ReturnDetails = OutputOf<typeof getReturn>;
export type Setup = OutputOf<typeof getSharingSetup>;
export type Receiver = Setup["receivers"][number];
export type Preview = OutputOf<typeof previewShare>;

/** Every answer that a share makes old. */
export const shareReads = [listShares, summariseShares, getShare, listReturns, summariseReturns] as const;
/** The counts by status as the tabs of a list take them. */
export const countsOf = (
  perStatus: readonly { readonly status: string | number; readonly count: number }[] | undefined,
): Record<string, number> | undefined => perStatus && Object.fromEntries(perStatus.map(({ status, count }) => [String(status), count]));
