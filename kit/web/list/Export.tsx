import { type ReactNode, useState } from "react";
import { error, success } from "../notify.ts";
import { ApiError } from "../api-errors.ts";
import { Button } from "../show/Button.tsx";
import { Icon } from "../show/icons.tsx";
import { slots } from "../slots.ts";
import type { Column } from "./columns.tsx";
import type { List } from "./use-list.ts";

/**
 * Starts a job that exports the whole filter, with the columns that are seen, in the order they are seen.
 * @param props.source the export source's name on the server; its column keys are those of the list
 * @example <Export source="pay-orders" list={list} columns={columns} />
 */
export function Export<Row>({ source, list, columns }: { source: string; list: Pick<List, "filters">; columns: readonly Column<Row>[] }): ReactNode {
  const [busy, setBusy] = useState(false);
  const start = slots.startExport;
  if (!start) return null;
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      await start({ source, filters: list.filters, columns: columns.filter((column) => column.kind !== "actions").map((column) => column.key) });
      success("已开始导出，完成后可在导出记录下载");
    } catch (failure) {
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) error("导出没有开始，请重试");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button small busy={busy} onClick={() => void run()}>
      <Icon name="download" size={14} />
      导出
    </Button>
  );
}
