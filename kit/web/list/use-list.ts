import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import type { BroughtView, Endpoint, InputOf } from "@zhangfang/contract/endpoint.ts";
import type { Labelled } from "@zhangfang/contract/labelled.ts";
import { call } from "../api/api.ts";
import { today } from "../filter/day-shortcuts.ts";
import { lasting } from "../window/storage.ts";
import {
  allowedPageSize,
  firstPage,
  nextPage,
  pageAt,
  previousPage,
  readAddress,
  withFilters,
  withoutFilters,
  withParameter,
} from "./address/list-address.ts";
import { useHead, usePage } from "./address/use-page.ts";
import type { FilterName, List, Total } from "./list.ts";
import { type DefaultView, useOpening } from "./views/use-view.ts";
import { queryOf, tabOf } from "./views/view.ts";

export type { FilterField, FilterGroup, FilterName, List, Total } from "./list.ts";

export interface ListOptions<E extends Endpoint> {
  /** Filters that hold until somebody changes them. @example { from: today(), to: today() } */
  readonly defaults?: Partial<Record<FilterName<E>, string>>;
  /** The views that the product brings with the list. */
  readonly views?: readonly BroughtView[];
  /** Asks at this interval while the tab is seen: new rows are announced, shown ones change where they stand, none moves. */
  readonly live_ms?: number;
  /** Its rows are found on their page alone: an address that opens one says how long the page was. */
  readonly byPage?: boolean;
}

const NO_VIEWS: readonly BroughtView[] = [];
const SIZE_KEY = "inner_page_size";

/**
 * A list endpoint as a screen: filters, page, size, sort and the open drawer live in the hash address and nowhere else,
 * so that a link opens the same list. Pages are keyset pages; the total is asked once for each filter.
 * @example const list = useList(listPayOrders, { defaults: { from: today(), to: today() } });
 */
export function useList<E extends Endpoint>(endpoint: E, options: ListOptions<E> = {}): List<E> {
  const defaults = (options.defaults ?? {}) as Record<string, string>;
  const { path, query, go } = useQueryText();
  const address = readAddress(query, defaults);
  const [savedSize, setSavedSize] = useState(() => allowedPageSize(lasting.getItem(SIZE_KEY)) ?? 10);
  const pageSize = address.pageSize ?? savedSize;
  const head = { ...address.filters, pageSize, ...(address.sort && { sort: address.sort }) };
  const page = usePage(endpoint, head, address);
  const fresh = useHead(endpoint, head, page, address.page === 1 ? options.live_ms : undefined);
  const opened = (id: string): URLSearchParams => {
    // A form that led to the row is done with.
    const bare = withParameter(query, "panel", undefined);
    return withParameter(options.byPage ? withParameter(bare, "pageSize", String(pageSize)) : bare, "id", id);
  };
  const setFilters = (values: Readonly<Record<string, string | undefined>>): void => go(withFilters(query, values, defaults));
  const { next } = page;
  const tab = tabOf(query);
  const showView: List["showView"] = (view) => go(view ? queryOf(view, defaults, today(), tab) : tab);
  // Another tab than the view's is not left for it.
  const isBare = (view: DefaultView) => [...query].every(([name, value]) => name === "view" && value === (view.filters[name] ?? value));
  useOpening({ path, endpoint }, isBare, (view) => go(queryOf(view, defaults, today(), tab), true));
  return {
    ...page,
    endpoint,
    path,
    address,
    defaults,
    filters: address.filters,
    views: options.views ?? NO_VIEWS,
    rows: page.rows ?? [],
    pageSize,
    hasNext: next !== undefined,
    fresh,
    field: (name) => ({ name, value: address.filters[name], set: (value) => setFilters({ [name]: value }) }),
    range: (from, to) => ({ values: { [from]: address.filters[from], [to]: address.filters[to] }, set: setFilters }),
    setFilters: (values) => setFilters(values as Record<string, string | undefined>),
    reset: () => go(withoutFilters(query)),
    next: () => {
      if (next !== undefined && !page.old) go(nextPage(query, address, next));
    },
    previous: () => go(previousPage(query, address, pageSize)),
    jump: (to) => go(pageAt(query, to, pageSize)),
    setPageSize: (size) => {
      if (allowedPageSize(size) === undefined) return;
      lasting.setItem(SIZE_KEY, String(size));
      setSavedSize(size);
      go(withParameter(firstPage(query), "pageSize", String(size)));
    },
    setSort: (sort) => go(withParameter(firstPage(query), "sort", sort)),
    openId: address.openId,
    hrefOf: (id) => `#${path}?${opened(id)}`,
    open: (id) => go(opened(id)),
    close: () => go(withParameter(query, "id", undefined)),
    showView,
  };
}

/** The query of this page's address, and how to go to another one. */
function useQueryText(): { path: string; query: URLSearchParams; go: (next: URLSearchParams, inPlace?: boolean) => void } {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return {
    query: useMemo(() => new URLSearchParams(search), [search]),
    path: pathname,
    go: (next, inPlace = false) => {
      const text = next.toString();
      void navigate({ pathname, search: text === "" ? "" : `?${text}` }, { replace: inPlace });
    },
  };
}

/**
 * How many rows each code of a status has under the other filters, for tabs whose list has no summary.
 * @example tabs={{ of: list.field("status"), set: exportStatus, counts: useCounts(list, "status", exportStatus) }}
 */
export function useCounts<E extends Endpoint>(list: List<E>, name: FilterName<E>, set: Labelled): Record<string, number> | undefined {
  const { [name]: _own, ...others } = list.filters as Record<string, string>;
  const codes = set.values.map(String);
  return useQuery({
    queryKey: [list.endpoint.path, "counts", name, others],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const count = async (code: string): Promise<number> => {
        const input = { ...others, [name]: code, pageSize: 10, withTotal: true } as unknown as InputOf<E>;
        const page = (await call(list.endpoint, input, { signal, quiet: true })) as { readonly total?: Total };
        return page.total?.count ?? 0;
      };
      const counts = await Promise.all(codes.map(count));
      return Object.fromEntries(codes.map((code, at) => [code, counts[at] ?? 0]));
    },
  }).data;
}

/**
 * The answer of any read for the filters of a list, for totals and status counts. Where it fails a message says so; 刷新 asks again.
 * @example const sums = useSummary(sumPayOrders, list.filters);
 */
export function useSummary<E extends Endpoint>(endpoint: E, filters: Readonly<Record<string, string>>) {
  return useQuery({
    queryKey: [endpoint.path, "summary", filters],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(endpoint, filters as unknown as InputOf<E>, { signal }),
  });
}
