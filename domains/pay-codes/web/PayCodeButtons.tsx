import type { ReactNode } from "react";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import type { Selection } from "@zhangfang/web/list/Batch.tsx";
import { usePanel } from "@zhangfang/web/list/address/use-panel.ts";
import { error } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { openPayCodes, POSTERS_AT_ONCE } from "../contract.ts";
import { PayCodeDrawer } from "./LazyDrawer.tsx";

/** 收款码 of one row of a list of stores. */
export function PayCodeButton({ storeId }: { storeId: string }): ReactNode {
  const panel = usePanel("payCode");
  if (!useAct(openPayCodes)) return null;
  return (
    <>
      <Button tone="link" onClick={() => panel.open(storeId)}>
        收款码
      </Button>
      {panel.id === storeId && <PayCodeDrawer storeIds={[storeId]} onClose={panel.close} />}
    </>
  );
}

/**
 * 收款码 of the ticked stores, or of the whole filter.
 * @param idsOf the stores that a filter finds, no more than asked for
 */
export function PayCodeBatch({
  selection,
  idsOf,
}: {
  selection: Selection;
  idsOf: (filters: Selection["filters"], most: number) => Promise<readonly string[]>;
}): ReactNode {
  const panel = usePanel("payCodes");
  if (!useAct(openPayCodes)) return null;
  const open = async (): Promise<void> => {
    if (selection.count > POSTERS_AT_ONCE) return error(`一次最多 ${POSTERS_AT_ONCE} 家门店的收款码，请缩小筛选范围`);
    const ids = selection.all ? await idsOf(selection.filters, POSTERS_AT_ONCE) : selection.ids;
    if (ids.length > 0) panel.open(ids.join(","));
  };
  return (
    <>
      <Button small onClick={() => void open()}>
        下载收款码
      </Button>
      {panel.id && panel.id !== "new" && <PayCodeDrawer storeIds={panel.id.split(",")} onClose={panel.close} />}
    </>
  );
}
