import type { ReactNode } from "react";
import { Field } from "@zhangfang/web/form/Field.tsx";
import { ClockInput, DayInput } from "@zhangfang/web/form/days/DayInput.tsx";
import { NumberInput, Pick, Radios } from "@zhangfang/web/form/inputs.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { type CouponTerms, effective, validityMode, validityUnit } from "../../../contract/index.ts";
import { type CampaignForm, type Counted, type Fixed, termField, termsOf, validityField } from "./campaign-form.ts";
import { At } from "./At.tsx";

/** How long a coupon is good, and in which hours of which days. */
export function ValidityFields({ form }: { form: CampaignForm }): ReactNode {
  const { validity } = termsOf(form);
  const mode = validity?.mode ?? 3;
  const change = (next: 2 | 3 | undefined): void =>
    form.set({
      terms: {
        ...termsOf(form),
        validity: next === 2 ? { mode: 2, from: "", to: "" } : { mode: 3, wait: 0, count: 7, unit: "day" },
      } as never,
    });
  return (
    <>
      <Field of={{ name: "terms.validity.mode", value: mode, error: undefined, set: change }} label="有效期">
        {(f) => <Radios {...f} set={validityMode} />}
      </Field>
      {mode === 3 ? <CountedFields form={form} /> : <FixedFields form={form} />}
      <At field="weekdays">
        <Weekdays form={form} />
      </At>
      <Windows form={form} />
      <div className="coupon-pair">
        <Excluded form={form} />
        <At field="graceDays">
          <Field of={termField(form, "graceDays")} label="退券顺延" help="整单退款退回来已经过期的，再给几天；0 是不给">
            {(f) => <NumberInput {...f} unit="天" />}
          </Field>
        </At>
      </div>
    </>
  );
}
function CountedFields({ form }: { form: CampaignForm }): ReactNode {
  return (
    <>
      <div className="coupon-row">
        <At field="validity.wait">
          <Field of={validityField<Counted, "wait">(form, "wait")} label="从何时起">
            {(f) => <Pick {...f} set={effective} />}
          </Field>
        </At>
        <At field="validity.count">
          <Field of={validityField<Counted, "count">(form, "count")} label="有效">
            {(f) => <NumberInput {...f} />}
          </Field>
        </At>
        <At field="validity.count">
          <Field of={validityField<Counted, "unit">(form, "unit")} label="单位">
            {(f) => <Pick {...f} set={validityUnit} />}
          </Field>
        </At>
      </div>
      <p className="note">最晚用到「领到」的那一刻，过了就到期。</p>
    </>
  );
}
function FixedFields({ form }: { form: CampaignForm }): ReactNode {
  return (
    <div className="coupon-row">
      <At field="validity.from">
        <Field of={validityField<Fixed, "from">(form, "from")} label="从">
          {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? "")} />}
        </Field>
      </At>
      <At field="validity.to">
        <Field of={validityField<Fixed, "to">(form, "to")} label="用到">
          {(f) => <DayInput {...f} onChange={(day) => f.onChange(day ?? "")} />}
        </Field>
      </At>
    </div>
  );
}

const WEEK = [
  [1, "一"],
  [2, "二"],
  [3, "三"],
  [4, "四"],
  [5, "五"],
  [6, "六"],
  [0, "日"],
] as const;
/** Days of the week; none pressed is every day. */
function Weekdays({ form }: { form: CampaignForm }): ReactNode {
  const field = termField(form, "weekdays");
  const chosen = field.value ?? [];
  const press = (day: number): void => field.set(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day]);
  return (
    <div className="coupon-line" role="group" aria-label="星期">
      <span>星期</span>
      {WEEK.map(([day, word]) => (
        <button
          key={day}
          type="button"
          className="coupon-day"
          aria-label={`周${word}`}
          aria-pressed={chosen.includes(day)}
          onClick={() => press(day)}
        >
          {word}
        </button>
      ))}
      <span className="note">{chosen.length === 0 || chosen.length === 7 ? "每天都能用" : "只在选中的日子能用"}</span>
    </div>
  );
}
/** At most two spans of the day; one over midnight belongs to the day on which it begins. */
function Windows({ form }: { form: CampaignForm }): ReactNode {
  const field = termField(form, "windows");
  const windows = field.value ?? [];
  const set = (next: CouponTerms["windows"]): void => field.set(next);
  return (
    <div data-field="windows" role="group" aria-label="时段">
      {windows.map((one, at) => {
        const wrong = form.errorAt(`terms.windows.${at}.from`) ?? form.errorAt(`terms.windows.${at}.to`);
        const change = (more: Partial<typeof one>): void => set(windows.map((old, n) => (n === at ? { ...old, ...more } : old)));
        return (
          <div key={at} className="coupon-line">
            <span>时段 {at + 1}</span>
            <ClockInput
              className="input num coupon-clock"
              aria-label={`时段 ${at + 1} 从`}
              value={one.from}
              onChange={(from) => change({ from })}
            />
            <span>–</span>
            <ClockInput
              className="input num coupon-clock"
              aria-label={`时段 ${at + 1} 到`}
              aria-invalid={wrong ? true : undefined}
              value={one.to}
              onChange={(to) => change({ to })}
            />
            <Button tone="link" onClick={() => set(windows.filter((_one, n) => n !== at))}>
              删除
            </Button>
            {one.from > one.to && <span className="note">到第二天 {one.to}</span>}
            {wrong && (
              <p className="field-error" role="alert">
                {wrong}
              </p>
            )}
          </div>
        );
      })}
      {windows.length < 2 && (
        <div className="coupon-line">
          {windows.length === 0 && <span>时段</span>}
          {windows.length === 0 && <span className="note">全天</span>}
          <Button
            tone="link"
            onClick={() => set([...windows, windows.length === 0 ? { from: "11:00", to: "14:00" } : { from: "17:00", to: "21:00" }])}
          >
            加一段
          </Button>
        </div>
      )}
    </div>
  );
}
/** Days on which it is not good. */
function Excluded({ form }: { form: CampaignForm }): ReactNode {
  const field = termField(form, "excluded");
  const days = field.value ?? [];
  const add: typeof field = { ...field, value: undefined, set: () => undefined };
  return (
    <At field="excluded">
      <Field of={add} label="哪几天不能用" optional>
        {(f) => (
          <DayInput {...f} value="" onChange={(day) => day && !days.includes(day) && field.set([...days, day].toSorted() as typeof days)} />
        )}
      </Field>
      {days.length > 0 && (
        <div className="coupon-line coupon-days">
          {days.map((day) => (
            <Button key={day} small aria-label={`去掉 ${day}`} onClick={() => field.set(days.filter((one) => one !== day))}>
              <span className="num">{day}</span> ×
            </Button>
          ))}
        </div>
      )}
    </At>
  );
}
