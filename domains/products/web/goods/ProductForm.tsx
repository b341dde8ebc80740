import type { ReactNode } from "react";
import { Suggest } from "@zhangfang/web/select/Suggest.tsx";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { PictureInput } from "@zhangfang/web/form/files/PictureInput.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { Pick, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import {
  addProduct,
  getProduct,
  getProducts,
  inherited,
  PICTURE_MOST,
  summariseProducts,
  taxPolicy,
  taxRate,
  updateProduct,
} from "../../contract/index.ts";
import { uploadPicture } from "../words.tsx";
import { type Variant, VariantRows } from "./VariantRows.tsx";

const refreshes = [getProducts, summariseProducts, getProduct];

/** 新建商品. */
export function AddProductDrawer({ categories, onClose }: { categories: readonly string[]; onClose: () => void }): ReactNode {
  const form = useForm(addProduct, {
    initial: { policy: 0, picture: null, category: null, attributes: [], onSale: true, skus: [{ spec: [], barcodes: [] }] as never },
    done: "已新建商品",
    refreshes,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title="新建商品" submit="新建" wide onClose={onClose}>
      <GoodsFields form={form as never} categories={categories} />
      <Variants form={form as never} />
      <Flags form={form as never} />
      <Field of={form.field("onSale")} label="上架">
        {(f) => <Switch {...f} label="收银机马上可以卖" />}
      </Field>
      <TaxFields form={form as never} />
    </FormDrawer>
  );
}

/** 修改商品, all its SKUs; what it inherits is said and may be had back. */
export function EditProductDrawer({
  id,
  categories,
  onClose,
}: {
  id: string;
  categories: readonly string[];
  onClose: () => void;
}): ReactNode {
  const product = useDetail(getProduct, { id });
  if (product.data) return <EditForm key={product.data.revision} product={product.data} categories={categories} onClose={onClose} />;
  return <WaitingDrawer of={product} title="修改商品" width={880} onClose={onClose} />;
}
function EditForm({
  product: p,
  categories,
  onClose,
}: {
  product: OutputOf<typeof getProduct>;
  categories: readonly string[];
  onClose: () => void;
}): ReactNode {
  const {
    id,
    revision,
    name,
    category,
    unit,
    taxCode,
    taxRate: rate,
    policy,
    pictureUrl: picture,
    weighed,
    gift,
    noDiscount,
    attributes,
  } = p;
  const skus = p.skus.map(({ id: sku, skuNo, spec, sort, barcodes }) => ({ id: sku, skuNo, spec, sort, barcodes }));
  const form = useForm(updateProduct, {
    initial: {
      id,
      revision,
      name,
      category,
      unit,
      taxCode,
      taxRate: rate,
      policy,
      picture,
      weighed,
      gift,
      noDiscount,
      attributes,
      skus,
      inherit: [],
    } as never,
    draft: `${id}:${revision}`,
    done: "已保存",
    refreshes,
    onDone: onClose,
    ask: (values) => {
      const gone = skus.filter((sku) => !(values.skus as readonly Variant[]).some((one) => one.id === sku.id));
      return gone.length === 0
        ? undefined
        : {
            text: `删除 ${gone.length} 个规格：${gone.map((one) => one.spec.join(" / ") || one.skuNo).join("、")}？收银机不再出现，编码不能再用。`,
            ok: "删除并保存",
            danger: true,
          };
    },
  });
  return (
    <FormDrawer form={form} title={`修改商品 ${name}`} submit="保存" wide onClose={onClose}>
      {p.baseId !== null && (
        <Inherits product={p} back={(form.values.inherit ?? []) as string[]} take={(inherit) => form.set({ inherit } as never)} />
      )}
      <GoodsFields form={form as never} categories={categories} />
      <Variants form={form as never} />
      <Flags form={form as never} />
      <TaxFields form={form as never} />
    </FormDrawer>
  );
}

/** What follows the base good, and what may go back to it. */
function Inherits({
  product: { withdrawn, own },
  back,
  take,
}: {
  product: OutputOf<typeof getProduct>;
  back: readonly string[];
  take: (inherit: readonly string[]) => void;
}): ReactNode {
  const words = own.length === 0 ? "名称、单位、税务、图片都跟着它变" : "其余跟着它变";
  return (
    <div className="variant-inherit">
      <span>{withdrawn ? "服务商已收回，不能上架" : `来自基础商品，${words}`}</span>
      {!withdrawn &&
        own.map((what) => (
          <Button key={what} small disabled={back.includes(what)} onClick={() => take([...back, what])}>
            {back.includes(what) ? `${inherited.label(what)}将恢复继承` : `${inherited.label(what)}恢复继承`}
          </Button>
        ))}
    </div>
  );
}

type GoodsForm = Form<typeof addProduct>;
/** What products and base goods both have. */
export function GoodsFields({ form, categories }: { form: GoodsForm; categories: readonly string[] }): ReactNode {
  return (
    <FormSection title="商品">
      <Field of={form.field("name")} label="名称">
        {(f) => <TextInput {...f} value={f.value as string} maxLength={64} placeholder="如：茉莉奶绿" />}
      </Field>
      <Field of={form.field("category")} label="分类" optional>
        {(f) => (
          <Suggest
            className="pick"
            id={f.id}
            allowClear
            maxLength={24}
            options={categories.map((value) => ({ value }))}
            showSearch={{ filterOption: true }}
            placeholder="选一个，或写新的"
            value={(f.value as string | null) ?? undefined}
            onChange={(value?: string) => f.onChange((value || null) as never)}
          />
        )}
      </Field>
      <Field of={form.field("unit")} label="单位" optional>
        {(f) => (
          <TextInput
            {...f}
            value={(f.value as string | null) ?? ""}
            onChange={(value) => f.onChange((value || null) as never)}
            maxLength={8}
            placeholder="杯、瓶、千克"
          />
        )}
      </Field>
      <Field of={form.field("picture")} label="图片" optional help="PNG 或 JPEG，正方形最好看">
        {(f) => (
          <PictureInput
            {...f}
            value={f.value as string | null}
            onChange={(url) => f.onChange((url ?? null) as never)}
            name="商品图片"
            most={PICTURE_MOST}
            upload={uploadPicture}
          />
        )}
      </Field>
    </FormSection>
  );
}
/** 税务: for invoices. */
export function TaxFields({ form }: { form: GoodsForm }): ReactNode {
  return (
    <FormSection title="税务">
      <Field of={form.field("taxCode")} label="税收分类编码" optional help="19 位，开电子发票用">
        {(f) => (
          <TextInput
            {...f}
            value={(f.value as string | null) ?? ""}
            onChange={(value) => f.onChange((value || null) as never)}
            inputMode="numeric"
            maxLength={19}
          />
        )}
      </Field>
      <Field of={form.field("taxRate")} label="税率" optional>
        {(f) => (
          <Pick
            {...f}
            value={(f.value as 0 | null) ?? undefined}
            onChange={(value) => f.onChange((value ?? null) as never)}
            set={taxRate}
          />
        )}
      </Field>
      <Field of={form.field("policy")} label="税收优惠政策" optional>
        {(f) => <Pick {...f} value={f.value as 0} set={taxPolicy} />}
      </Field>
    </FormSection>
  );
}
function Flags({ form }: { form: GoodsForm }): ReactNode {
  return (
    <FormSection title="特性">
      <Field of={form.field("weighed")} label="称重">
        {(f) => <Switch {...f} value={f.value as boolean} label="按秤码里的价格卖，条码填秤码的商品段" />}
      </Field>
      <Field of={form.field("gift")} label="赠品">
        {(f) => <Switch {...f} value={f.value as boolean} label="可以是 0 元" />}
      </Field>
      <Field of={form.field("noDiscount")} label="不参与优惠">
        {(f) => <Switch {...f} value={f.value as boolean} label="优惠券和会员折扣不减它" />}
      </Field>
    </FormSection>
  );
}
function Variants({ form }: { form: GoodsForm }): ReactNode {
  return (
    <FormSection title="规格、条码与价格">
      <VariantRows
        attributes={(form.values.attributes ?? []) as string[]}
        rows={(form.values.skus ?? []) as never}
        errorAt={form.errorAt}
        field="skus"
        priced
        change={(attributes, skus) => form.set({ attributes: [...attributes], skus: [...skus] } as never)}
      />
    </FormSection>
  );
}
