import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Endpoint, InputOf, OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { call } from "../api/api.ts";
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
  const shown = list.rows.find((row) => (row as { readonly id?: unknown }).id === id);
  const [last, setLast] = useState(shown);
  if (shown !== undefined && shown !== last) setLast(shown);
  const read = useQuery({
    queryKey: [list.endpoint.path, "row", by.path, id],
    enabled: id !== undefined && shown === undefined,
    staleTime: 0,
    queryFn: ({ signal }) => call(by, { id } as unknown as InputOf<E>, { signal, quiet: true }),
  });
  if (id === undefined) return null;
  // One that has just left the filter stays until it is read.
  const kept = (last as { readonly id?: unknown } | undefined)?.id === id && !read.error ? last : undefined;
  const row = shown ?? (read.data as RowOf<L> | undefined) ?? kept;
  return row === undefined ? <WaitingDrawer title={title} of={read} onClose={onClose} /> : children(row);
}
