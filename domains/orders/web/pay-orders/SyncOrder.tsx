import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { ApiError, call } from "@zhangfang/web/api.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getPayOrder, listPayOrders, summarisePayOrders, syncPayOrder } from "../../contract/index.ts";
import type { PayOrder } from "./pay-order-columns.tsx";

/** Asks the channel what became of an order, where an answer was lost; the channel's word decides. */
export function SyncOrder({ order }: { order: Pick<PayOrder, "id" | "syncable"> }): ReactNode {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const ask = async (): Promise<void> => {
    setBusy(true);
    try {
      const answer = await call(syncPayOrder, { id: order.id });
      success(answer.message);
      for (const { path } of [getPayOrder, listPayOrders, summarisePayOrders]) void client.invalidateQueries({ queryKey: [path] });
    } catch (failure) {
      // A refused call has already said why.
      if (!(failure instanceof ApiError)) throw failure;
    } finally {
      setBusy(false);
    }
  };
  if (!order.syncable) return null;
  return (
    <Act of={syncPayOrder}>
      <Button busy={busy} onClick={() => void ask()}>
        查单同步
      </Button>
    </Act>
  );
}
