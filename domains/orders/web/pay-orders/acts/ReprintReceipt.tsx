import { type ReactNode, useState } from "react";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { useRun } from "@zhangfang/web/act/use-run.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { success } from "@zhangfang/web/notify.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { reprintOrder } from "../../../../store-hardware/contract/index.ts";
import type { PayOrderDetails } from "../pay-order-details.ts";

/** 补打小票: once more on every printer of the store, for a receipt that was lost or never came. */
export function ReprintReceipt({ order }: { order: Pick<PayOrderDetails, "id" | "paidAt"> }): ReactNode {
  const [busy, run] = useRun();
  // Pressed again after a lost answer it is the same request.
  const [requestId, setRequestId] = useState(() => crypto.randomUUID() as string);
  const print = async (): Promise<void> => {
    await run(async () => {
      const { printers } = await call(reprintOrder, { requestId, orderId: order.id });
      setRequestId(crypto.randomUUID());
      success(`已发送到 ${printers} 台打印机`);
    });
  };
  if (order.paidAt === null) return null;
  return (
    <Act of={reprintOrder}>
      <Button busy={busy} onClick={() => void print()}>
        补打小票
      </Button>
    </Act>
  );
}
