import type { Form, FormField } from "@zhangfang/web/form/use-form.ts";
import { addLottery, type LotteryTerms, type Prize } from "../contract/index.ts";

export type LotteryFormOf = Form<typeof addLottery>;
export const BLANK_PRIZE: Partial<Prize> = { name: "", kind: "coupon", campaignId: null, amount: 1, valueCents: 0 };
export const BLANK = {
  prizes: [BLANK_PRIZE as Prize],
  perDay: 3,
  perPerson: 30,
  storeIds: [],
  redeemDays: 30,
  pointsDays: null,
  contact: "",
  staffListed: false,
  note: "",
} satisfies Partial<LotteryTerms>;

export const termsOf = (form: LotteryFormOf): LotteryTerms => ({ ...BLANK, ...(form.values.terms as unknown as LotteryTerms) });
/** One of the rules as a field of the form. */
export function term<K extends keyof LotteryTerms>(form: LotteryFormOf, name: K): FormField<NonNullable<LotteryTerms[K]>> {
  const terms = termsOf(form);
  return {
    name: `terms.${name}`,
    value: (terms[name] ?? undefined) as NonNullable<LotteryTerms[K]> | undefined,
    error: form.errorAt(`terms.${name}`),
    set: (value) => form.set({ ...form.values, terms: { ...terms, [name]: value } as never }),
  };
}
