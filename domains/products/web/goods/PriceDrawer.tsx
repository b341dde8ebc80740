import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { MomentInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, Radios, Switch } from "@zhangfang/web/form/inputs.tsx";
import { type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { useDetail, WaitingDrawer } from "@zhangfang/web/show/over/Detail.tsx";
import { changePrice, getProduct, getProducts, getShelf, getShelfItem, isFar, summariseProducts } from "../../contract/index.ts";

const when = labelled({ now: "立即", later: "指定时间" });

/** 改价 of the merchant. */
export function PriceDrawer({ skuId, onClose }: { skuId: string; onClose: () => void }): ReactNode {
  const product = useDetail(getProduct, { id: skuId });
  if (!product.data) return <WaitingDrawer of={product} title="改价" onClose={onClose} />;
  const { name, spec, skuNo, priceCents, memberCents } = product.data;
  return (
    <PriceForm
      title={`改价 ${[name, spec].filter(Boolean).join(" ")}（${skuNo}）`}
      skuId={skuId}
      storeId={null}
      now={{ priceCents, memberCents }}
      onClose={onClose}
    />
  );
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
function PriceForm({
  title,
  skuId,
  storeId,
  now,
  above,
  onClose,
}: {
  title: string;
  skuId: string;
  storeId: string | null;
  now: Prices;
  above?: Prices;
  onClose: () => void;
}): ReactNode {
  const [moment, setMoment] = useState<"now" | "later">("now");
  const form = useForm(changePrice, {
    initial: { skuId, storeId, priceCents: now.priceCents as never, memberCents: now.memberCents as never, confirmed: false },
    draft: false,
    done: moment === "now" ? "已改价" : "已定改价",
    refreshes: [getProducts, getProduct, getShelf, getShelfItem, summariseProducts],
    onDone: onClose,
    check: ({ from }) => (moment === "later" && !from ? { from: "请选择生效时间" } : undefined),
  });
  const own = storeId === null;
  const help = (cents: number | null | undefined, none: string): string => `留空则同商户 ${shown(cents, none)}`;
  return (
    <FormDrawer form={form} title={title} submit={moment === "now" ? "立即改价" : "定时改价"} onClose={onClose}>
      <Amount
        of={form.field("priceCents") as FormField}
        label="售价"
        optional={!own}
        help={own ? `现在 ${shown(now.priceCents)}` : help(above?.priceCents, "")}
      />
      <Amount
        of={form.field("memberCents") as FormField}
        label="会员价"
        optional
        help={own ? `现在 ${shown(now.memberCents, "没有会员价")}，留空则没有` : help(above?.memberCents, "（没有会员价）")}
      />
      <Begins
        of={form.field("from") as FormField}
        moment={moment}
        change={(to, from) => {
          setMoment(to);
          form.set({ from: from as never });
        }}
      />
      {farOf(form.values as Partial<Prices>, now, above) && (
        <Field
          of={form.field("confirmed")}
          label="变动超过 50%"
          help={`售价由 ${shown(now.priceCents ?? above?.priceCents)} 改为 ${shown(form.values.priceCents ?? above?.priceCents)}`}
        >
          {(f) => <Switch {...f} label="确认大幅改价" />}
        </Field>
      )}
    </FormDrawer>
  );
}
const shown = (cents: number | null | undefined, none = ""): string => (cents === null || cents === undefined ? none : `¥${yuan(cents)}`);
/** Whether so much is to be confirmed; nothing given at a store is the merchant's. */
function farOf({ priceCents, memberCents }: Partial<Prices>, now: Prices, above: Prices | undefined): boolean {
  const [old, oldMember] = [now.priceCents ?? above?.priceCents ?? 0, now.memberCents ?? above?.memberCents ?? null];
  return (
    isFar(old, priceCents ?? above?.priceCents ?? old) ||
    (oldMember !== null && typeof memberCents === "number" && isFar(oldMember, memberCents))
  );
}

/** An amount that may be none. */
function Amount({ of, label, optional, help }: { of: FormField; label: string; optional: boolean; help: string }): ReactNode {
  return (
    <Field of={of} label={label} optional={optional} help={help}>
      {(f) => <MoneyInput {...f} value={(f.value as number | null) ?? undefined} onChange={(value) => f.onChange(value ?? null)} />}
    </Field>
  );
}
/** 生效: at once, or at a minute in Shanghai. */
function Begins({
  of,
  moment,
  change,
}: {
  of: FormField;
  moment: "now" | "later";
  change: (moment: "now" | "later", from?: string) => void;
}): ReactNode {
  const choose = (value: unknown): void => change(value as "now");
  return (
    <>
      <Field
        of={{ name: "when", value: moment, error: undefined, set: choose }}
        label="生效"
        help="收银机提前 48 小时知道，到点自己换价，断网也准"
      >
        {(f) => <Radios {...f} value={moment} onChange={choose} set={when} />}
      </Field>
      {moment === "later" && (
        <Field of={of} label="生效时间">
          {(f) => <MomentInput {...f} value={f.value as string} onChange={(at) => change("later", at ?? undefined)} />}
        </Field>
      )}
    </>
  );
}
