import { type ReactNode, Suspense, useState } from "react";
import { Button } from "../../show/Button.tsx";
import { slots } from "../../slots.ts";
import type { Selection } from "../Batch.tsx";

/**
 * A file of what is ticked, with the columns that are seen; the source's filter takes `ids`.
 * @example <BatchExport of={selection} source="pay-orders" title="支付订单" unit="笔" />
 */
export function BatchExport({ of, source, title, unit }: { of: Selection; source: string; title: string; unit: string }): ReactNode {
  const [open, setOpen] = useState(false);
  const Dialog = slots.exportDialog;
  if (!Dialog) return null;
  const filters = of.all ? of.filters : { ...of.filters, ids: of.ids };
  return (
    <>
      <Button small aria-haspopup="dialog" onClick={() => setOpen(true)}>
        导出所选
      </Button>
      {open && (
        <Suspense fallback={null}>
          <Dialog
            request={{ source, title, unit, filters, columns: of.columns, ...(!of.all && { total: { count: of.count, more: false } }) }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  );
}
