import type { ReactNode } from "react";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import { Group } from "@zhangfang/web/show/over/Detail.tsx";
import type { HardwareKind } from "../contract/index.ts";
import { OutputTable, recordName } from "./OutputTable.tsx";

/** One device over its list: what it is set to, and what it printed or said. */
export function HardwareDrawer({
  kind,
  row,
  pairs,
  footer,
  onClose,
}: {
  kind: HardwareKind;
  row: { readonly id: string; readonly name: string };
  pairs: readonly (readonly [label: string, value: ReactNode])[];
  footer: ReactNode;
  onClose: () => void;
}): ReactNode {
  return (
    <Drawer title={row.name} width={880} onClose={onClose} footer={footer}>
      <Group title="设备" pairs={pairs} />
      <Group title={recordName(kind)}>
        <OutputTable kind={kind} hardwareId={row.id} />
      </Group>
    </Drawer>
  );
}

/** When a device prints or says something by itself, and whether the merchant lets it. */
export function wishes(row: { onPayment: boolean; onRefund: boolean; merchantOff: boolean }): string {
  const on = [row.onPayment && "收款", row.onRefund && "退款"].filter(Boolean).join("、");
  return on === "" ? "仅手动" : row.merchantOff ? `${on}（商户配置已关闭）` : on;
}
