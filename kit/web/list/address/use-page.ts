import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Endpoint, InputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "../../api/api-errors.ts";
import { call } from "../../api/api.ts";
import type { ListAddress } from "./list-address.ts";
import type { List, Total } from "../list.ts";

/** A total is asked again with the rows after this long, so that it never speaks of others than the sums beside it. */
const TOTAL_FRESH_MS = 30_000;
const isOld = (at_ms: number): boolean => at_ms < Date.now() - TOTAL_FRESH_MS;

interface Page<E extends Endpoint> extends Pick<List<E>, "total" | "loading" | "refreshing" | "error" | "refresh"> {
  readonly rows: readonly RowOf<E>[] | undefined;
  readonly next: string | undefined;
  /** The rows still stand from the question before. */
  readonly old: boolean;
  /** When the rows were read. */
  readonly at_ms: number;
  /** Takes over what is known of shown rows by now; their order and number stay. */
  change(rows: readonly RowOf<E>[]): void;
}

/** One page of rows. The total comes with the first question of a filter, and again when something was changed. */
export function usePage<E extends Endpoint>(endpoint: E, head: Record<string, unknown>, { filters, cursors }: ListAddress): Page<E> {
  const client = useQueryClient();
  const totalKey = [endpoint.path, "total", filters];
  const asked = { ...head, ...(cursors.length > 0 && { cursor: cursors.at(-1) }) };
  const queryKey = [endpoint.path, "list", asked];
  const refreshSums = (): void => {
    // The sums over the list's filter are as old as its rows.
    const same = JSON.stringify(filters);
    void client.invalidateQueries({ predicate: (one) => one.queryKey[1] === "summary" && JSON.stringify(one.queryKey[2]) === same });
  };
  const answer = useQuery({
    queryKey,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const known = client.getQueryState(totalKey);
      const withTotal = known?.data === undefined || known.isInvalidated || isOld(known.dataUpdatedAt);
      // The server parses these strings by the same schema; the address holds nothing else.
      const input = { ...asked, ...(withTotal && { withTotal }) } as unknown as InputOf<E>;
      const page = (await call(endpoint, input, { signal })) as { items: readonly RowOf<E>[]; next: string | null; total?: Total };
      if (page.total) client.setQueryData(totalKey, page.total);
      return page;
    },
  });
  return {
    rows: answer.data?.items,
    next: answer.data?.next ?? undefined,
    old: answer.isPlaceholderData,
    at_ms: answer.dataUpdatedAt,
    total: client.getQueryData<Total>(totalKey) ?? answer.data?.total,
    loading: answer.isPending,
    refreshing: answer.isFetching && !answer.isPending,
    error: answer.error as ApiError | null,
    refresh: () => {
      void client.invalidateQueries({ queryKey: [endpoint.path] });
      refreshSums();
    },
    change: (items) => {
      client.setQueryData(queryKey, (page: object | undefined) => page && { ...page, items }, { updatedAt: answer.dataUpdatedAt });
      refreshSums();
    },
  };
}

/**
 * Asks for the first page again and again, quietly, only while the list is seen: what is shown follows it in place.
 * @returns how many rows stand before the first one that is shown
 */
export function useHead<E extends Endpoint>(
  endpoint: E,
  asked: Record<string, unknown>,
  page: Page<E>,
  every_ms: number | undefined,
): number {
  const client = useQueryClient();
  const queryKey = [endpoint.path, "head", asked];
  // Only the rows are looked at: an answer without news draws nothing.
  const { data } = useQuery({
    queryKey,
    enabled: every_ms !== undefined && page.rows !== undefined,
    refetchInterval: every_ms ?? false,
    refetchIntervalInBackground: false,
    queryFn: ({ signal }) => call(endpoint, asked as unknown as InputOf<E>, { signal, quiet: true }),
  });
  const rows = every_ms === undefined || page.old ? undefined : (data as { readonly items?: readonly RowOf<E>[] } | undefined)?.items;
  useEffect(() => {
    const readAt_ms = client.getQueryState(queryKey)?.dataUpdatedAt ?? 0;
    const changed = rows && page.rows && readAt_ms > page.at_ms ? followed(page.rows, rows) : undefined;
    if (changed) page.change(changed);
    // Once for each answer.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [rows]);
  if (!rows) return 0;
  const seen = new Set(page.rows?.map(idOf));
  const first = rows.findIndex((row) => seen.has(idOf(row)));
  return first < 0 ? rows.length : first;
}

const idOf = (row: unknown): unknown => (row as { id?: unknown }).id;

/** The shown rows as they are by now; undefined where none of them changed. */
export function followed<Row>(shown: readonly Row[], now: readonly Row[]): readonly Row[] | undefined {
  const known = new Map(now.map((row) => [idOf(row), row]));
  let changed = false;
  const rows = shown.map((row) => {
    const current = known.get(idOf(row));
    if (current === undefined || JSON.stringify(current) === JSON.stringify(row)) return row;
    changed = true;
    return current;
  });
  return changed ? rows : undefined;
}
