import { RATE_ONE } from "@zhangfang/contract/money.ts";
import { addDays, addMonths, dayStart, shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import type { Line, Offer } from "../../../pricing/server/index.ts";
import { type CouponTerms, needsGoods, type Redemption } from "../../contract/index.ts";

/** The most that one coupon takes off, in cents: what the merchant owes for it until it is used or over (marketing.md 1). */
export const valueOf = ({ offCents, capCents }: Pick<CouponTerms, "offCents" | "capCents">): number => offCents ?? capCents ?? 0;

/** When a coupon is good: from inclusive, to exclusive. */
export interface Span {
  readonly from: string;
  readonly to: string;
}
/**
 * When a coupon that is received now is good. Days are whole and counted in Shanghai: seven days received on the 1st at 10:00 end with the
 * 7th. Months end with the same day of the month, at most its last (31 Jan + 1 month ends with the end of February). What is counted from
 * the receipt ends with the campaign at the latest.
 */
export function spanOf({ validity }: Pick<CouponTerms, "validity">, received_at: string, ends_at: string): Span {
  if (validity.mode === 2) return { from: dayStart(validity.from), to: dayStart(addDays(validity.to, 1)) };
  const first = addDays(shanghaiDay(received_at), validity.wait);
  const from = validity.wait === 0 ? received_at : dayStart(first);
  const months = validity.unit === "year" ? validity.count * 12 : validity.count;
  const end = dayStart(validity.unit === "day" ? addDays(first, validity.count) : addDays(addMonths(first, months), 1));
  return { from, to: Date.parse(ends_at) < Date.parse(end) ? ends_at : end };
}

type Hours = Pick<CouponTerms, "weekdays" | "windows" | "excluded">;
const sundayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();
const dayIsGood = ({ weekdays, excluded }: Hours, day: string): boolean =>
  (weekdays.length === 0 || weekdays.includes(sundayOf(day))) && !excluded.includes(day);
/** Whether a moment lies in the hours of the terms. A window over midnight belongs to the day on which it begins. */
export function isOpen(hours: Hours, at: string): boolean {
  const today = shanghaiDay(at);
  if (hours.windows.length === 0) return dayIsGood(hours, today);
  const clock = shanghaiTime(at).slice(11, 16);
  return hours.windows.some(({ from, to }) => {
    if (from < to) return from <= clock && clock < to && dayIsGood(hours, today);
    return clock >= from ? dayIsGood(hours, today) : clock < to && dayIsGood(hours, addDays(today, -1));
  });
}

/** Where and when somebody wants to use a coupon. */
export interface Using {
  readonly at: string;
  readonly store_id: string;
  readonly method: Redemption;
}
export type Bar = "hours" | "store" | "method";
/** What of the terms stands against using a coupon there and then. */
export function barOf(terms: CouponTerms, { at, store_id, method }: Using): Bar | undefined {
  if (!terms.methods.includes(method)) return "method";
  if (terms.storeIds.length > 0 && !terms.storeIds.includes(store_id)) return "store";
  return isOpen(terms, at) ? undefined : "hours";
}

/** The lines that a coupon goes by; nothing where every line is good. */
export const placesOf = (terms: CouponTerms, lines: readonly Line[]): readonly number[] | undefined =>
  needsGoods(terms.kind)
    ? lines
        .filter(
          ({ tags = [], goods_no }) =>
            tags.some((tag) => terms.goodsTags.includes(tag)) || (goods_no !== undefined && terms.skus.includes(goods_no)),
        )
        .map(({ place }) => place)
    : undefined;

function ruleOf({ kind, offCents, percent, priceCents, maxUnits }: CouponTerms): Offer["rule"] {
  const rate = RATE_ONE - (percent ?? 100) * (RATE_ONE / 100);
  if (kind === 2) return { kind: "rate", rate };
  if (kind === 4) return { kind: "units", rate, most_units: maxUnits };
  if (kind === 5) return { kind: "exchange", price_cents: priceCents ?? 0 };
  return { kind: "off", off_cents: offCents ?? 0 };
}
/** A coupon as an offer to pricing. */
export interface Held {
  readonly no: string;
  readonly name: string;
  readonly campaign_id: string;
  readonly version: number;
  readonly valid_to: string;
  readonly terms: CouponTerms;
  /** How many percent of what comes off the provider pays. */
  readonly provider_percent: number;
}
export function offerOf({ no, name, campaign_id, version, valid_to, terms, provider_percent }: Held, lines: readonly Line[]): Offer {
  const places = placesOf(terms, lines);
  return {
    source: "coupon",
    ref: no,
    name,
    priority: 0,
    ...(places !== undefined && { places }),
    min_cents: terms.minCents,
    rule: ruleOf(terms),
    ...(terms.capCents !== null && { cap_cents: terms.capCents }),
    provider_rate: provider_percent * (RATE_ONE / 100),
    without: terms.without,
    same: `${campaign_id}:${version}`,
    ends: valid_to,
  };
}
