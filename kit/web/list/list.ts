import type { BroughtView, Endpoint, FilterName, RowOf } from "@zhangfang/contract/endpoint.ts";
import type { ListAddress } from "./address/list-address.ts";
import type { SavedView } from "./views/view.ts";
import type { ApiError } from "../api/api-errors.ts";

export type { FilterName };

/** One filter as its field sees it: its value in the address, and how to change it. */
export interface FilterField {
  readonly name: string;
  readonly value: string | undefined;
  set(value: string | undefined): void;
}
/** Several filters that change together. */
export interface FilterGroup {
  readonly values: Readonly<Record<string, string | undefined>>;
  set(values: Readonly<Record<string, string | undefined>>): void;
}
export interface Total {
  readonly count: number;
  readonly more: boolean;
}

/** A list as its screen sees it. */
export interface List<E extends Endpoint = Endpoint> {
  readonly endpoint: E;
  /** The address of its screen, without the query. */
  readonly path: string;
  readonly address: ListAddress;
  readonly defaults: Readonly<Record<string, string>>;
  /** Filters in force, defaults included; what summaries and exports are asked with. */
  readonly filters: Readonly<Record<string, string>>;
  /** The views that the product brings with it. */
  readonly views: readonly BroughtView[];
  readonly rows: readonly RowOf<E>[];
  readonly total: Total | undefined;
  readonly pageSize: number;
  /** Nothing to show yet. */
  readonly loading: boolean;
  /** Asking while the last rows still stand. */
  readonly refreshing: boolean;
  readonly error: ApiError | null;
  readonly hasNext: boolean;
  /** Rows that are new since the page was drawn, where the list is live. */
  readonly fresh: number;
  /** A filter by its name in the contract. @example <Choice of={list.field("status")} … /> */
  field(name: FilterName<E>): FilterField;
  /** Two filters that are one range. @example <DateRange of={list.range("from", "to")} … /> */
  range(from: FilterName<E>, to: FilterName<E>): FilterGroup;
  /** Several filters at once, for buttons and links inside the screen. */
  setFilters(values: Partial<Record<FilterName<E>, string | undefined>>): void;
  reset(): void;
  next(): void;
  previous(): void;
  /** Goes to a page by its number, where the list's pages can be jumped to. */
  jump(page: number): void;
  setPageSize(size: number): void;
  setSort(sort: string | undefined): void;
  /** The row whose drawer is open, in the address as `id`. */
  readonly openId: string | undefined;
  open(id: string): void;
  /** Where the list stands with a row's drawer open, for another tab of the browser. */
  hrefOf(id: string): string;
  close(): void;
  refresh(): void;
  /** Shows what a view says; undefined goes back to what the screen begins with. */
  showView(view: Pick<SavedView, "id" | "filters" | "days" | "sort"> | undefined): void;
}
