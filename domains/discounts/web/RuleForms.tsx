import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, Suspense } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field, FormSection, type InputProps } from "@zhangfang/web/form/Field.tsx";
import { FormDrawer } from "@zhangfang/web/form/FormDrawer.tsx";
import { DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, NumberInput, PickOne, Switch, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { type Form, type FormField, useForm } from "@zhangfang/web/form/use-form.ts";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StorePicks } from "../../stores/web/index.ts";
import { WEEKDAYS } from "../../coupons/contract/index.ts";
import {
  addDiscountRule,
  discountKind,
  type DiscountKind,
  type DiscountTerms,
  getDiscountRules,
  lacksOf,
  sayRule,
  updateDiscountRule,
} from "../contract/index.ts";

type Rule = OutputOf<typeof getDiscountRules>["items"][number];
type RuleForm = Form<typeof addDiscountRule>;
const READS = [getDiscountRules];
const BLANK = {
  minCents: 0,
  offCents: null,
  everyCents: null,
  percent: null,
  capCents: null,
  lowCents: null,
  highCents: null,
  firstDay: null,
  lastDay: null,
  weekdays: [],
  monthDays: [],
  windows: [],
  storeIds: [],
  levels: [],
  membersOnly: false,
  without: [],
} satisfies DiscountTerms;

/** 新建优惠规则. */
export function AddRule({ onClose }: { onClose: () => void }): ReactNode {
  const form = useForm(addDiscountRule, {
    initial: { kind: 2, terms: BLANK as never, group: "", priority: 0, once: false, budgetCents: null },
    draft: "new",
    done: "已新建，现在起收银自动减",
    refreshes: READS,
    onDone: onClose,
  });
  const kind = (form.values.kind ?? 2) as DiscountKind;
  return (
    <FormDrawer form={form} title="新建优惠规则" submit="启用规则" onClose={onClose}>
      <Segments label="类型" set={discountKind} value={kind} onChange={(next) => form.set({ kind: next, terms: kept(form) as never })} />
      <Facts form={form} kind={kind} budget="fresh" />
    </FormDrawer>
  );
}
/** What kinds share stays; sums of another kind would be said and not meant. */
const kept = (form: RuleForm): DiscountTerms => {
  const { firstDay, lastDay, weekdays, monthDays, windows, storeIds, levels, membersOnly, without } = termsOf(form);
  return { ...BLANK, firstDay, lastDay, weekdays, monthDays, windows, storeIds, levels, membersOnly, without };
};
/** 修改优惠规则: its kind stays, its budget only grows. */
export function EditRule({ rule, onClose }: { rule: Rule; onClose: () => void }): ReactNode {
  const { id, revision, name, terms, group, priority, once, budgetCents, kind } = rule;
  const form = useForm(updateDiscountRule, {
    initial: { id, revision, name, terms: terms as never, group, priority, once, budgetCents: budgetCents as never },
    draft: `${id}:${revision}`,
    done: "已保存，下一单起按新的算",
    refreshes: READS,
    onDone: onClose,
  });
  return (
    <FormDrawer form={form} title={`修改 ${name}`} submit="保存" onClose={onClose}>
      <Facts form={form as never} kind={kind} budget={budgetCents === null ? "none" : "grows"} />
    </FormDrawer>
  );
}
const termsOf = (form: RuleForm): DiscountTerms => form.values.terms as unknown as DiscountTerms;
/** One of the terms as a field of the form. */
function term<K extends keyof DiscountTerms>(form: RuleForm, name: K): FormField<NonNullable<DiscountTerms[K]>> {
  const terms = termsOf(form);
  return {
    name: `terms.${name}`,
    value: (terms[name] ?? undefined) as NonNullable<DiscountTerms[K]> | undefined,
    error: form.errorAt(`terms.${name}`),
    set: (value) => form.set({ terms: { ...terms, [name]: value ?? BLANK[name] } as never }),
  };
}
type Sum = "minCents" | "offCents" | "everyCents" | "capCents" | "lowCents" | "highCents";
function Money({ form, name, label, optional }: { form: RuleForm; name: Sum; label: string; optional?: boolean }): ReactNode {
  return (
    <Field of={term(form, name)} label={label} {...(optional && { optional: true })}>
      {(f) => (
        <MoneyInput
          {...f}
          value={f.value as number}
          onChange={(cents) => f.onChange(cents as never)}
          {...(optional && { placeholder: "不限" })}
        />
      )}
    </Field>
  );
}
const PERCENTS = Array.from({ length: 90 }, (_none, at) => 99 - at);

