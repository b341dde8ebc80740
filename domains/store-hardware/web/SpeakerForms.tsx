import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm, type FormField } from "@zhangfang/web/form/use-form.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import { bindSpeaker, listSpeakers, updateSpeaker } from "../contract/index.ts";

/** 绑定云喇叭: number and version stand on its label. */
export function BindSpeaker({ onClose, onDone }: { onClose: () => void; onDone: (id: string) => void }): ReactNode {
  const form = useForm(bindSpeaker, {
    initial: { name: "", protocol: 1, volume: 80, onPayment: true, onRefund: false },
    draft: "new",
    done: "已绑定，可以测试播报",
    refreshes: [listSpeakers],
    onDone: ({ id }) => onDone(id),
  });
  return (
    <FormDrawer form={form} title="绑定云喇叭" submit="绑定" onClose={onClose}>
      <FormSection title="设备">
        <Field of={form.field("storeId")} label="门店">
          {(f) => <OrgPicker {...f} level="storeId" />}
        </Field>
        <Field of={form.field("sn")} label="编号" help="机身标签上的 SN 或 ID；品牌为博瑞皓科，须为流量版（2G、4G）">
          {(f) => <TextInput {...f} autoComplete="off" maxLength={32} />}
        </Field>
        <Field of={form.field("protocol")} label="接口版本" help="机身标签上的 VERSION，1 到 9">
          {(f) => <NumberInput {...f} />}
        </Field>
      </FormSection>
      <Speaking
        name={form.field("name")}
        volume={form.field("volume")}
        onPayment={form.field("onPayment")}
        onRefund={form.field("onRefund")}
      />
    </FormDrawer>
  );
}

/** 修改云喇叭. */
export function EditSpeaker({ row, onClose }: { row: RowOf<typeof listSpeakers>; onClose: () => void }): ReactNode {
  const { id, version, name, volume, onPayment, onRefund } = row;
  const form = useForm(updateSpeaker, {
    initial: { id, version, name, volume, onPayment, onRefund },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listSpeakers],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改云喇叭 ${name}`} submit="保存" onClose={onClose}>
      <Speaking
        name={form.field("name")}
        volume={form.field("volume")}
        onPayment={form.field("onPayment")}
        onRefund={form.field("onRefund")}
      />
    </FormDrawer>
  );
}

function Speaking(of: {
  name: FormField<string>;
  volume: FormField<number | undefined>;
  onPayment: FormField<boolean | undefined>;
  onRefund: FormField<boolean | undefined>;
}): ReactNode {
  return (
    <FormSection title="播报">
      <Field of={of.name} label="名称" help="如：收银台">
        {(f) => <TextInput {...f} maxLength={20} />}
      </Field>
      <Field of={of.volume} label="音量" help="0 到 100，从下一次播报起生效">
        {(f) => <NumberInput {...f} />}
      </Field>
      <Field of={of.onPayment} label="收款后播报" help="如：微信收款 12.50 元">
        {(f) => <Switch {...f} />}
      </Field>
      <Field of={of.onRefund} label="退款到账后播报">
        {(f) => <Switch {...f} />}
      </Field>
    </FormSection>
  );
}
