import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, PickOne, Radios, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { Copy } from "@zhangfang/web/show/Copy.tsx";
import { Group, useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { Drawer } from "@zhangfang/web/show/over/Drawer.tsx";
import {
  bindDevice,
  cashierMode,
  deviceState,
  getDevice,
  getDevices,
  listEquipment,
  summariseDevices,
  updateDeviceInfo,
} from "../../contract/index.ts";

/** A key as it is told once. */
export interface NewKey {
  readonly sn: string;
  readonly key: string;
}

/** 绑定设备: a thing out of stock, by the number on its label, to a store. */
export function BindDrawer({ onClose, onKey }: { onClose: () => void; onKey: (key: NewKey) => void }): ReactNode {
  const form = useForm(bindDevice, {
    initial: { cashierMode: 2 },
    done: "已绑定",
    refreshes: [getDevices, summariseDevices, listEquipment],
    onDone: ({ key }) => {
      onClose();
      onKey({ sn: form.values.sn ?? "", key });
    },
  });
  return (
    <FormDrawer form={form} title="绑定设备" submit="绑定" onClose={onClose}>
      <Field of={form.field("sn")} label="设备编号" help="机身标签上的编号，须在你或该商户的库存里">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={32} placeholder="如：ZF-01-1" />}
      </Field>
      <Field of={form.field("storeId")} label="门店">
        {(f) => <OrgPicker {...f} level="storeId" value={f.value as string} />}
      </Field>
      <Field of={form.field("name")} label="名称" help="显示在订单和交接班里，如 前台收银机">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={32} />}
      </Field>
      <Field of={form.field("cashierMode")} label="收银方式">
        {(f) => <Radios {...f} value={f.value as 1} set={cashierMode} />}
      </Field>
    </FormDrawer>
  );
}

/** 设备密钥: it stands here and nowhere else; closing it is the end of it. */
export function KeyDrawer({ made, onClose }: { made: NewKey; onClose: () => void }): ReactNode {
  return (
    <Drawer title={`设备 ${made.sn} 的密钥`} onClose={onClose}>
      <p role="alert" className="notice notice-warn">
        密钥只显示这一次，请现在写入设备。遗失后只能更换。
      </p>
      <Group
        title="写入设备"
        pairs={[
          ["设备编号", <Copy text={made.sn}>{made.sn}</Copy>],
          [
            "密钥",
            <Copy text={made.key}>
              <code className="num">{made.key}</code>
            </Copy>,
          ],
        ]}
      />
    </Drawer>
  );
}

/** 修改设备. */
export function EditDrawer({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const device = useDetail(getDevice, { id });
  if (device.data) return <EditForm key={device.data.revision} device={device.data} onClose={onClose} />;
  return <WaitingDrawer of={device} title="修改设备" onClose={onClose} />;
}
function EditForm({ device, onClose }: { device: OutputOf<typeof getDevice>; onClose: () => void }): ReactNode {
  const form = useForm(updateDeviceInfo, {
    initial: {
      device_id: device.id,
      revision: device.revision,
      name: device.name,
      cashier_mode: device.cashierMode,
      cashier_id: device.cashierId,
      store_id: device.storeId,
      state: device.state,
    },
    draft: `${device.id}:${device.revision}`,
    done: "已保存设备",
    refreshes: [getDevices, getDevice, summariseDevices],
    onDone: onClose,
    ask: ({ state, store_id }) =>
      state === "disabled" && device.state === "active"
        ? { text: `停用「${device.name}」（${device.sn}）？停用后不能收款，可以再启用。`, ok: "停用", danger: true }
        : store_id !== device.storeId
          ? { text: `把「${device.name}」（${device.sn}）移到另一家门店？收银员会清除，以后的收款算新门店的。`, ok: "移动" }
          : undefined,
  });
  const moves = form.values.store_id !== device.storeId;
  return (
    <FormDrawer form={form} title={`修改设备 ${device.sn}`} submit="保存" onClose={onClose}>
      <Field of={form.field("name")} label="名称">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={32} />}
      </Field>
      <Field of={form.field("store_id")} label="门店" help="只能在同一商户的门店之间移动">
        {(f) => (
          <OrgPicker
            {...f}
            level="storeId"
            value={f.value as string}
            onChange={(store) => form.set({ store_id: store, cashier_id: store === device.storeId ? device.cashierId : null })}
          />
        )}
      </Field>
      <Field of={form.field("cashier_mode")} label="收银方式">
        {(f) => <Radios {...f} value={f.value as 1} set={cashierMode} />}
      </Field>
      {!moves && (
        <Field of={form.field("cashier_id")} label="收银员" optional>
          {(f) => (
            <PickOne
              {...f}
              value={(f.value as string | null) ?? undefined}
              onChange={(one) => form.set({ cashier_id: one ?? null })}
              options={device.cashiers.map((one) => ({ value: one.id, label: one.name }))}
            />
          )}
        </Field>
      )}
      <Field of={form.field("state")} label="状态">
        {(f) => <Pick {...f} value={f.value as "active"} set={deviceState} />}
      </Field>
    </FormDrawer>
  );
}
