import { PAGE_SIZES } from "@zhangfang/contract/fields.ts";

/** The names in a list's query that are not filters. */
// `show` is how a screen draws the same rows.
const OWN = new Set(["after", "page", "pageSize", "sort", "id", "panel", "show", "saved"]);
/** How many cursors the address carries back; further back, 上一页 jumps. */
const CURSORS_KEPT = 20;

/** What a list's address says. The address is the only place where a list keeps its state. */
export interface ListAddress {
  readonly filters: Readonly<Record<string, string>>;
  /** Cursors of the pages 2 up to this one; the last is this page's. */
  readonly cursors: readonly string[];
  readonly page: number;
  readonly pageSize: number | undefined;
  readonly sort: string | undefined;
  /** The row whose drawer is open. */
  readonly openId: string | undefined;
  /** The view that was opened; its filters may have been changed since. */
  readonly savedId: string | undefined;
}

/** Whether a page size is one of the allowed ones (spec.md sections 5 and 9). */
export function allowedPageSize(given: unknown): number | undefined {
  const size = Number(given);
  return (PAGE_SIZES as readonly number[]).includes(size) ? size : undefined;
}

/**
 * Reads a list's address. A default stands for a filter that the address does not name;
 * a name with nothing behind it is a filter that somebody took away.
 */
export function readAddress(query: URLSearchParams, defaults: Readonly<Record<string, string>>): ListAddress {
  const filters: Record<string, string> = { ...defaults };
  for (const [name, value] of query) if (!OWN.has(name)) filters[name] = value;
  for (const [name, value] of Object.entries(filters)) if (value === "") delete filters[name];
  const cursors = (query.get("after") ?? "").split("~").filter(Boolean);
  return {
    filters,
    cursors,
    page: cursors.length === 0 ? 1 : Math.max(cursors.length + 1, Number(query.get("page")) || 0),
    pageSize: allowedPageSize(query.get("pageSize")),
    sort: query.get("sort") ?? undefined,
    openId: query.get("id") || undefined,
    savedId: query.get("saved") || undefined,
  };
}

/** The query of the first page with some filters changed; an undefined or empty value takes a filter away. */
export function withFilters(
  query: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
  defaults: Readonly<Record<string, string>>,
): URLSearchParams {
  const next = firstPage(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === "") {
      if (defaults[name] === undefined) next.delete(name);
      else next.set(name, "");
    } else if (value === defaults[name]) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The query without any filter of its own: the defaults come back. */
export function withoutFilters(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams();
  for (const [name, value] of query) if (name === "pageSize" || name === "sort") next.set(name, value);
  return next;
}

/** The query of the page that `cursor` begins. */
export function nextPage(query: URLSearchParams, address: ListAddress, cursor: string): URLSearchParams {
  const next = new URLSearchParams(query);
  next.set("after", [...address.cursors, cursor].slice(-CURSORS_KEPT).join("~"));
  next.set("page", String(address.page + 1));
  return next;
}

/** So many rows may be jumped over, as the server counts no further. */
const MOST_SKIPPED = 10_000;
/** The last page that can be jumped to: of those that are known, or as far as the server reads through. */
export const lastPage = (count: number, more: boolean, pageSize: number): number =>
  more ? Math.floor(MOST_SKIPPED / pageSize) : Math.max(1, Math.ceil(count / pageSize));
/** The query of a page by its number. */
export function pageAt(query: URLSearchParams, page: number, pageSize: number): URLSearchParams {
  const next = firstPage(query);
  if (page <= 1) return next;
  next.set("after", `.${(page - 1) * pageSize}`);
  next.set("page", String(page));
  return next;
}

/** The query of the page before. */
export function previousPage(query: URLSearchParams, address: ListAddress, pageSize: number): URLSearchParams {
  const cursors = address.cursors.slice(0, -1);
  // What stands before a page that was jumped to has no cursor.
  if (cursors.length === 0)
    return (address.page - 2) * pageSize > MOST_SKIPPED ? firstPage(query) : pageAt(query, address.page - 1, pageSize);
  const next = new URLSearchParams(query);
  next.set("after", cursors.join("~"));
  next.set("page", String(address.page - 1));
  return next;
}

/** The query of the first page, with no drawer open. */
export function firstPage(query: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(query);
  for (const name of ["after", "page", "id", "panel"]) next.delete(name);
  return next;
}

/** The query with one name set, or taken away. */
export function withParameter(query: URLSearchParams, name: string, value: string | undefined): URLSearchParams {
  const next = new URLSearchParams(query);
  if (value === undefined) next.delete(name);
  else next.set(name, value);
  return next;
}
