import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { ApiError } from "@zhangfang/web/api/api-errors.ts";
import { columns } from "@zhangfang/web/list/table/columns.tsx";
import { DataTable } from "@zhangfang/web/list/table/DataTable.tsx";
import { useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Empty, Failure } from "@zhangfang/web/show/Empty.tsx";
import { Skeleton } from "@zhangfang/web/show/Skeleton.tsx";
import { listOutputs, outputCause, outputStatus, type HardwareKind } from "../contract/index.ts";

const NEWEST = 50;
export const recordName = (kind: HardwareKind): string => (kind === "printer" ? "最近打印" : "最近播报");

/** The newest things that devices were to print or say; asked again while one is on its way. */
export function OutputTable({ kind, hardwareId }: { kind: HardwareKind; hardwareId?: string }): ReactNode {
  const outputs = useDetail(
    listOutputs,
    { kind, pageSize: NEWEST, ...(hardwareId !== undefined && { hardwareId }) },
    { until: ({ items }) => items.every(({ status }) => status > 1) },
  );
  if (outputs.error) return <Failure error={outputs.error as ApiError} retry={() => void outputs.refetch()} />;
  if (!outputs.data) return <Skeleton rows={6} />;
  if (outputs.data.items.length === 0) return <Empty drawing="ledger" text={kind === "printer" ? "还没有打印过" : "还没有播报过"} />;
  const c = columns<RowOf<typeof listOutputs>>();
  return (
    <DataTable
      label={recordName(kind)}
      density="compact"
      rows={outputs.data.items}
      columns={[
        c.time("createdAt", "时间", { width: 168 }),
        ...(hardwareId === undefined ? [c.text("hardwareName", "设备", { width: 96, note: (row) => row.storeName })] : []),
        c.code("cause", "内容", outputCause, { width: 60 }),
        c.text("orderNo", "订单号", { width: 212 }),
        c.code("status", "结果", outputStatus, { width: 88 }),
        c.text("message", "说明", (row) => [row.message, row.tries > 1 && `共发送 ${row.tries} 次`].filter(Boolean).join("，"), {
          width: 112,
        }),
        c.text("byName", "操作人", { width: 80 }),
      ]}
    />
  );
}

/** 最近打印 or 最近播报 of every device in sight. */
export function OutputDrawer({ kind, onClose }: { kind: HardwareKind; onClose: () => void }): ReactNode {
  return (
    <Drawer title={`${recordName(kind)}（${NEWEST} 条以内）`} width={880} onClose={onClose}>
      <OutputTable kind={kind} />
    </Drawer>
  );
}
