import "./points.css";
import type { ReactNode } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { useAct } from "@zhangfang/web/act/Act.tsx";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { FormScreen } from "@zhangfang/web/form/FormDrawer.tsx";
import { MoneyInput, NumberInput, Radios, RateInput, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { Time } from "@zhangfang/web/show/figures/Time.tsx";
import { DetailScreen, useDetail } from "@zhangfang/web/show/over/Detail.tsx";
import { getPointRule, type PointRule, savePointRule, sayRule } from "../contract/index.ts";

type Answer = OutputOf<typeof getPointRule>;
const ends = labelled({ never: "长期有效", months: "得到后若干个月", yearly: "每年固定一天" });
const which = labelled({ 0: "当年得的", 1: "上一年底前得的" });
const WEEKDAYS = ["一", "二", "三", "四", "五", "六", "日"] as const;

/** 积分规则: how points are earned, spent and end, the rule as one sentence beside it, and every version before. */
export function PointRuleScreen(): ReactNode {
  const rule = useDetail(getPointRule, {});
  if (rule.data) return <RuleForm key={rule.data.version} answer={rule.data} />;
  return (
    <DetailScreen title="积分规则" of={rule}>
      {() => null}
    </DetailScreen>
  );
}

function RuleForm({ answer }: { answer: Answer }): ReactNode {
  const { version, rule, stores, history } = answer;
  const mayEdit = useAct(savePointRule);
  const nameOf = (id: string): string => stores.find((store) => store.id === id)?.name ?? "已停用门店";
  const form = useForm(savePointRule, {
    initial: { version, rule } as never,
    draft: String(version),
    done: "积分规则已保存，从下一笔起生效",
    refreshes: [getPointRule],
    ask: ({ rule: given }) => (given ? `保存后：${sayRule(given as PointRule, nameOf)}` : undefined),
  });
  const now = (form.values.rule ?? rule) as PointRule;
  const set = (change: Partial<PointRule>): void => form.set({ ...form.values, rule: { ...now, ...change } } as never);
  /** A field inside one part of the rule. */
  function at<P extends "earn" | "spend" | "expiry", K extends keyof PointRule[P] & string>(part: P, key: K): FormField<PointRule[P][K]> {
    return {
      name: `rule.${part}.${key}`,
      value: now[part][key],
      error: form.errorAt(`rule.${part}.${key}`),
      set: (value) => set({ [part]: { ...now[part], [key]: value } }),
    };
  }
  const top = (key: "graceDays" | "secondAbove"): FormField<number> => ({
    name: `rule.${key}`,
    value: now[key],
    error: form.errorAt(`rule.${key}`),
    set: (value) => set({ [key]: value as number }),
  });
  return (
    <FormScreen form={form} title="积分规则" submit={mayEdit ? "保存" : "无权修改"} wide>
      <div className="point-rule">
        <div className="point-rule-parts">
          <EarnFields at={at} stores={stores} />
          <SpendFields at={at} stores={stores} />
          <EndFields at={at} top={top} kind={now.expiry.kind} />
        </div>
        <Said said={sayRule(now, nameOf)} history={history} />
      </div>
    </FormScreen>
  );
}

type At = <P extends "earn" | "spend" | "expiry", K extends keyof PointRule[P] & string>(part: P, key: K) => FormField<PointRule[P][K]>;
interface PartGiven {
  readonly at: At;
  readonly stores: Answer["stores"];
}
function EarnFields({ at, stores }: PartGiven): ReactNode {
  return (
    <FormSection title="怎么得">
      <Field of={at("earn", "on")} label="消费送积分">
        {(f) => <Switch {...f} onChange={(on) => f.onChange(on ?? false)} />}
      </Field>
      <Field of={at("earn", "perCents")} label="每满（元）">
        {(f) => <MoneyInput {...f} onChange={(cents) => f.onChange(cents as never)} />}
      </Field>
      <Field of={at("earn", "points")} label="得">
        {(f) => <NumberInput {...f} unit="积分" />}
      </Field>
      <Field of={at("earn", "onRecharge")} label="改为充值时送" help="充值得积分，用储值消费不再得">
        {(f) => <Switch {...f} onChange={(on) => f.onChange(on ?? false)} />}
      </Field>
      <Days of={at("earn", "weekdays")} label="加倍的星期" />
      <Field of={at("earn", "weekdayMultiple")} label="星期倍数" help="100 为不加倍；门店、星期、生日只取最高的一项">
        {(f) => <NumberInput {...f} unit="%" />}
      </Field>
      <Stores of={at("earn", "storeIds")} label="加倍的门店" stores={stores} />
      <Field of={at("earn", "storeMultiple")} label="门店倍数">
        {(f) => <NumberInput {...f} unit="%" />}
      </Field>
      <Field of={at("earn", "birthdayMultiple")} label="生日倍数">
        {(f) => <NumberInput {...f} unit="%" />}
      </Field>
      <Field of={at("earn", "pendingDays")} label="几天后可用" help="0 为付款后马上可用">
        {(f) => <NumberInput {...f} unit="天" />}
      </Field>
      <Field of={at("earn", "dayCap")} label="每人每天最多" optional help="留空为不限">
        {(f) => <NumberInput {...f} value={f.value ?? undefined} onChange={(n) => f.onChange(n ?? null)} unit="积分" />}
      </Field>
    </FormSection>
  );
}
function SpendFields({ at, stores }: PartGiven): ReactNode {
  return (
    <FormSection title="怎么用">
      <Field of={at("spend", "on")} label="积分抵现">
        {(f) => <Switch {...f} onChange={(on) => f.onChange(on ?? false)} />}
      </Field>
      <Field of={at("spend", "points")} label="每">
        {(f) => <NumberInput {...f} unit="积分" />}
      </Field>
      <Field of={at("spend", "cents")} label="抵（元）">
        {(f) => <MoneyInput {...f} onChange={(cents) => f.onChange(cents as never)} />}
      </Field>
      <Field of={at("spend", "stepPoints")} label="每次用它的整数倍" help="抵的钱须为整分">
        {(f) => <NumberInput {...f} unit="积分" />}
      </Field>
      <Field of={at("spend", "leastPoints")} label="至少用">
        {(f) => <NumberInput {...f} unit="积分" />}
      </Field>
      <Field of={at("spend", "mostRate")} label="最多抵优惠后的（%）">
        {(f) => <RateInput {...f} />}
      </Field>
      <Field of={at("spend", "mostCents")} label="最多抵（元）" optional help="留空为不限">
        {(f) => <MoneyInput {...f} value={f.value ?? undefined} onChange={(cents) => f.onChange((cents ?? null) as never)} />}
      </Field>
      <Stores of={at("spend", "storeIds")} label="限哪些门店" stores={stores} />
      <Days of={at("spend", "weekdays")} label="限星期几" />
    </FormSection>
  );
}
function EndFields({
  at,
  top,
  kind,
}: {
  at: At;
  top: (key: "graceDays" | "secondAbove") => FormField<number>;
  kind: PointRule["expiry"]["kind"];
}): ReactNode {
  return (
    <FormSection title="何时失效">
      <Field of={at("expiry", "kind")} label="有效期" help="改动对已有积分也生效，但至少再给 30 天">
        {(f) => <Radios {...f} set={ends} />}
      </Field>
      {kind === "months" && (
        <Field of={at("expiry", "months")} label="有效">
          {(f) => <NumberInput {...f} unit="个月" />}
        </Field>
      )}
      {kind === "yearly" && (
        <>
          <Field of={at("expiry", "monthDay")} label="哪一天" help="月-日，如 12-31">
            {(f) => <TextInput {...f} maxLength={5} placeholder="12-31" />}
          </Field>
          <Field of={at("expiry", "yearsBack")} label="清掉哪些">
            {(f) => <Radios {...f} set={which} />}
          </Field>
        </>
      )}
      <Field of={top("graceDays")} label="退款退回的过期积分再给">
        {(f) => <NumberInput {...f} unit="天" />}
      </Field>
      <Field of={top("secondAbove")} label="每人每天手工调整超过多少须另一人审核">
        {(f) => <NumberInput {...f} unit="积分" />}
      </Field>
    </FormSection>
  );
}
/** The rule as it would be saved, and those before it. */
function Said({ said, history }: { said: string; history: Answer["history"] }): ReactNode {
  return (
    <aside className="point-rule-said" aria-label="这条规则">
      <h2>这条规则</h2>
      <p aria-live="polite">{said}</p>
      <h2>历史</h2>
      {history.length === 0 ? (
        <p className="note">还没有保存过规则。</p>
      ) : (
        <ol className="point-rule-history">
          {history.map((one) => (
            <li key={one.id}>
              <strong>第 {one.version} 版</strong> {one.byName} <Time at={one.createdAt} />
              <p>{one.said}</p>
            </li>
          ))}
        </ol>
      )}
    </aside>
  );
}

function Days({ of, label }: { of: FormField<number[]>; label: string }): ReactNode {
  return <Ticks of={of} label={label} all={WEEKDAYS.map((name, at) => [at + 1, `周${name}`] as const)} />;
}
function Stores({ of, label, stores }: { of: FormField<string[]>; label: string; stores: Answer["stores"] }): ReactNode {
  return <Ticks of={of} label={label} all={stores.map(({ id, name }) => [id, name] as const)} />;
}
/** Some of a few things; none is all of them, or none, as the label says. */
function Ticks<K extends string | number>({
  of,
  label,
  all,
}: {
  of: FormField<K[]>;
  label: string;
  all: readonly (readonly [K, string])[];
}): ReactNode {
  const chosen = of.value ?? [];
  return (
    <fieldset className="field point-ticks">
      <legend>
        {label}
        <span className="optional">（选填）</span>
      </legend>
      {all.map(([key, name]) => (
        <label key={key}>
          <input
            type="checkbox"
            checked={chosen.includes(key)}
            onChange={({ target }) => of.set(target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))}
          />
          {name}
        </label>
      ))}
      {of.error && (
        <p className="field-error" role="alert">
          {of.error}
        </p>
      )}
    </fieldset>
  );
}