interface Given {
  readonly form: RuleForm;
  readonly kind: DiscountKind;
}
function Facts({ form, kind, budget }: Given & { budget: "fresh" | "grows" | "none" }): ReactNode {
  const terms = termsOf(form);
  const { once = false, group = "", budgetCents } = form.values;
  const ready = Object.keys(lacksOf(kind, terms)).length === 0;
  return (
    <>
      <p className="discount-said" aria-live="polite">
        {ready
          ? sayRule(kind, terms, { once: once as boolean, budgetCents: (budgetCents ?? null) as number | null, group })
          : "填好金额，这里会说出整条规则"}
      </p>
      <Field of={form.field("name")} label="名称" help="印在小票上">
        {(f) => <TextInput {...f} maxLength={20} placeholder={kind === 2 ? "如：每满 50 减 5" : "如：周三会员日"} />}
      </Field>
      <Worth form={form} kind={kind} />
      <When form={form} />
      <Whom form={form} kind={kind} />
      {budget !== "none" && <Budget form={form} grows={budget === "grows"} />}
      <Field of={form.field("priority")} label="优先级" optional help="越大越靠前，也可以在列表里上移下移">
        {(f) => <NumberInput {...f} value={f.value as number} onChange={(n) => f.onChange(n ?? 0)} />}
      </Field>
    </>
  );
}
function Worth({ form, kind }: Given): ReactNode {
  const terms = termsOf(form);
  return (
    <FormSection title="减多少">
      {kind === 2 && <Money form={form} name="everyCents" label="每满" />}
      {kind !== 2 && <Money form={form} name="minCents" label="每单满" optional />}
      {(kind === 1 || kind === 2) && <Money form={form} name="offCents" label="减" />}
      {kind === 3 && (
        <>
          <Field of={term(form, "percent")} label="打折" optional help="打折和立减选一样">
            {(f) => (
              <PickOne
                {...f}
                value={f.value === undefined ? undefined : String(f.value)}
                onChange={(chosen) => f.onChange((chosen === undefined ? null : Number(chosen)) as never)}
                placeholder="不打折"
                options={PERCENTS.map((percent) => ({ value: String(percent), label: `${Number((percent / 10).toFixed(1))} 折` }))}
              />
            )}
          </Field>
          {terms.percent === null && <Money form={form} name="offCents" label="减" />}
        </>
      )}
      {(kind === 2 || (kind === 3 && terms.percent !== null)) && <Money form={form} name="capCents" label="最多减" optional={kind === 2} />}
      {kind === 4 && (
        <>
          <Money form={form} name="lowCents" label="最少减" />
          <Money form={form} name="highCents" label="最多减" />
        </>
      )}
    </FormSection>
  );
}
function When({ form }: Pick<Given, "form">): ReactNode {
  return (
    <FormSection title="什么时候、在哪里">
      <Field of={term(form, "firstDay")} label="开始日期" optional>
        {(f) => <DayInput {...f} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
      </Field>
      <Field of={term(form, "lastDay")} label="结束日期" optional>
        {(f) => <DayInput {...f} onChange={(day) => f.onChange((day ?? undefined) as never)} />}
      </Field>
      <Field of={term(form, "weekdays")} label="星期" optional help="不选就是每天">
        {(f) => <Several {...f} options={WEEKDAYS.map((label, value) => ({ value, label }))} placeholder="每天" />}
      </Field>
      <Field of={term(form, "monthDays")} label="每月几号" optional>
        {(f) => (
          <Several
            {...f}
            options={Array.from({ length: 31 }, (_none, at) => ({ value: at + 1, label: `${at + 1} 日` }))}
            placeholder="不限"
          />
        )}
      </Field>
      <Field of={term(form, "storeIds")} label="门店" optional help="不选就是全部门店">
        {(f) => (
          <Suspense>
            <StorePicks {...f} value={f.value ?? []} onChange={(ids) => f.onChange(ids ?? [])} />
          </Suspense>
        )}
      </Field>
    </FormSection>
  );
}
function Whom({ form, kind }: Given): ReactNode {
  return (
    <FormSection title="给谁、和什么不同享">
      {(kind === 2 || kind === 4) && (
        <Field of={term(form, "membersOnly")} label="会员">
          {(f) => <Switch {...f} label="只给会员" />}
        </Field>
      )}
      {kind !== 1 && (
        <Field of={form.field("once")} label="次数">
          {(f) => <Switch {...f} value={f.value as boolean} label="每人一次" />}
        </Field>
      )}
      <Field of={term(form, "without")} label="不同享" optional>
        {(f) => (
          <Several
            {...f}
            options={[
              { value: "member", label: "会员优惠" },
              { value: "coupon", label: "优惠券" },
              { value: "points", label: "积分抵扣" },
            ]}
            placeholder="都可以同享"
          />
        )}
      </Field>
      <Field of={form.field("group")} label="组" optional help="同组的规则一单只用最靠前的一条">
        {(f) => <TextInput {...f} maxLength={16} placeholder="如：满减" />}
      </Field>
    </FormSection>
  );
}
function Budget({ form, grows }: Pick<Given, "form"> & { grows: boolean }): ReactNode {
  const { budgetCents } = form.values;
  return (
    <Field
      of={form.field("budgetCents")}
      label="预算"
      {...(!grows && { optional: true })}
      help={!grows ? "减到这么多就自动不再减；建好以后只能增加" : `只能增加，现在 ${yuan((budgetCents ?? 0) as number)} 元`}
    >
      {(f) => (
        <MoneyInput
          {...f}
          value={(f.value ?? undefined) as number}
          onChange={(cents) => f.onChange((cents ?? null) as never)}
          placeholder="不限"
        />
      )}
    </Field>
  );
}
/** A few of many. */
function Several<V extends string | number>({
  value,
  onChange,
  options,
  placeholder,
  ...rest
}: InputProps<V[]> & { options: readonly { readonly value: V; readonly label: string }[]; placeholder: string }): ReactNode {
  return (
    <Select
      {...rest}
      mode="multiple"
      className="pick"
      allowClear
      placeholder={placeholder}
      options={[...options]}
      value={value ?? []}
      onChange={(all: V[]) => onChange(all)}
    />
  );
}
