import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormScreen } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, NumberInput, Radios, Switch } from "@zhangfang/web/form/inputs.tsx";
import { type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { type DiscountSettings, getDiscountSettings, saveDiscountSettings } from "../contract/index.ts";

type Answer = OutputOf<typeof getDiscountSettings>;
const wholes = labelled({ 0: "不能用", 1: "1 张" });
const items = labelled({ 0: "不能用", 1: "1 张", 2: "2 张" });
const SOURCES = [
  ["member", "会员优惠"],
  ["auto", "自动优惠"],
  ["points", "积分抵扣"],
] as const;

/** 优惠设置: how much may come off one order, and what a new coupon begins with. */
export function DiscountSettingsScreen(): ReactNode {
  const found = useDetail(getDiscountSettings, {});
  if (found.data) return <SettingsForm key={found.data.version} answer={found.data} />;
  return (
    <DetailScreen title="优惠设置" of={found}>
      {() => null}
    </DetailScreen>
  );
}

function SettingsForm({ answer: { version, settings, versions } }: { answer: Answer }): ReactNode {
  const mayEdit = useAct(saveDiscountSettings);
  const form = useForm(saveDiscountSettings, {
    initial: { version, settings } as never,
    draft: String(version),
    done: "已保存，从下一单起生效",
    refreshes: [getDiscountSettings],
  });
  const now = (form.values.settings ?? settings) as DiscountSettings;
  function at<K extends keyof DiscountSettings>(key: K): FormField<NonNullable<DiscountSettings[K]>> {
    return {
      name: `settings.${key}`,
      value: (now[key] ?? undefined) as NonNullable<DiscountSettings[K]> | undefined,
      error: form.errorAt(`settings.${key}`),
      set: (value) => form.set({ settings: { ...now, [key]: value ?? null } } as never),
    };
  }
  const without = (source: (typeof SOURCES)[number][0]): FormField<boolean> => ({
    name: `settings.without.${source}`,
    value: now.without.includes(source),
    error: undefined,
    set: (on) =>
      form.set({
        settings: { ...now, without: SOURCES.map(([one]) => one).filter((one) => (one === source ? on : now.without.includes(one))) },
      } as never),
  });
  return (
    <FormScreen form={form} title="优惠设置" submit={mayEdit ? "保存" : "无权修改"}>
      <FormSection title="一单能用几张券">
        <Field of={at("mostWhole") as FormField<0 | 1>} label="整单券（全场满减、全场折扣）">
          {(f) => <Radios {...f} set={wholes} />}
        </Field>
        <Field of={at("mostItem") as FormField<0 | 1 | 2>} label="单品券（单品满减、单品折扣、换购）" help="同一件商品只用一张">
          {(f) => <Radios {...f} set={items} />}
        </Field>
      </FormSection>
      <FormSection title="手工优惠">
        <Field of={at("manualPercent")} label="每单最多" optional help="按这单优惠前的钱算；不填只看收银员自己的上限，填 0 就不开放">
          {(f) => <NumberInput {...f} unit="%" />}
        </Field>
        <Field of={at("manualCents")} label="每单最多减" optional>
          {(f) => <MoneyInput {...f} onChange={(cents) => f.onChange(cents as never)} />}
        </Field>
        <p className="note">{manualWords(now)}</p>
      </FormSection>
      <FormSection title="新建券的不同享">
        {SOURCES.map(([source, name]) => (
          <Field key={source} of={without(source)} label={name}>
            {(f) => <Switch {...f} label={`默认不和${name}同享`} />}
          </Field>
        ))}
        <p className="note">只是新建优惠券时先勾上的，每张券可以再改；已有的券不变。</p>
      </FormSection>
      {versions.length > 0 && (
        <FormSection title="修改记录">
          <ol className="note">
            {versions.map(({ version: number, by, at: when }) => (
              <li key={number}>
                第 {number} 版 · {by} · <Time at={when} />
              </li>
            ))}
          </ol>
        </FormSection>
      )}
    </FormScreen>
  );
}

/** What of 100.00 a cashier may take off by hand. */
function manualWords({ manualPercent, manualCents }: DiscountSettings): string {
  if (manualPercent === null && manualCents === null) return "收银员按自己的上限手工优惠，商户不另设上限。";
  const most = Math.min(manualPercent === null ? Infinity : manualPercent * 100, manualCents ?? Infinity);
  return most === 0 ? "收银员不能手工优惠。" : `一单 100.00 元，手工最多减 ${yuan(most)} 元；收银员自己的上限更低时按更低的。`;
}
