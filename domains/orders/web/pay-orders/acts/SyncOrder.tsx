import type { ReactNode } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { getPayOrder, listPayOrders, summarisePayOrders, syncPayOrder } from "../../../contract/index.ts";
import type { PayOrder } from "../pay-order-columns.tsx";

/** Asks the channel what became of an order, where an answer was lost; the channel's word decides. */
export function SyncOrder({ order }: { order: Pick<PayOrder, "id" | "syncable"> }): ReactNode {
  const [busy, run] = useRun([getPayOrder, listPayOrders, summarisePayOrders]);
  const ask = async (): Promise<void> => {
    await run(async () => {
      const answer = await call(syncPayOrder, { id: order.id });
      success(answer.message);
    });
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
