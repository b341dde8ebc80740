import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { call } from "@zhangfang/web/api/api.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormBody } from "@zhangfang/web/form/FormDrawer.tsx";
import { MomentInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, NumberInput, PickOne, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, useForm } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { addPackage, ALONE_CENTS, listPackable } from "../../contract/index.ts";
import { counted, endOf } from "../campaigns/campaign-words.ts";
import { READS } from "./PackageActs.tsx";
import { sayPackage } from "./package-words.ts";

type PackageForm = Form<typeof addPackage>;
type Packable = OutputOf<typeof listPackable>["items"][number];
const ways = labelled({ free: "免费领", paid: "卖" });
const MOST = 10;
const usePackable = () => useQuery({ queryKey: [listPackable.path], queryFn: ({ signal }) => call(listPackable, {}, { signal }) });
const number = (n: number | null | undefined): number | undefined => (n === null || n === undefined || Number.isNaN(n) ? undefined : n);

const blank = () => {
  const today = shanghaiDay(Date.now());
  return {
    name: "",
    note: "",
    priceCents: null,
    items: [{ campaignId: "", count: 1 }],
    perPerson: 1,
    perPersonDay: null,
    perDay: null,
    beginsAt: dayStart(today) as never,
    endsAt: dayStart(addDays(today, 30)) as never,
  };
};
/** 新建券包: on the left what it is, on the right what that says and what it may cost. */
export function PackageNew({ onClose }: { onClose: () => void }): ReactNode {
  const packable = usePackable();
  const form = useForm(addPackage, {
    initial: blank(),
    draft: "new",
    refreshes: [...READS, listPackable],
    done: "已提交，等另一人审核",
    onDone: onClose,
    check: ({ beginsAt, endsAt }) => (beginsAt && endsAt && endsAt <= beginsAt ? { endsAt: "领取的结束要晚于开始" } : undefined),
  });
  const known = packable.data?.items ?? [];
  const most = mostOf(form, known);
  const back = async (): Promise<void> => {
    if (await form.mayClose()) onClose();
  };
  return (
    <section className="form-screen form-screen-wide coupon-new">
      <header className="screen-head">
        <h1>新建券包</h1>
        <div className="screen-acts">
          <Button onClick={() => void back()}>返回列表</Button>
        </div>
      </header>
      <FormBody form={form}>
        <div className="coupon-grid">
          <div className="sheet coupon-fields">
            <WhatFields form={form} of={known} waits={packable.isSuccess} />
            <CountFields form={form} />
          </div>
          <Aside form={form} of={known} />
        </div>
      </FormBody>
      <div className="save-bar coupon-bar">
        <span className="coupon-bar-note">提交后，另一人审核通过才开始发；提交了就不能改</span>
        <Button disabled={!form.dirty} onClick={form.discard}>
          清空
        </Button>
        <Button tone="primary" type="submit" form={form.formId} busy={form.busy}>
          {most ? `提交审核 · 最高 ${yuan(most.cents)} 元` : "提交审核"}
        </Button>
      </div>
    </section>
  );
}
/** What all of it may cost, whatever it is sold for; nothing while a part of it is missing. */
function mostOf(
  form: PackageForm,
  known: readonly Packable[],
): { readonly each: number; readonly total: number; readonly cents: number } | undefined {
  const { items = [], total } = form.values;
  const parts = items.map(({ campaignId, count }) => (known.find(({ id }) => id === campaignId)?.valueCents ?? Number.NaN) * count);
  const each = parts.reduce((sum, part) => sum + part, 0);
  if (number(total) === undefined || items.length === 0 || Number.isNaN(each)) return undefined;
  return { each, total: total!, cents: each * total! };
}

