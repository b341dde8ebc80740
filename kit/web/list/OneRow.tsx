import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Endpoint, InputOf, OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "../api/api.ts";
import type { ApiError } from "../api/api-errors.ts";
import { WaitingDrawer } from "../show/over/Detail.tsx";
import type { List } from "./list.ts";

interface One<E extends Endpoint, L extends Endpoint> {
  readonly list: List<L>;
  /** How one row is read by its id; it may tell more than the list does. */
  readonly by: OutputOf<E> extends RowOf<L> ? E : never;
  /** The row that the address names; undefined while nothing is open. */
  readonly id: string | undefined;
  /** The drawer's title until the row is there. */
  readonly title: string;
  readonly onClose: () => void;
  readonly children: (row: RowOf<L>) => ReactNode;
}
/**
 * What a drawer of a list is about, from any page and under any filter: the row that is shown, or what is read by its id.
 * What reads the list anew reads that too.
 * @example
 * <OneRow list={list} by={getPrinter} id={edit.id} title="修改云打印机" onClose={edit.close}>
 *   {(row) => <EditPrinter key={row.version} row={row} onClose={edit.close} />}
 * </OneRow>
 */
export function OneRow<E extends Endpoint, L extends Endpoint>({ list, by, id, title, onClose, children }: One<E, L>): ReactNode {
  const shown = list.rows.find((row) => idOf(row) === id);
  const read = useQuery({
    queryKey: [list.endpoint.path, "row", by.path, id],
    enabled: id !== undefined && shown === undefined,
    // A form begins with what is there now: what was read for an earlier opening is not kept.
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => call(by, { id } as unknown as InputOf<E>, { signal, quiet: true }),
  });
  const now = shown ?? (read.isFetching || read.error ? undefined : (read.data as RowOf<L> | undefined));
  const [last, setLast] = useState(now);
  const gone = shown === undefined && (read.error as ApiError | null)?.status === 404;
  // One that has just left the filter, or is read anew, stays as it was until it is read; one that is gone does not.
  const kept = id === undefined || gone ? undefined : (now ?? (idOf(last) === id ? last : undefined));
  if (kept !== last) setLast(kept);
  if (id === undefined) return null;
  return kept === undefined ? <WaitingDrawer title={title} of={{ ...read, data: undefined }} onClose={onClose} /> : children(kept);
}
const idOf = (row: unknown): unknown => (row as { readonly id?: unknown } | undefined)?.id;
