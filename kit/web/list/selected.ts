import type { Endpoint, InputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "../api/api.ts";
import { error } from "../notify.ts";
import type { Selection } from "./Batch.tsx";

const PAGE = 100;

/** The rows that a filter finds now, page by page, `most` of them. @example await rowsOf(getAds, selection.filters, 100) */
export async function rowsOf<E extends Endpoint>(of: E, filters: Selection["filters"], most: number): Promise<readonly RowOf<E>[]> {
  const rows: RowOf<E>[] = [];
  let cursor: string | null | undefined;
  do {
    const asked = { ...filters, pageSize: PAGE, ...(cursor && { cursor }) } as InputOf<E>;
    const page = (await call(of, asked)) as { readonly items: readonly RowOf<E>[]; readonly next: string | null };
    rows.push(...page.items);
    cursor = page.next;
  } while (cursor && rows.length < most);
  return rows.slice(0, most);
}

/**
 * The ids that an act is meant for: those that were ticked, or, where the whole filter is meant, what it finds now.
 * @param of the list's endpoint
 * @returns undefined, and says so, where there are more than the act takes at once or the list could not be asked
 * @example const ids = await selectedIds(getAds, selection, { most: 100, unit: "个广告" });
 */
export async function selectedIds<E extends Endpoint>(
  of: E,
  selection: Selection,
  { most, unit }: { readonly most: number; readonly unit: string },
): Promise<readonly string[] | undefined> {
  if (selection.count > most) {
    error(`一次最多 ${most} ${unit}，请缩小筛选范围`);
    return undefined;
  }
  if (!selection.all) return selection.ids;
  try {
    return (await rowsOf(of, selection.filters, most)).map((row) => (row as { readonly id: string }).id);
  } catch {
    // The call has said it.
    return undefined;
  }
}
