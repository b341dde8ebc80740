import type { Labelled } from "@zhangfang/contract/labelled.ts";

/** What an exported list says about itself, so that its exports can be read and opened again. */
export interface ExportedList {
  /** The list's address after the #. */
  readonly path: `/${string}`;
  /** Its own filters by their names in the contract: what each is called, and the words of its codes. Days, amounts, keyword and organisation need no words. */
  readonly filters?: Readonly<Record<string, readonly [label: string, set?: Labelled]>>;
}

const lists = new Map<string, ExportedList>();

/**
 * Tells the download centre how to say the filter of an export in words and where its list is. A domain's `later.ts` calls it.
 * @example registerExportedList("pay-orders", { path: "/dataCentre/payOrder", filters: { status: ["状态", orderStatus] } });
 */
export function registerExportedList(source: string, list: ExportedList): void {
  lists.set(source, list);
}

/** What a source's domain said; undefined where it said nothing. */
export const exportedList = (source: string): ExportedList | undefined => lists.get(source);
