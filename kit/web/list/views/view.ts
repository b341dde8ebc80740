import { type DayRange, DAY_RANGES, daysOfRange } from "@zhangfang/contract/time.ts";
import { withFilters } from "../address/list-address.ts";
import type { ColumnSettings } from "../table/column-settings.ts";

/** What a view says of its list: every filter in force, the days that move with the calendar, the order, the columns. */
export interface ViewSaid {
  readonly filters: Readonly<Record<string, string>>;
  /** Then `filters` holds no from and to. */
  readonly days: DayRange | null;
  readonly sort: string | null;
  readonly columns: ColumnSettings | null;
}
/** A list under a name: an address, never data. */
export interface SavedView extends ViewSaid {
  readonly id: string;
  readonly path: string;
  readonly list: string;
  readonly name: string;
}

/** The filters of a view on a day. */
export function filtersOf(view: Pick<ViewSaid, "filters" | "days">, today: string): Record<string, string> {
  if (view.days === null) return { ...view.filters };
  const [from, to] = daysOfRange(view.days, today);
  return { ...view.filters, from, to };
}
/** Of a query what says which list of its screen is open, and how it is drawn: no view changes that. */
export const tabOf = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => name === "view" || name === "show"));
/** Where a list shows a view. Filters that the screen begins with and the view has not are taken away. */
export function queryOf(
  view: Pick<SavedView, "id" | "filters" | "days" | "sort">,
  defaults: Readonly<Record<string, string>>,
  today: string,
  tab: URLSearchParams,
): URLSearchParams {
  const without = Object.fromEntries(Object.keys(defaults).map((name) => [name, undefined]));
  const query = withFilters(tab, { ...without, ...filtersOf(view, today) }, defaults);
  if (view.sort !== null) query.set("sort", view.sort);
  query.set("saved", view.id);
  return query;
}
/** The ranges that from and to of a filter are today: what a view may mean by them. */
export const rangesOf = ({ from, to }: Readonly<Record<string, string>>, today: string): readonly DayRange[] =>
  DAY_RANGES.filter((range) => {
    const [first, last] = daysOfRange(range, today);
    return first === from && last === to;
  });

// Which list of its screen is open (`view`) is in the address only where somebody chose it.
const inOrder = ({ view: _tab, ...record }: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
/** Whether the filters and the order of a list are no longer those of its view. */
export const isChanged = (view: ViewSaid, filters: Readonly<Record<string, string>>, sort: string | undefined, today: string): boolean =>
  inOrder(filtersOf(view, today)) !== inOrder(filters) || (sort ?? null) !== view.sort;
