import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, Radios, Switch } from "@zhangfang/web/form/inputs.tsx";
import { useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { changePrice, getProduct, getProducts, getShelf, getShelfItem, summariseProducts } from "../../contract/index.ts";

const when = labelled({ now: "立即", later: "指定时间" });

/** 改价 of the merchant. */
export function PriceDrawer({ skuId, onClose }: { skuId: string; onClose: () => void }): ReactNode {
  const product = useDetail(getProduct, { id: skuId });
  if (!product.data) return <WaitingDrawer of={product} title="改价" onClose={onClose} />;
  const { name, spec, skuNo, priceCents, memberCents } = product.data;
  return <PriceForm title={`改价 ${[name, spec].filter(Boolean).join(" ")}（${skuNo}）`} skuId={skuId} storeId={null} now={{ priceCents, memberCents }} onClose={onClose} />;
}
/** 改价 of one store; an empty price is the merchant's. */
export function StorePriceDrawer({ item, onClose }: { item: OutputOf<typeof getShelfItem>; onClose: () => void }): ReactNode {
  const { id, storeId, storeName, name, ownPriceCents, ownMemberCents, merchantPriceCents, merchantMemberCents } = item;
  return (
    <PriceForm
      title={`${storeName}改价 ${name}`}
      skuId={id}
      storeId={storeId}
      now={{ priceCents: ownPriceCents, memberCents: ownMemberCents }}
      above={{ priceCents: merchantPriceCents, memberCents: merchantMemberCents }}
      onClose={onClose}
    />
  );
}

interface Prices {
  readonly priceCents: number | null;
  readonly memberCents: number | null;
}
function PriceForm({ title, skuId, storeId, now, above, onClose }: { title: string; skuId: string; storeId: string | null; now: Prices; above?: Prices; onClose: () => void }): ReactNode {
  const [moment, setMoment] = useState<"now" | "later">("now");
  const [typed, setTyped] = useState("");
  const form = useForm(changePrice, {
    initial: { skuId, storeId, priceCents: now.priceCents as never, memberCents: now.memberCents as never, confirmed: false },
    draft: false,
    done: moment === "now" ? "已改价" : "已定改价",
    refreshes: [getProducts, getProduct, getShelf, getShelfItem, summariseProducts],
    onDone: onClose,
    check: ({ from }) => (moment === "later" && !from ? { from: "请选择生效时间" } : undefined),
  });
  const later = (text: string): void => {
    setTyped(text);
    form.set({ from: (text === "" ? undefined : new Date(`${text}:00+08:00`).toISOString()) as never });
  };
  const [price, member] = [form.values.priceCents, form.values.memberCents];
  const old = now.priceCents ?? above?.priceCents ?? 0;
  const oldMember = now.memberCents ?? above?.memberCents;
  const far = isFar(old, price ?? above?.priceCents ?? old) || (oldMember !== null && oldMember !== undefined && typeof member === "number" && isFar(oldMember, member));
  const shown = (cents: number | null | undefined, none: string): string => (cents === null || cents === undefined ? none : `¥${yuan(cents)}`);
  return (
    <FormDrawer form={form} title={title} submit={moment === "now" ? "立即改价" : "定时改价"} onClose={onClose}>
      <Field
        of={form.field("priceCents")}
        label="售价"
        optional={storeId !== null}
        help={storeId === null ? `现在 ${shown(now.priceCents, "")}` : `留空则同商户售价 ${shown(above?.priceCents, "")}`}
      >
        {(f) => <MoneyInput {...f} value={(f.value as number | null) ?? undefined} onChange={(value) => f.onChange((value ?? null) as never)} />}
      </Field>
      <Field
        of={form.field("memberCents")}
        label="会员价"
        optional
        help={storeId === null ? `现在 ${shown(now.memberCents, "没有会员价")}，留空则没有` : `留空则同商户会员价 ${shown(above?.memberCents, "（没有）")}`}
      >
        {(f) => <MoneyInput {...f} value={(f.value as number | null) ?? undefined} onChange={(value) => f.onChange((value ?? null) as never)} />}
      </Field>
      <Field
        of={{
          name: "when",
          value: moment,
          error: undefined,
          set: (value) => {
            setMoment(value as "now");
            later("");
          },
        }}
        label="生效"
        help="收银机提前 48 小时知道，到点自己换价，断网也准"
      >
        {(f) => <Radios {...f} set={when} />}
      </Field>
      {moment === "later" && (
        <Field of={form.field("from")} label="生效时间">
          {(f) => (
            <input type="datetime-local" className="input num" id={f.id} aria-invalid={f["aria-invalid"]} aria-describedby={f["aria-describedby"]} value={typed} onChange={(event) => later(event.target.value)} />
          )}
        </Field>
      )}
      {far && (
        <Field of={form.field("confirmed")} label="变动超过 50%" help={`由 ${shown(old, "")} 改为 ${shown(price ?? above?.priceCents, "")}`}>
          {(f) => <Switch {...f} label="确认大幅改价" />}
        </Field>
      )}
    </FormDrawer>
  );
}
const isFar = (before: number, after: number): boolean => Math.abs(after - before) * 2 > before;
