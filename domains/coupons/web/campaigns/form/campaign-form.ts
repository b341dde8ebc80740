import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Form, FormField } from "@zhangfang/web/form/use-form.ts";
import type { addCampaign, CouponKind, CouponTerms } from "../../../contract/index.ts";
import { worthMost } from "../campaign-words.ts";

export type CampaignForm = Form<typeof addCampaign>;
/** Terms while somebody types them: any of them may be missing still. */
export type Draft = { readonly [K in keyof CouponTerms]: CouponTerms[K] | undefined };
export const termsOf = (form: CampaignForm): Draft => form.values.terms as Draft;

/** One of the terms as a field of the form. */
export function termField<K extends keyof CouponTerms>(form: CampaignForm, name: K): FormField<NonNullable<CouponTerms[K]>> {
  const terms = termsOf(form);
  return {
    name: `terms.${name}`,
    value: (terms[name] ?? undefined) as NonNullable<CouponTerms[K]> | undefined,
    error: form.errorAt(`terms.${name}`),
    set: (value) => form.set({ terms: { ...terms, [name]: value } as never }),
  };
}
export type Counted = Extract<CouponTerms["validity"], { mode: 3 }>;
export type Fixed = Extract<CouponTerms["validity"], { mode: 2 }>;
/** One part of how long a coupon is good. */
export function validityField<V extends Counted | Fixed, K extends keyof V & string>(form: CampaignForm, name: K): FormField<V[K]> {
  const validity = termsOf(form).validity as unknown as V;
  return {
    name: `terms.validity.${name}`,
    value: validity[name] ?? undefined,
    error: form.errorAt(`terms.validity.${name}`),
    set: (value) => form.set({ terms: { ...termsOf(form), validity: { ...validity, [name]: value } } as never }),
  };
}

/** Another kind keeps what it shares with the one before and forgets the rest: a left-over sum would count as what it is worth. */
export function ofKind(terms: Draft, kind: CouponKind): Draft {
  const off = kind === 1 || kind === 3;
  const discount = kind === 2 || kind === 4;
  return {
    ...terms,
    kind,
    ...(!off && { offCents: undefined }),
    ...(!discount && { percent: undefined }),
    ...(off && { capCents: undefined }),
    ...(kind !== 5 && { priceCents: undefined }),
    ...(kind !== 4 && { maxUnits: 1 }),
    ...(kind < 3 && { goodsTags: [], skus: [] }),
  };
}

const WAITING_THINGS = "选定商品";
/** The terms as far as they are known, so that their sentence can be said while it is written. */
export function sayable(terms: Draft): CouponTerms {
  const number = (n: number | null | undefined): number | null => (n === null || n === undefined || Number.isNaN(n) ? null : n);
  const things = (terms.goodsTags ?? []).length + (terms.skus ?? []).length;
  const { validity } = terms;
  return {
    ...(terms as CouponTerms),
    minCents: number(terms.minCents) ?? 0,
    offCents: number(terms.offCents),
    percent: number(terms.percent),
    capCents: number(terms.capCents),
    priceCents: number(terms.priceCents),
    maxUnits: number(terms.maxUnits) ?? 1,
    graceDays: number(terms.graceDays) ?? 0,
    ...(terms.kind! >= 3 && things === 0 && { goodsTags: [WAITING_THINGS] }),
    ...(validity?.mode === 3 && { validity: { ...validity, count: number(validity.count) ?? 1 } }),
    ...(validity?.mode === 2 && { validity: { ...validity, from: validity.from || "…", to: validity.to || "…" } }),
  };
}
/** A sum that is missing is a gap in the sentence, not a zero. */
export function withGaps(said: string, { kind, offCents, percent, priceCents }: CouponTerms): string {
  if ((kind === 1 || kind === 3) && offCents === null) return said.replace("可减 0 元", "可减 … 元");
  if ((kind === 2 || kind === 4) && percent === null) return said.replace("可打 10 折", "可打 … 折");
  return kind === 5 && priceCents === null ? said.replace("可用 0 元", "可用 … 元") : said;
}

/** What all of them may cost together; nothing while a part of it is missing. */
export function liabilityOf(form: CampaignForm): { readonly each: number; readonly total: number; readonly cents: number } | undefined {
  const each = worthMost(termsOf(form) as Partial<CouponTerms>);
  const { total } = form.values;
  if (each === undefined || total === undefined || Number.isNaN(total)) return undefined;
  return { each, total, cents: each * total };
}

const today = (): string => shanghaiDay(Date.now());
/** What a new one begins with: received from now on for thirty days, good for seven days from the next day on. */
export const blank = (without: readonly string[] = []) => ({
  name: "",
  terms: {
    kind: 1,
    validity: { mode: 3, wait: 0, count: 7, unit: "day" },
    goodsTags: [],
    skus: [],
    maxUnits: 1,
    weekdays: [],
    windows: [],
    excluded: [],
    methods: ["OFF_LINE"],
    storeIds: [],
    levels: [],
    memberTags: [],
    newOnly: false,
    without: [...without],
    graceDays: 0,
    note: "",
  } as never,
  perPerson: 1,
  perPersonDay: null,
  perDay: null,
  beginsAt: dayStart(today()) as never,
  endsAt: dayStart(addDays(today(), 30)) as never,
  listed: true,
  carrier: "NONE" as const,
});
/** What an endpoint's form has in common with the one for a new campaign. */
export const asCampaignForm = <E extends Endpoint>(form: Form<E>): CampaignForm => form as unknown as CampaignForm;
