import { sha256, seal, unseal } from "@zhangfang/server/crypto.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { together, type Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { contributorsOf, type PriceAsk, type VoucherAsk } from "./contributor.ts";
import type { Where } from "./customers.ts";
import { knownLines } from "./goods.ts";
import { limitsOf, overFace } from "./limits.ts";
import type { Pricing } from "./parts/place-parts.ts";
import { type Facts, type Line, NO_WISH, type Offer, type Wish } from "./rules/facts.ts";
import { price } from "./rules/price.ts";

/** How long a quote may be used. */
export const QUOTE_MS = 5 * 60_000;

/** Lines as a till sends them; an amount alone is one line that only offers for the whole order look at. */
export interface Rung {
  readonly lines?:
    | readonly {
        readonly place: number;
        readonly sku?: string | undefined;
        readonly name: string;
        readonly units: number;
        readonly unitCents: number;
        readonly tags?: readonly string[] | undefined;
        readonly noDiscount: boolean;
      }[]
    | undefined;
  readonly grossCents?: number | undefined;
}
/** The lines as they were rung up, in the order of their places. */
export function linesOf({ lines, grossCents }: Rung): Line[] {
  if (!lines) return [{ place: 1, name: "", units: 1, unit_cents: grossCents ?? 0 }];
  return lines
    .map(({ place, sku, name, units, unitCents, tags, noDiscount }) => ({
      place,
      name,
      units,
      unit_cents: unitCents,
      ...(sku !== undefined && { goods_no: sku }),
      ...(tags !== undefined && tags.length > 0 && { tags }),
      ...(noDiscount && { no_discount: true }),
    }))
    .toSorted((a, b) => a.place - b.place);
}

/** 手工优惠, as an offer among the others: chosen, and good for every line. */
export const MANUAL = "manual";
const manualOff = (off_cents: number): Offer => ({
  source: "manual",
  ref: MANUAL,
  name: "手工优惠",
  priority: 0,
  min_cents: 0,
  rule: { kind: "off", off_cents },
  provider_rate: 0,
  without: [],
});

/** Everything that might come off these lines there and then: of the lines as the shop knows them, asked of each contributor. */
export async function factsOf(tx: Transaction, services: Services, ask: PriceAsk, manual_cents: number): Promise<Facts> {
  const lines = await knownLines(tx, services, ask, ask.lines);
  const { coupons, quoted } = ask;
  const wanted = quoted === undefined ? coupons.length > 0 : quoted.length > 0;
  const [found, offered] = await together(tx, [
    async () => (wanted ? limitsOf(tx, services, ask) : undefined),
    () =>
      together(
        tx,
        contributorsOf(services).map((contributor) => () => contributor.offers(tx, services, { ...ask, lines })),
      ),
  ]);
  const offers: Offer[] = [...(manual_cents > 0 ? [manualOff(manual_cents)] : []), ...offered.flat()];
  const limits = offers.some(({ source }) => source === "coupon") ? found : undefined;
  // What is as always is not written down.
  const most = limits && (limits.whole < 1 || limits.item < 2) ? { whole: limits.whole, item: limits.item } : undefined;
  return { version: 1, at: ask.at, lines, offers, ...(most && { most }) };
}

/** What a quote promises: the same wish of the same lines for the same customer comes to the same. */
interface Quoted {
  readonly lines: string;
  readonly wish: Wish;
  /** The coupons that it uses, by their refs. */
  readonly coupons: readonly string[];
  /** Uses of platforms' vouchers, as they were named. */
  readonly vouchers?: readonly VoucherAsk[] | undefined;
  readonly member_id?: string | undefined;
  readonly manual_cents: number;
  readonly money_cents: number;
  readonly value_cents: number;
  readonly until_ms: number;
}
const keyOf = ({ config }: Services): Buffer => derivedKey(config.secret, "price-quote");
const placeOf = ({ service_provider_id, store_id }: Pick<Where, "service_provider_id" | "store_id">): string =>
  `quote:${service_provider_id}:${store_id}`;
const hashOf = (lines: readonly Line[]): string => sha256(JSON.stringify(lines)).toString("base64url");

