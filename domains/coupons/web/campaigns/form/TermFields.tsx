import type { ReactNode } from "react";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { MomentInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { MoneyInput, NumberInput, PickOne, Radios, Switch, TextArea, TextInput } from "@zhangfang/web/form/inputs.tsx";
import { Segments } from "@zhangfang/web/show/Segments.tsx";
import { StorePicks } from "../../../../stores/web/index.ts";
import { couponCarrier, couponKind, needsGoods, redemption } from "../../../contract/index.ts";
import { carrierWords } from "../../carriers/DifferenceActs.tsx";
import { type CampaignForm, ofKind, termField, termsOf } from "./campaign-form.ts";
import { borneWords } from "../campaign-words.ts";
import { MerchantPicks } from "@zhangfang/web/form/MerchantPicks.tsx";
import { At } from "./At.tsx";
import { GoodsPicks, LevelPicks, TagWords } from "./Picks.tsx";
import { ValidityFields } from "./TimeFields.tsx";
import { Ticks } from "./Ticks.tsx";

interface Given {
  readonly form: CampaignForm;
  /** Somebody said yes to it: what is no term, and its kind, are not asked for any more. */
  readonly settled: boolean;
}
/** Goods differ from merchant to merchant: a provider's coupon is for the whole order. */
const wholeKinds = labelled({ 1: couponKind.label(1), 2: couponKind.label(2) });
/** What a coupon is, in the order in which somebody tells it: what it gives, how many, when, where and to whom, how it is used. */
export function TermFields({ form, merchants, settled }: Given & { merchants: Readonly<Record<string, string>> }): ReactNode {
  return (
    <>
      {form.values.provider && <CoverFields form={form} merchants={merchants} />}
      <WorthFields form={form} settled={settled} />
      {!settled && <CountFields form={form} />}
      <FormSection title="什么时候能用">
        <ValidityFields form={form} />
      </FormSection>
      <WhereFields form={form} settled={settled} />
      <UseFields form={form} settled={settled} />
    </>
  );
}

function WorthFields({ form, settled }: Given): ReactNode {
  const { kind = 1 } = termsOf(form);
  const off = kind === 1 || kind === 3;
  const term = <K extends Parameters<typeof termField>[1]>(name: K) => termField(form, name);
  return (
    <FormSection title="优惠">
      {!settled && (
        <>
          <Segments
            label="优惠方式"
            set={(form.values.provider ? wholeKinds : couponKind) as typeof couponKind}
            value={kind}
            onChange={(next) => form.set({ terms: ofKind(termsOf(form), next) as never })}
          />
          <Field of={form.field("name")} label="券名称" help="顾客在手机上看到的名字">
            {(f) => <TextInput {...f} maxLength={20} placeholder="如：午市满 80 减 20" />}
          </Field>
        </>
      )}
      <div className="coupon-row">
        <At field="minCents">
          <Field of={term("minCents")} label={kind === 5 ? "其他商品满" : off ? "每单满" : "满"}>
            {(f) => <MoneyInput {...f} value={f.value as number} onChange={(cents) => f.onChange(cents as never)} placeholder="不限" />}
          </Field>
        </At>
        {off && (
          <At field="offCents">
            <Field of={term("offCents")} label="减">
              {(f) => <MoneyInput {...f} value={f.value as number} onChange={(cents) => f.onChange(cents as never)} />}
            </Field>
          </At>
        )}
        {(kind === 2 || kind === 4) && <Discount form={form} />}
        {kind === 5 && (
          <At field="priceCents">
            <Field of={term("priceCents")} label="换购价">
              {(f) => <MoneyInput {...f} value={f.value as number} onChange={(cents) => f.onChange(cents as never)} />}
            </Field>
          </At>
        )}
        {!off && (
          <At field="capCents">
            <Field of={term("capCents")} label="最多减">
              {(f) => <MoneyInput {...f} value={f.value as number} onChange={(cents) => f.onChange(cents as never)} />}
            </Field>
          </At>
        )}
      </div>
      <p className="note">门槛按会员价、自动优惠算完之后还剩的钱算。{kind === 5 && "换购一单一件。"}</p>
      {needsGoods(kind) && <GoodsPicks form={form} />}
      <At field="without">
        <Field of={term("without")} label="不同享" optional help="勾上的优惠和这张券只能用一样，系统替顾客选省得多的">
          {(f) => (
            <Ticks
              {...f}
              value={f.value as readonly string[]}
              onChange={(all) => f.onChange(all as never)}
              options={[
                { value: "member", label: "会员优惠" },
                { value: "auto", label: "自动优惠" },
                { value: "points", label: "积分抵扣" },
              ]}
            />
          )}
        </Field>
      </At>
    </FormSection>
  );
}
/** 8.8 折: typed as people say it, held as what is paid of a hundred. */
function Discount({ form }: Pick<Given, "form">): ReactNode {
  const { kind } = termsOf(form);
  return (
    <>
      <At field="percent">
        <Field of={termField(form, "percent")} label="打">
          {(f) => <FoldInput {...f} />}
        </Field>
      </At>
      {kind === 4 && (
        <At field="maxUnits">
          <Field of={termField(form, "maxUnits")} label="最贵的">
            {(f) => <NumberInput {...f} unit="件" />}
          </Field>
        </At>
      )}
    </>
  );
}
const FOLDS = Array.from({ length: 90 }, (_none, at) => 99 - at).filter((percent) => percent >= 10);
function FoldInput({
  value,
  onChange,
  ...rest
}: {
  id: string;
  value: number | undefined;
  onChange(value: number | undefined): void;
}): ReactNode {
  return (
    <PickOne
      {...rest}
      placeholder="几折"
      value={value === undefined ? undefined : String(value)}
      onChange={(chosen) => onChange(chosen === undefined ? undefined : Number(chosen))}
      options={FOLDS.map((percent) => ({ value: String(percent), label: `${Number((percent / 10).toFixed(1))} 折` }))}
    />
  );
}

/** Which merchants, and what the provider pays of what comes off. */
function CoverFields({ form, merchants }: Pick<Given, "form"> & { merchants: Readonly<Record<string, string>> }): ReactNode {
  const provider = form.values.provider as { readonly percent?: number; readonly merchantIds?: string[] };
  const set = (more: Partial<typeof provider>): void => form.set({ provider: { ...provider, ...more } as never });
  const { percent, merchantIds } = provider;
  return (
    <FormSection title="给哪些商户、谁承担">
      <Field
        of={{
          name: "provider.merchantIds",
          value: merchantIds,
          error: form.errorAt("provider.merchantIds"),
          set: (ids) => set({ merchantIds: ids ?? [] }),
        }}
        label="适用商户"
        help={percent === 100 ? "审核通过后这些商户就参加" : "商户要承担一部分，各家同意后才参加"}
      >
        {(f) => <MerchantPicks {...f} known={merchants} />}
      </Field>
      <Field
        of={{
          name: "provider.percent",
          value: percent,
          error: form.errorAt("provider.percent"),
          set: (n) => set({ percent: n as number }),
        }}
        label="服务商承担"
        help="抵扣里服务商出的份额，其余商户出"
      >
        {(f) => <NumberInput {...f} unit="%" />}
      </Field>
    </FormSection>
  );
}

function CountFields({ form }: Pick<Given, "form">): ReactNode {
  const number = (name: "perPersonDay" | "perDay", label: string): ReactNode => (
    <At field={name}>
      <Field of={form.field(name)} label={label} optional>
        {(f) => <NumberInput {...f} value={f.value ?? undefined} onChange={(n) => f.onChange(n ?? null)} unit="张" placeholder="不限" />}
      </Field>
    </At>
  );
  return (
    <FormSection title="发多少">
      <div className="coupon-row">
        <At field="total">
          <Field of={form.field("total")} label="共">
            {(f) => <NumberInput {...f} unit="张" />}
          </Field>
        </At>
        <At field="perPerson">
          <Field of={form.field("perPerson")} label="每人最多">
            {(f) => <NumberInput {...f} unit="张" />}
          </Field>
        </At>
        {number("perPersonDay", "每人每天")}
        {number("perDay", "每天共发")}
      </div>
      <div className="coupon-row coupon-moments">
        <At field="beginsAt">
          <Field of={form.field("beginsAt")} label="开始领">
            {(f) => <MomentInput {...f} value={f.value} onChange={(at) => f.onChange(at as never)} />}
          </Field>
        </At>
        <At field="endsAt">
          <Field of={form.field("endsAt")} label="领到">
            {(f) => <MomentInput {...f} value={f.value} onChange={(at) => f.onChange(at as never)} />}
          </Field>
        </At>
      </div>
    </FormSection>
  );
}

function WhereFields({ form, settled }: Given): ReactNode {
  return (
    <FormSection title="在哪里、给谁">
      <At field="storeIds">
        <Field of={termField(form, "storeIds")} label="门店" optional help="不选就是全部门店，以后新开的也算">
          {(f) => <StorePicks {...f} />}
        </Field>
      </At>
      <div className="coupon-pair">
        {!form.values.provider && (
          <At field="levels">
            <Field of={termField(form, "levels")} label="会员等级" optional>
              {(f) => <LevelPicks {...f} />}
            </Field>
          </At>
        )}
        <At field="memberTags">
          <Field of={termField(form, "memberTags")} label="会员标签" optional help="有其中一个就能领；写一个按回车">
            {(f) => <TagWords {...f} />}
          </Field>
        </At>
      </div>
      <div className="coupon-pair">
        <At field="newOnly">
          <Field of={termField(form, "newOnly")} label="新客">
            {(f) => <Switch {...f} label="只给从没下过单的人" />}
          </Field>
        </At>
        {!settled && (
          <Field of={form.field("listed")} label="领券中心">
            {(f) => <Switch {...f} value={f.value as boolean} label="顾客在领券中心自己领" />}
          </Field>
        )}
      </div>
    </FormSection>
  );
}
function UseFields({ form, settled }: Given): ReactNode {
  return (
    <FormSection title="怎么用、谁出钱">
      {form.values.provider ? (
        <p>
          核销：线下扫码　<small className="note">店员扫顾客手机上的券码</small>
        </p>
      ) : (
        <At field="methods">
          <Field
            of={termField(form, "methods")}
            label="怎么核销"
            help="线下扫码由店员扫券码，随订单减；自助核销由顾客当着店员在手机上核销，没有订单，成本按最多能减的算"
          >
            {(f) => (
              <Ticks
                {...f}
                value={f.value as readonly string[]}
                onChange={(all) => f.onChange(all as never)}
                options={[
                  { value: "OFF_LINE", label: redemption.label("OFF_LINE") },
                  { value: "SELF_CONSUME", label: redemption.label("SELF_CONSUME") },
                ]}
              />
            )}
          </Field>
        </At>
      )}
      <p>
        {form.values.provider ? (
          <>
            出资：{borneWords(form.values.provider.percent ?? 0)}　
            <small className="note">用券时商户先少收；服务商承担的按月出结算单，线下付给商户</small>
          </>
        ) : (
          <>
            出资：商户，免充值　<small className="note">用券时少收，不预付钱</small>
          </>
        )}
      </p>
      {!form.values.provider && !settled && (
        <Field of={form.field("carrier")} label="发到微信" help={carrierWords[form.values.carrier ?? "NONE"]}>
          {(f) => <Radios {...f} set={couponCarrier} />}
        </Field>
      )}
      {!settled && (
        <Field of={termField(form, "note")} label="使用说明" optional help="写给顾客看，不改变上面的条件">
          {(f) => <TextArea {...f} maxLength={200} rows={2} />}
        </Field>
      )}
    </FormSection>
  );
}
