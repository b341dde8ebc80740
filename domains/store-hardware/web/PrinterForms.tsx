import type { ReactNode } from "react";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { NumberInput, Radios, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { useForm, type FormField } from "@zhangfang/web/form/use-form.ts";
import { OrgPicker } from "@zhangfang/web/filter/OrgFilter.tsx";
import {
  bindPrinter,
  listPrinters,
  paperWidth,
  printerVendor,
  receiptTemplate,
  updatePrinter,
  type PaperWidth,
  type ReceiptTemplate,
} from "../contract/index.ts";

/** 绑定云打印机: number and key stand on its label; the maker checks them. No draft keeps the key. */
export function BindPrinter({ onClose, onDone }: { onClose: () => void; onDone: (id: string) => void }): ReactNode {
  const form = useForm(bindPrinter, {
    initial: { vendor: "feie", name: "", template: "full", paperWidth: 58, copies: 1, onPayment: true, onRefund: false },
    draft: "new",
    secrets: ["key"],
    done: "已绑定，可以测试打印",
    refreshes: [listPrinters],
    onDone: ({ id }) => onDone(id),
  });
  return (
    <FormDrawer form={form} title="绑定云打印机" submit="绑定" onClose={onClose}>
      <FormSection title="设备">
        <Field of={form.field("storeId")} label="门店">
          {(f) => <OrgPicker {...f} level="storeId" />}
        </Field>
        <Field of={form.field("vendor")} label="品牌">
          {(f) => <Radios {...f} set={printerVendor} />}
        </Field>
        <Field of={form.field("sn")} label="编号" help={form.values.vendor === "yilian" ? "机身标签上的终端号" : "机身标签上的 SN"}>
          {(f) => <TextInput {...f} autoComplete="off" maxLength={32} />}
        </Field>
        <Field of={form.field("key")} label="密钥" help="机身标签上的 KEY 或密钥，保存后不再显示">
          {(f) => <TextInput {...f} type="password" autoComplete="new-password" maxLength={32} />}
        </Field>
      </FormSection>
      <Printing
        name={form.field("name")}
        template={form.field("template")}
        paper={form.field("paperWidth")}
        copies={form.field("copies")}
        onPayment={form.field("onPayment")}
        onRefund={form.field("onRefund")}
      />
    </FormDrawer>
  );
}

/** 修改云打印机. */
export function EditPrinter({ row, onClose }: { row: RowOf<typeof listPrinters>; onClose: () => void }): ReactNode {
  const { id, version, name, template, copies, onPayment, onRefund } = row;
  const form = useForm(updatePrinter, {
    initial: { id, version, name, template, paperWidth: row.paperWidth, copies, onPayment, onRefund },
    draft: `${id}:${version}`,
    done: "已保存",
    refreshes: [listPrinters],
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改云打印机 ${name}`} submit="保存" onClose={onClose}>
      <Printing
        name={form.field("name")}
        template={form.field("template")}
        paper={form.field("paperWidth")}
        copies={form.field("copies")}
        onPayment={form.field("onPayment")}
        onRefund={form.field("onRefund")}
      />
    </FormDrawer>
  );
}

function Printing(of: {
  name: FormField<string>;
  template: FormField<ReceiptTemplate | undefined>;
  paper: FormField<PaperWidth | undefined>;
  copies: FormField<number | undefined>;
  onPayment: FormField<boolean | undefined>;
  onRefund: FormField<boolean | undefined>;
}): ReactNode {
  return (
    <FormSection title="打印">
      <Field of={of.name} label="名称" help="如：前台、后厨">
        {(f) => <TextInput {...f} maxLength={20} />}
      </Field>
      <Field of={of.template} label="模板" help="完整小票含商品、优惠、收银员和通道单号">
        {(f) => <Radios {...f} set={receiptTemplate} />}
      </Field>
      <Field of={of.paper} label="纸宽">
        {(f) => <Radios {...f} set={paperWidth} />}
      </Field>
      <Field of={of.copies} label="联数">
        {(f) => <NumberInput {...f} unit="联" />}
      </Field>
      <Field of={of.onPayment} label="收款后自动打印">
        {(f) => <Switch {...f} />}
      </Field>
      <Field of={of.onRefund} label="退款到账后自动打印">
        {(f) => <Switch {...f} />}
      </Field>
    </FormSection>
  );
}
