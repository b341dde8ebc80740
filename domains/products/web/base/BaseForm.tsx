import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { addBaseGood, getBaseGood, getBaseGoods, summariseBaseGoods, updateBaseGood } from "../../contract/index.ts";
import { GoodsFields, TaxFields } from "../goods/ProductForm.tsx";
import { type Variant, VariantRows } from "../goods/VariantRows.tsx";

const refreshes = [getBaseGoods, getBaseGood, summariseBaseGoods];

/** 新建基础商品. */
export function AddBaseDrawer({ categories, onClose }: { categories: readonly string[]; onClose: () => void }): ReactNode {
  const form = useForm(addBaseGood, {
    initial: { policy: 0, picture: null, category: null, brand: null, attributes: [], variants: [{ spec: [] }] },
    done: "已新建基础商品",
    refreshes,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="新建基础商品" submit="新建" wide onClose={onClose}>
      <Fields form={form as never} categories={categories} />
    </FormDrawer>
  );
}
/** 修改基础商品: who sells it sees the change in a moment. */
export function EditBaseDrawer({ good, onClose }: { good: OutputOf<typeof getBaseGood>; onClose: () => void }): ReactNode {
  const { id, revision, name, category, brand, unit, taxCode, taxRate, policy, pictureUrl: picture, attributes, variants } = good;
  const form = useForm(updateBaseGood, {
    initial: { id, revision, name, category, brand, unit, taxCode, taxRate, policy, picture, attributes, variants } as never,
    draft: `${id}:${revision}`,
    done: "已保存，在卖的商户随即更新",
    refreshes,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改基础商品 ${name}`} submit="保存" wide onClose={onClose}>
      <Fields form={form as never} categories={[]} />
    </FormDrawer>
  );
}
interface Held {
  readonly id?: string;
  readonly spec: readonly string[];
  readonly barcode?: string | null;
}
function Fields({ form, categories }: { form: Form<typeof addBaseGood>; categories: readonly string[] }): ReactNode {
  const rows = ((form.values.variants ?? []) as readonly Held[]).map(({ barcode, ...row }): Variant => ({
    ...row,
    barcodes: barcode ? [{ barcode, units: 1 }] : [],
  }));
  return (
    <>
      <GoodsFields form={form as never} categories={categories} />
      <Field of={form.field("brand")} label="品牌" optional>
        {(f) => (
          <TextInput
            {...f}
            value={(f.value as string | null) ?? ""}
            onChange={(value) => f.onChange((value || null) as never)}
            maxLength={24}
          />
        )}
      </Field>
      <FormSection title="规格与条码">
        <VariantRows
          attributes={(form.values.attributes ?? []) as string[]}
          rows={rows}
          errorAt={form.errorAt}
          field="variants"
          change={(attributes, variants) =>
            form.set({
              attributes: [...attributes],
              variants: variants.map(({ id, spec, barcodes }) => ({
                ...(id !== undefined && { id }),
                spec: [...spec],
                barcode: barcodes[0]?.barcode ?? null,
              })),
            } as never)
          }
        />
      </FormSection>
      <TaxFields form={form as never} />
    </>
  );
}
