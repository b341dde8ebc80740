import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { quotePrice } from "../contract.ts";
import type { PriceAsk } from "./contributor.ts";
import { factsOf, linesOf, sealQuote } from "./price-order.ts";
import { best } from "./rules/best.ts";
import { type Facts, grossOf, NO_WISH, sum, type Wish } from "./rules/facts.ts";
import { price } from "./rules/price.ts";

const MOST_CENTS = 999_999_999;

/** 收银报价: the price of these lines now, with why what was asked for does not apply. Nothing is set aside. */
export const quotePriceRoute = implement(quotePrice, async ({ tx, services, scope, now, now_ms }, input) => {
  const { provider, merchant, stores } = scope;
  const store_id = stores?.[0];
  if (!provider || !merchant || !store_id) throw notFound("设备");
  if ((input.lines === undefined) === (input.grossCents === undefined)) throw invalid("lines", "请填写商品，或只填写金额");
  const lines = linesOf(input);
  if (sum(lines.map(grossOf)) > MOST_CENTS) throw invalid("lines", "订单金额不能超过 9,999,999.99 元");
  const ask: PriceAsk = { service_provider_id: provider, merchant_id: merchant, store_id, at: now, lines, coupons: input.coupons };
  const facts = await factsOf(tx, services, ask);
  const wished: Wish = { ...NO_WISH, points: input.points };
  const found = input.best
    ? best(facts, wished)
    : oneWay(facts, { ...wished, chosen: facts.offers.filter(({ source }) => source === "coupon").map(({ ref }) => ref) });
  const { priced, wish } = found;
  const { quote, until_ms } = sealQuote(services, ask, { wish, priced }, now_ms);
  return {
    quote,
    expiresAt: new Date(until_ms).toISOString() as never,
    grossCents: priced.gross_cents as never,
    discountCents: (priced.gross_cents - priced.money_cents) as never,
    paidCents: priced.money_cents as never,
    parts: priced.parts.map(({ source, name, off_cents }) => ({ source, name, offCents: off_cents as never })),
    refused: priced.refused.map(({ source, name, code, need_cents, short_cents }) => ({
      source,
      name,
      reason: code,
      needCents: (need_cents ?? null) as never,
      shortCents: (short_cents ?? null) as never,
    })),
    compared: found.compared,
    whole: found.whole,
  };
});

const oneWay = (facts: Facts, wish: Wish) => ({
  wish,
  priced: price(facts, wish),
  compared: 1,
  whole: true,
});
