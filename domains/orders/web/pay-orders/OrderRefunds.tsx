import type { ReactNode } from "react";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import { refundStatus } from "../../contract/index.ts";
import type { PayOrderDetails } from "./pay-order-details.ts";

/** The refunds of an order, each a way to its own details. */
export function OrderRefunds({ refunds }: { refunds: PayOrderDetails["refunds"] }): ReactNode {
  const c = columns<PayOrderDetails["refunds"][number]>();
  return (
    <Group title={`退款（${refunds.length} 笔）`}>
      <DataTable
        label="本单退款"
        density="compact"
        rows={refunds}
        columns={[
          c.link("refundNo", "退款单号", { to: (row) => `/dataCentre/payRefund?id=${row.id}` }, { width: 236 }),
          c.money("amountCents", "退款（元）", { width: 108 }),
          c.code("status", "状态", refundStatus, { width: 92 }),
          c.text("reason", "原因", { width: 132 }),
          c.text("requestedByName", "申请人", { width: 88 }),
          c.time("createdAt", "申请时间", { width: 168 }),
        ]}
      />
    </Group>
  );
}