/** Seals what was wished and what it came to, for this store alone. @param ask with the lines as they were rung up */
export function sealQuote(
  services: Services,
  ask: PriceAsk,
  { facts, wish, priced }: Pricing,
  manual_cents: number,
  now_ms: number,
): { quote: string; until_ms: number } {
  const until_ms = now_ms + QUOTE_MS;
  const { money_cents, value_cents } = priced;
  const { customer, vouchers } = ask;
  const used = new Set(facts.offers.flatMap(({ source, ref }) => (source === "coupon" ? [ref] : [])));
  const quoted: Quoted = {
    lines: hashOf(ask.lines),
    wish,
    coupons: wish.chosen.filter((ref) => used.has(ref)),
    vouchers,
    member_id: customer?.member_id,
    manual_cents,
    money_cents,
    value_cents,
    until_ms,
  };
  return { quote: seal(keyOf(services), placeOf(ask), JSON.stringify(quoted)), until_ms };
}

/** A price, and what of it a cashier took off: 手工优惠, and goods above the face of their voucher. */
type ByHand = Pricing & { readonly hand_cents: number };
/**
 * Prices an order by its quote, from what holds now.
 * @throws 400 at `quote` where it is none of this store's, too old, of other lines or of another customer; 409 `price.changed` with the new amount
 */
export async function priceOrder(
  tx: Transaction,
  services: Services,
  asked: Omit<PriceAsk, "coupons" | "quoted"> & { readonly quote: string; readonly now_ms: number },
): Promise<ByHand> {
  const quoted = openQuote(services, asked);
  if (quoted.until_ms < asked.now_ms) throw invalid("quote", "报价已过期，请重新报价");
  if (quoted.lines !== hashOf(asked.lines)) throw invalid("quote", "报价的商品或金额与订单不一致，请重新报价");
  if (quoted.member_id !== asked.customer?.member_id) throw invalid("quote", "报价的会员与订单不一致，请重新报价");
  const { quote: _quote, now_ms: _now_ms, vouchers: named, ...ask } = asked;
  const { vouchers = [] } = quoted;
  if (named && !isSame(named, vouchers)) throw invalid("platformVouchers", "平台券与报价不一致，请重新报价");
  const facts = await factsOf(tx, services, { ...ask, coupons: [], quoted: quoted.coupons, vouchers }, quoted.manual_cents);
  const priced = price(facts, quoted.wish);
  if (priced.money_cents !== quoted.money_cents || priced.value_cents !== quoted.value_cents) {
    const now = yuan(priced.money_cents);
    throw new Refusal(409, "price.changed", `价格有变化，应付 ${now} 元，请重新报价`, { paidCents: now });
  }
  return { facts, wish: quoted.wish, priced, hand_cents: quoted.manual_cents + overFace(facts, priced) };
}
const isSame = (some: readonly VoucherAsk[], others: readonly VoucherAsk[]): boolean =>
  some.length === others.length && some.every(({ id }) => others.some((other) => other.id === id));
/** What is wished of points and stored value, in cents of what they pay: so much at most. */
export interface Wished {
  readonly points_cents: number;
  readonly stored_cents: number;
}
/** Prices an order that was not quoted by what is wished now: the level by itself, points in whole steps, stored value as far as it is there. */
export async function priceWished(
  tx: Transaction,
  services: Services,
  ask: Omit<PriceAsk, "coupons" | "quoted">,
  { points_cents, stored_cents }: Wished,
): Promise<ByHand> {
  const facts = await factsOf(tx, services, { ...ask, coupons: [] }, 0);
  const [rule] = facts.offers.flatMap((offer) => (offer.rule.kind === "points" ? [offer.rule] : []));
  const points = rule ? Math.floor(points_cents / rule.step_cents) * rule.step_points : 0;
  const wish: Wish = { ...NO_WISH, points, stored_cents };
  return { facts, wish, priced: price(facts, wish), hand_cents: 0 };
}
function openQuote(services: Services, asked: Pick<Where, "service_provider_id" | "store_id"> & { readonly quote: string }): Quoted {
  try {
    return JSON.parse(unseal(keyOf(services), placeOf(asked), asked.quote)) as Quoted;
  } catch {
    throw invalid("quote", "报价无效，请重新报价");
  }
}
