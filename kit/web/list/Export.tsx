import { type ReactNode, Suspense, useState } from "react";
import { Button } from "../show/Button.tsx";
import { Icon } from "../show/icons.tsx";
import { slots } from "../slots.ts";
import { useKey } from "../window/use-key.ts";
import type { Column } from "./table/columns.tsx";
import type { List } from "./use-list.ts";

/**
 * Exports the whole filter as a job, with the columns that are seen, in the order they are seen, or with all. E presses it.
 * @param props.source the export source's name on the server; its column keys are those of the list
 * @param props.unit what the rows are counted in: 笔, 家
 * @example <Export source="pay-orders" title="支付订单" unit="笔" list={list} columns={columns} />
 */
export function Export<Row>({
  source,
  title,
  unit,
  list,
  columns,
}: {
  source: string;
  title: string;
  unit: string;
  list: Pick<List, "filters" | "total">;
  columns: readonly Column<Row>[];
}): ReactNode {
  const [open, setOpen] = useState(false);
  const button = useKey("e");
  const Dialog = slots.exportDialog;
  if (!Dialog) return null;
  const keys = columns.filter((column) => column.kind !== "actions").map((column) => column.key);
  return (
    <>
      <Button ref={button} small aria-haspopup="dialog" aria-keyshortcuts="E" title="导出（E）" onClick={() => setOpen(true)}>
        <Icon name="download" size={14} />
        导出
      </Button>
      {open && (
        <Suspense fallback={null}>
          <Dialog
            request={{ source, title, unit, filters: list.filters, columns: keys, total: list.total }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