function WhatFields({ form, of, waits }: { form: PackageForm; of: readonly Packable[]; waits: boolean }): ReactNode {
  // The price that was typed before, where somebody looks at the other way and comes back.
  const before = useRef<number | undefined>(undefined);
  const { priceCents } = form.values;
  const free = priceCents === null;
  const choose = (way: "free" | "paid"): void => {
    if (!free) before.current = number(priceCents);
    form.set({ priceCents: (way === "free" ? null : before.current) as never });
  };
  return (
    <FormSection title="券包">
      <Field of={form.field("name")} label="券包名称" help="顾客在手机上看到的名字">
        {(f) => <TextInput {...f} maxLength={20} placeholder="如：早餐包" />}
      </Field>
      {waits && of.length === 0 && <p className="notice notice-warn">没有发放中的优惠券，请先新建并审核一张</p>}
      <Items form={form} of={of} />
      <Segments label="怎么发" set={ways} value={free ? "free" : "paid"} onChange={choose} />
      {!free && (
        <div className="coupon-row">
          <Field of={form.field("priceCents")} label="售价" help="没用的券可以退，按每张最多能减多少分摊">
            {(f) => <MoneyInput {...f} value={f.value as number} onChange={(cents) => f.onChange(cents as never)} />}
          </Field>
        </div>
      )}
      <Field of={form.field("note")} label="说明" optional>
        {(f) => <TextArea {...f} maxLength={200} rows={2} />}
      </Field>
    </FormSection>
  );
}
/** Which coupons, and how many of each. */
function Items({ form, of }: { form: PackageForm; of: readonly Packable[] }): ReactNode {
  const items = form.values.items ?? [];
  const set = (next: typeof items): void => form.set({ items: next });
  const change = (at: number, more: Partial<(typeof items)[number]>): void =>
    set(items.map((old, n) => (n === at ? { ...old, ...more } : old)));
  return (
    <div data-field="items" role="group" aria-label="里面的券" className="package-items">
      {items.map((item, at) => {
        const campaign = of.find(({ id }) => id === item.campaignId);
        const wrong = form.errorAt(`items.${at}.campaignId`);
        const others = items.filter((_one, n) => n !== at).map(({ campaignId }) => campaignId);
        return (
          <div key={at} className="package-item">
            <Field
              of={{
                name: `items.${at}.campaignId`,
                value: item.campaignId || undefined,
                error: item.campaignId ? wrong : wrong && "请选择一种券",
                set: (id) => change(at, { campaignId: id ?? "" }),
              }}
              label={`券 ${at + 1}`}
              {...(campaign && {
                help: `每张最多减 ${yuan(campaign.valueCents)} 元，还剩 ${counted(campaign.left)} 张，发到 ${endOf(campaign.endsAt)}`.trim(),
              })}
            >
              {(f) => (
                <PickOne
                  {...f}
                  value={f.value as string}
                  options={of
                    .filter(({ id }) => !others.includes(id))
                    .map(({ id, name, worth }) => ({ value: id, label: `${name} · ${worth}` }))}
                />
              )}
            </Field>
            <Field
              of={{
                name: `items.${at}.count`,
                value: item.count,
                error: form.errorAt(`items.${at}.count`),
                set: (count) => change(at, { count: count ?? Number.NaN }),
              }}
              label="张数"
            >
              {(f) => <NumberInput {...f} unit="张" />}
            </Field>
            {items.length > 1 && (
              <Button tone="link" aria-label={`去掉券 ${at + 1}`} onClick={() => set(items.filter((_one, n) => n !== at))}>
                去掉
              </Button>
            )}
          </div>
        );
      })}
      {items.length < MOST && items.length < of.length && (
        <div>
          <Button tone="link" onClick={() => set([...items, { campaignId: "", count: 1 }])}>
            加一种券
          </Button>
        </div>
      )}
    </div>
  );
}
function CountFields({ form }: { form: PackageForm }): ReactNode {
  return (
    <FormSection title="发多少，什么时候">
      <div className="coupon-row">
        <Field of={form.field("total")} label="一共">
          {(f) => <NumberInput {...f} unit="份" />}
        </Field>
        <Field of={form.field("perPerson")} label="每人最多">
          {(f) => <NumberInput {...f} unit="份" />}
        </Field>
      </div>
      <div className="coupon-row">
        <Field of={form.field("perPersonDay")} label="每人每天" optional>
          {(f) => <NumberInput {...f} value={f.value ?? undefined} onChange={(n) => f.onChange(n ?? null)} unit="份" />}
        </Field>
        <Field of={form.field("perDay")} label="每天共" optional>
          {(f) => <NumberInput {...f} value={f.value ?? undefined} onChange={(n) => f.onChange(n ?? null)} unit="份" />}
        </Field>
      </div>
      <div className="coupon-row coupon-moments">
        <Field of={form.field("beginsAt")} label="从">
          {(f) => <MomentInput {...f} value={f.value as string} onChange={(moment) => f.onChange(moment as never)} />}
        </Field>
        <Field of={form.field("endsAt")} label="到">
          {(f) => <MomentInput {...f} value={f.value as string} onChange={(moment) => f.onChange(moment as never)} />}
        </Field>
      </div>
      <p className="note">不能比里面的券发得更晚。里面的券库存不够一份时，券包就是已领完。</p>
    </FormSection>
  );
}
/** What is said, and what it may cost. */
function Aside({ form, of }: { form: PackageForm; of: readonly Packable[] }): ReactNode {
  const most = mostOf(form, of);
  const { items = [] } = form.values;
  const inside = items.flatMap(({ campaignId, count }) => {
    const campaign = of.find(({ id }) => id === campaignId);
    return campaign ? [{ ...campaign, count: number(count) }] : [];
  });
  const { priceCents } = form.values;
  const left = inside.map((item) => Math.floor(item.left / (item.count ?? 1)));
  const short = most && left.length > 0 && Math.min(...left) < most.total;
  return (
    <aside className="coupon-aside" aria-label="这个券包">
      <section className="sheet coupon-first">
        <h2>这个券包说的是</h2>
        <p className="coupon-said">{sayPackage({ ...form.values, items: inside })}</p>
      </section>
      <section className="sheet">
        <h2>最高负债</h2>
        <p className="coupon-big num">{most ? yuan(most.cents) : "—"}</p>
        <p className="note">{most ? `${counted(most.total)} 份 × ${yuan(most.each)} 元，全部用掉时；不减售价` : "选好券和份数就算得出"}</p>
        {most && number(priceCents) !== undefined && (
          <p className="note">
            卖完能收 {yuan((priceCents ?? 0) * most.total)} 元，每份 {yuan(priceCents ?? 0)} 元换最多 {yuan(most.each)} 元优惠
          </p>
        )}
        {short && <p className="coupon-ochre">里面的券现在只够 {counted(Math.min(...left))} 份，不够时会提前显示已领完。</p>}
        <p className="coupon-ochre">
          要由另一人审核，创建人自己不能审核。最高 {yuan(ALONE_CENTS)} 元以内的，商户主账号可以凭退款密码通过。
        </p>
      </section>
      <section className="sheet">
        <h2>里面每张券说的是</h2>
        {inside.length === 0 ? (
          <p className="hint">还没选券</p>
        ) : (
          <ul className="package-said">
            {inside.map(({ id, name, worth, said }) => (
              <li key={id}>
                <b>{name}</b> <span className="note">{worth}</span>
                <p>{said}</p>
              </li>
            ))}
          </ul>
        )}
      </section>
    </aside>
  );
}
