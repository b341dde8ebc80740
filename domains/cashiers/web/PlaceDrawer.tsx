import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { PickOne } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { bindCashier, getCashier, getCashiers, summariseCashiers } from "../contract.ts";

/** 绑定设备: the device of the store at which a cashier works; another one takes him from the one before. */
export function PlaceDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const cashier = useDetail(getCashier, { id });
  if (cashier.data) return <Place key={cashier.data.revision} cashier={cashier.data} onClose={onClose} />;
  return <WaitingDrawer of={cashier} title="绑定设备" onClose={onClose} />;
}

function Place({ cashier, onClose }: { cashier: OutputOf<typeof getCashier>; onClose: () => void }): ReactNode {
  const form = useForm(bindCashier, {
    initial: { id: cashier.id, ...(cashier.deviceId !== null && { deviceId: cashier.deviceId }) },
    draft: false,
    done: "已绑定设备",
    refreshes: [getCashiers, getCashier, summariseCashiers],
    onDone: onClose,
    check: ({ deviceId }) => (deviceId === undefined ? { deviceId: "请选择设备" } : undefined),
  });
  const free = cashier.devices.filter((one) => one.cashierName === null || one.id === cashier.deviceId);
  const taken = cashier.devices.length - free.length;
  return (
    <FormDrawer form={form} title={`${cashier.name} 绑定设备`} submit="绑定" onClose={onClose}>
      <Field
        of={form.field("deviceId")}
        label="设备"
        help={`${cashier.storeName}的设备，一人一台${taken > 0 ? `；另有 ${taken} 台由别的收银员使用` : ""}`}
      >
        {(f) => (
          <PickOne {...f} value={f.value as string} options={free.map((one) => ({ value: one.id, label: `${one.name} · ${one.sn}` }))} />
        )}
      </Field>
    </FormDrawer>
  );
}
