import { sha256, seal, unseal } from "@zhangfang/server/crypto.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { contributorsOf, type PriceAsk } from "./contributor.ts";
import type { Pricing } from "./parts/place-parts.ts";
import type { Facts, Line, Wish } from "./rules/facts.ts";
import { price } from "./rules/price.ts";

/** How long a quote may be used. */
export const QUOTE_MS = 5 * 60_000;

/** Lines as a till sends them; an amount alone is one line that only offers for the whole order look at. */
export interface Rung {
  readonly lines?:
    | readonly {
        readonly goodsNo?: string | undefined;
        readonly name: string;
        readonly units: number;
        readonly unitCents: number;
        readonly noDiscount: boolean;
      }[]
    | undefined;
  readonly grossCents?: number | undefined;
}
export function linesOf({ lines, grossCents }: Rung): Line[] {
  if (!lines) return [{ place: 1, name: "", units: 1, unit_cents: grossCents ?? 0 }];
  return lines.map(({ goodsNo, name, units, unitCents, noDiscount }, at) => ({
    place: at + 1,
    name,
    units,
    unit_cents: unitCents,
    ...(goodsNo !== undefined && { goods_no: goodsNo }),
    ...(noDiscount && { no_discount: true }),
  }));
}

/** Everything that might come off these lines there and then, asked of each contributor. */
export async function factsOf(tx: Transaction, services: Services, ask: PriceAsk): Promise<Facts> {
  const offers = [];
  for (const contributor of contributorsOf(services)) offers.push(...(await contributor.offers(tx, services, ask)));
  return { version: 1, at: ask.at, lines: ask.lines, offers };
}

/** What a quote promises: the same wish of the same lines comes to the same. */
interface Quoted {
  readonly lines: string;
  readonly wish: Wish;
  readonly coupons: readonly string[];
  readonly money_cents: number;
  readonly until_ms: number;
}
const keyOf = ({ config }: Services): Buffer => derivedKey(config.secret, "price-quote");
const placeOf = ({ service_provider_id, store_id }: Pick<PriceAsk, "service_provider_id" | "store_id">): string =>
  `quote:${service_provider_id}:${store_id}`;
const hashOf = (lines: readonly Line[]): string => sha256(JSON.stringify(lines)).toString("base64url");

/** Seals what was wished and what it came to, for this store alone. */
export function sealQuote(
  services: Services,
  ask: PriceAsk,
  { wish, priced }: Omit<Pricing, "facts">,
  now_ms: number,
): { quote: string; until_ms: number } {
  const until_ms = now_ms + QUOTE_MS;
  const quoted: Quoted = { lines: hashOf(ask.lines), wish, coupons: ask.coupons, money_cents: priced.money_cents, until_ms };
  return { quote: seal(keyOf(services), placeOf(ask), JSON.stringify(quoted)), until_ms };
}

/**
 * Prices an order by its quote, from what holds now.
 * @throws 400 at `quote` where it is none of this store's, too old, or of other lines; 409 `price.changed` with the new amount
 */
export async function priceOrder(
  tx: Transaction,
  services: Services,
  asked: Omit<PriceAsk, "coupons"> & { quote: string; now_ms: number },
): Promise<Pricing> {
  const quoted = openQuote(services, asked);
  if (quoted.until_ms < asked.now_ms) throw invalid("quote", "报价已过期，请重新报价");
  if (quoted.lines !== hashOf(asked.lines)) throw invalid("quote", "报价的商品或金额与订单不一致，请重新报价");
  const { service_provider_id, merchant_id, store_id, at, lines } = asked;
  const facts = await factsOf(tx, services, { service_provider_id, merchant_id, store_id, at, lines, coupons: quoted.coupons });
  const priced = price(facts, quoted.wish);
  if (priced.money_cents !== quoted.money_cents) {
    const now = yuan(priced.money_cents);
    throw new Refusal(409, "price.changed", `价格有变化，应付 ${now} 元，请重新报价`, { paidCents: now });
  }
  return { facts, wish: quoted.wish, priced };
}
function openQuote(services: Services, asked: Pick<PriceAsk, "service_provider_id" | "store_id"> & { quote: string }): Quoted {
  try {
    return JSON.parse(unseal(keyOf(services), placeOf(asked), asked.quote)) as Quoted;
  } catch {
    throw invalid("quote", "报价无效，请重新报价");
  }
}
