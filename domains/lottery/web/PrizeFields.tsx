import { type ReactNode, useId } from "react";
import { yuan } from "@zhangfang/contract/money.ts";
import { Field, FormSection } from "@zhangfang/web/form/Field.tsx";
import { DecimalInput, MoneyInput, NumberInput, Pick, PickOne, TextInput } from "@zhangfang/web/form/inputs.tsx";
import type { FormField } from "@zhangfang/web/form/use-form.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { useGivable } from "../../coupons/web/index.ts";
import { MOST_PRIZES, type Prize, prizeKind, rangesOf, restOf, sayChance } from "../contract/index.ts";
import { ChanceBar } from "./ChanceBar.tsx";
import { BLANK_PRIZE, type LotteryFormOf, termsOf } from "./form-terms.ts";
import { colourAt, counted } from "./lottery-words.ts";

/** Four decimals of a percent are whole parts of 1,000,000; more is refused by the form. */
const partsOf = (percent: number | undefined): number | undefined => {
  if (percent === undefined) return undefined;
  const parts = percent * 10_000;
  return Math.abs(parts - Math.round(parts)) < 1e-6 ? Math.round(parts) : parts;
};
/** What is not typed yet, or no number, takes nothing of the bar. */
const chanceOf = ({ chance }: Prize): number => (Number.isFinite(chance) ? chance : 0);

/** 奖品和机会: the bar, each prize with its range, and what is left for 谢谢参与. */
export function PrizeFields({ form, costs }: { form: LotteryFormOf; costs: readonly number[] }): ReactNode {
  const terms = termsOf(form);
  const prizes = terms.prizes.map((one) => ({ ...one, chance: chanceOf(one) }));
  const rest = restOf(prizes);
  const ranges = rangesOf(prizes);
  const set = (next: readonly Prize[]): void => form.set({ ...form.values, terms: { ...terms, prizes: next } as never });
  const wrong = form.errorAt("terms.prizes");
  return (
    <FormSection title="奖品和机会">
      <ChanceBar prizes={prizes} rest={rest} />
      {terms.prizes.map((one, at) => (
        <PrizeField
          // A place in the table is what a prize is known by.
          // eslint-disable-next-line react/no-array-index-key
          key={at}
          form={form}
          at={at}
          range={ranges[at]!}
          cost={costs[at]}
          set={(next) => set(terms.prizes.map((old, place) => (place === at ? next : old)))}
          {...(terms.prizes.length > 1 && { drop: () => set(terms.prizes.filter((_old, place) => place !== at)) })}
          of={one}
        />
      ))}
      <p className={rest < 0 ? "field-error" : "note"} role="status">
        {rest < 0 ? `机会合计超了 ${sayChance(-rest)}` : `谢谢参与 ${sayChance(rest)}：机会永远加到 100 %，差的都由它补。`}
      </p>
      {wrong && rest >= 0 && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      {terms.prizes.length < MOST_PRIZES && (
        <p>
          <Button onClick={() => set([...terms.prizes, BLANK_PRIZE as Prize])}>再加一种奖品</Button>
        </p>
      )}
    </FormSection>
  );
}

interface Given {
  readonly form: LotteryFormOf;
  readonly of: Prize;
  readonly at: number;
  readonly range: readonly [number, number];
  readonly cost: number | undefined;
  readonly set: (next: Prize) => void;
  readonly drop?: () => void;
}
function PrizeField({ form, of, at, range, cost, set, drop }: Given): ReactNode {
  const title = useId();
  const field = <K extends keyof Prize>(name: K): FormField<NonNullable<Prize[K]>> => ({
    name: `terms.prizes.${at}.${name}`,
    value: (of[name] ?? undefined) as NonNullable<Prize[K]> | undefined,
    error: form.errorAt(`terms.prizes.${at}.${name}`),
    set: (value) => set({ ...of, [name]: value }),
  });
  const chance = field("chance");
  const worth = cost !== undefined && of.stock > 0 ? `，每份最高 ${yuan(cost)} 元，发完 ${yuan(cost * of.stock)} 元` : "";
  const often = of.chance > 0 && of.stock > 0 ? `，按机会约 ${counted(Math.round((of.stock * 1_000_000) / of.chance))} 次发完` : "";
  return (
    <section className="lottery-prize" aria-labelledby={title}>
      <h3 id={title}>
        <span className="lottery-swatch" style={{ background: colourAt(at) }} />
        奖品 {at + 1}
        {drop && (
          <Button tone="link" onClick={drop} aria-label={`去掉奖品 ${at + 1}`}>
            去掉
          </Button>
        )}
      </h3>
      <Field of={field("name")} label="奖品名">
        {(f) => <TextInput {...f} maxLength={12} placeholder="如：一等奖" />}
      </Field>
      <Field of={field("kind")} label="是什么">
        {(f) => (
          <Pick
            {...f}
            set={prizeKind}
            onChange={(kind) => set({ ...of, kind: kind ?? "coupon", campaignId: null, amount: 1, valueCents: 0 })}
          />
        )}
      </Field>
      <What of={of} field={field} />
      <Field of={field("stock")} label="数量">
        {(f) => <NumberInput {...f} unit="份" />}
      </Field>
      <Field
        of={{ ...chance, value: of.chance === undefined ? undefined : of.chance / 10_000, set: (percent) => chance.set(partsOf(percent)) }}
        label="机会（%）"
      >
        {(f) => <DecimalInput {...f} />}
      </Field>
      {range[1] > range[0] && (
        <p className="note num">
          号段 {counted(range[0])} – {counted(range[1] - 1)}
          {often}
          {worth}
        </p>
      )}
    </section>
  );
}
function What({ of, field }: { of: Prize; field: <K extends keyof Prize>(name: K) => FormField<NonNullable<Prize[K]>> }): ReactNode {
  const givable = useGivable();
  if (of.kind === "coupon")
    return (
      <Field of={field("campaignId")} label="哪张券" {...(givable.length === 0 && { help: "没有发放中的优惠券" })}>
        {(f) => <PickOne {...f} options={givable} />}
      </Field>
    );
  if (of.kind === "goods")
    return (
      <Field of={field("valueCents")} label="市场价">
        {(f) => <MoneyInput {...f} />}
      </Field>
    );
  return (
    <Field of={field("amount")} label={of.kind === "points" ? "每份积分" : "每份余额"}>
      {(f) => (of.kind === "points" ? <NumberInput {...f} unit="积分" /> : <MoneyInput {...f} />)}
    </Field>
  );
}
