import type { ReactNode } from "react";
import type { InputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { RegionField } from "@zhangfang/web/form/RegionField.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { TradeField } from "../../../../reference/web/index.ts";
import type { updateMerchant } from "../../../contract/index.ts";

type Facts = Pick<
  InputOf<typeof updateMerchant>,
  "name" | "shortName" | "trade" | "province" | "city" | "address" | "servicePhone" | "licenceNo" | "legalPerson"
>;
interface FactsForm {
  field(name: keyof Facts): FormField<string>;
}

/** What a merchant is called and where it is, the same in a new one and in a known one. */
export function MerchantFields({ form, legalPerson }: { form: FactsForm; legalPerson?: string | null }): ReactNode {
  const text = (name: keyof Facts, label: string, more: { optional?: boolean; help?: string; placeholder?: string; max?: number } = {}) => (
    <Field of={form.field(name)} label={label} optional={more.optional ?? true} {...(more.help && { help: more.help })}>
      {(f) => (
        <TextInput
          {...f}
          value={f.value ?? ""}
          onChange={(given) => f.onChange(given === "" ? undefined : given)}
          maxLength={more.max ?? 64}
          placeholder={more.placeholder ?? ""}
        />
      )}
    </Field>
  );
  return (
    <FormSection title="基本资料">
      {text("name", "商户名称", { optional: false, help: "营业执照上的全称" })}
      {text("shortName", "商户简称", { optional: false, help: "显示在列表、小票和顾客账单上", max: 32 })}
      <TradeField of={form.field("trade")} />
      <RegionField province={form.field("province")} city={form.field("city")} optional />
      {text("address", "地址", { max: 128 })}
      {text("servicePhone", "客服电话", { help: "顾客在账单里看到的电话" })}
      {text("licenceNo", "统一社会信用代码", { max: 18 })}
      {text("legalPerson", "法定代表人", { max: 32, ...(legalPerson && { placeholder: legalPerson, help: "不修改请留空" }) })}
    </FormSection>
  );
}
