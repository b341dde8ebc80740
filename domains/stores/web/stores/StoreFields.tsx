import type { ReactNode } from "react";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { DecimalInput, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { RegionField } from "@zhangfang/web/form/RegionField.tsx";
import type { Form, FormField } from "@zhangfang/web/form/use-form.ts";
import type { updateStore } from "../../contract/index.ts";
import { OpeningField } from "./OpeningField.tsx";

type Facts = Omit<InputOf<typeof updateStore>, "id" | "version">;
/** A form that has a store's facts among its fields. */
interface FactsForm extends Pick<Form, "errorAt"> {
  field<N extends keyof Facts>(name: N): FormField<Facts[N]>;
}

/** What a store is called, where it is and when it is open, the same in a new one and in a known one. */
export function StoreFields({ form, phone, children }: { form: FactsForm; phone?: string | null; children?: ReactNode }): ReactNode {
  const text = (
    name: "name" | "shortName" | "address" | "phone",
    label: string,
    { optional = true, max = 64, ...more }: { optional?: boolean; help?: string; placeholder?: string; max?: number } = {},
  ) => (
    <Field of={form.field(name)} label={label} optional={optional} {...(more.help && { help: more.help })}>
      {(f) => (
        <TextInput
          {...f}
          value={f.value ?? ""}
          onChange={(given) => f.onChange(given === "" ? undefined : given)}
          maxLength={max}
          placeholder={more.placeholder ?? ""}
        />
      )}
    </Field>
  );
  return (
    <>
      <FormSection title="基本资料">
        {text("name", "门店名称", { optional: false, help: "如：蜀味川菜春熙路店" })}
        {text("shortName", "门店简称", { optional: false, help: "显示在列表和小票上，如：春熙路店", max: 32 })}
        {children}
        {text("phone", "门店电话", { max: 13, ...(phone && { placeholder: phone, help: "不修改请留空" }) })}
      </FormSection>
      <FormSection title="地址">
        <RegionField province={form.field("province")} city={form.field("city")} district={form.field("district")} optional />
        {text("address", "详细地址", { max: 128 })}
        <div className="place">
          <Field of={form.field("latitude")} label="纬度" optional>
            {(f) => <DecimalInput {...f} placeholder="30.657401" />}
          </Field>
          <Field of={form.field("longitude")} label="经度" optional>
            {(f) => <DecimalInput {...f} placeholder="104.065735" />}
          </Field>
        </div>
      </FormSection>
      <FormSection title="营业">
        <OpeningField of={form.field("opening")} errorAt={form.errorAt} />
      </FormSection>
    </>
  );
}
