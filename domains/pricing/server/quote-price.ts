import type { z } from "zod";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { cashierToPay } from "../../cashiers/server/index.ts";
import { type PriceSource, type priceTender, quotePrice } from "../contract.ts";
import { contributorsOf, type PriceAsk } from "./contributor.ts";
import { customersOf } from "./customers.ts";
import { checkManual, limitsOf, overFace } from "./limits.ts";
import { refusalOf, stepsOf } from "./parts/why-parts.ts";
import { factsOf, linesOf, MANUAL, sealQuote } from "./price-order.ts";
import { best } from "./rules/best.ts";
import { type Facts, grossOf, NO_WISH, type Part, type Priced, sum, type Wish } from "./rules/facts.ts";
import { leftOut, price } from "./rules/price.ts";

const MOST_CENTS = 999_999_999;
const most = (wish: "most" | number): number => (wish === "most" ? Number.MAX_SAFE_INTEGER : wish);

/** What is priced: lines as they were rung up, for whom, and what is wished of what may come off. */
interface QuoteAsk extends Omit<PriceAsk, "quoted"> {
  readonly points: number | "most";
  readonly storedValueCents: number | "most";
  readonly manualOffCents: number;
  /** Whether somebody may take so much off by hand: 手工优惠, and so much of it for goods above the face of their voucher. */
  readonly mayOff?: (off_cents: number, over_cents: number) => Promise<void>;
}
/**
 * The price of lines now, step by step, with why what was asked for does not apply. Nothing is set aside. Whoever asks knows the store and
 * has proved the customer.
 * @throws 400 at `lines` or `ticket`
 */
export async function quoteFor(
  tx: Transaction,
  services: Services,
  { coupons, points, storedValueCents, manualOffCents, mayOff, ...asked }: QuoteAsk,
): Promise<z.input<typeof quotePrice.output>> {
  const { lines } = asked;
  const gross_cents = sum(lines.map(grossOf));
  if (gross_cents > MOST_CENTS) throw invalid("lines", "订单金额不能超过 9,999,999.99 元");
  if (gross_cents === 0) throw invalid("lines", "订单金额须大于 0");
  const ask: PriceAsk = { ...asked, coupons };
  const facts = await factsOf(tx, services, ask, manualOffCents);
  const offered = (source: PriceSource) => facts.offers.some((offer) => offer.source === source);
  const unknown = (most(points) > 0 && !offered("points")) || (most(storedValueCents) > 0 && !offered("stored"));
  if (!ask.customer && unknown) throw invalid("ticket", "请先识别会员");
  const wished: Wish = {
    ...NO_WISH,
    chosen: [...(asked.vouchers ?? []).map(({ id }) => id), ...(manualOffCents > 0 ? [MANUAL] : [])],
    points: most(points),
    stored_cents: most(storedValueCents),
  };
  const found = coupons === "best" ? bestWay(facts, wished) : oneWay(facts, wished);
  const { priced, wish } = found;
  const over_cents = overFace(facts, priced);
  await mayOff?.(manualOffCents + over_cents, over_cents);
  const { quote, until_ms } = sealQuote(services, ask, { facts, wish, priced }, manualOffCents, services.clock.now_ms());
  const earns = [];
  for (const contributor of contributorsOf(services)) earns.push((await contributor.earns?.(tx, services, ask, priced)) ?? 0);
  return {
    quote,
    expiresAt: new Date(until_ms).toISOString() as never,
    grossCents: priced.gross_cents as never,
    valueCents: priced.value_cents as never,
    paidCents: priced.money_cents as never,
    lines: facts.lines.map((line, at) => {
      const net = priced.nets[at] ?? 0;
      return { place: line.place, grossCents: grossOf(line) as never, offCents: (grossOf(line) - net) as never, netCents: net as never };
    }),
    parts: priced.parts.map(partView),
    tenders: tendersOf(priced),
    steps: stepsOf(priced.gross_cents, priced.parts),
    refused: [...priced.refused, ...leftOut(facts, wish)].map(refusalOf),
    ...(found.ways !== undefined && { compared: found.ways }),
    earns: sum(earns),
  };
}

/** 收银报价. */
export const quotePriceRoute = implement(quotePrice, async ({ tx, services, scope, principal, now }, input) => {
  const { provider, merchant, stores } = scope;
  const store_id = stores?.[0];
  if (!provider || !merchant || !store_id) throw notFound("设备");
  if ((input.lines === undefined) === (input.grossCents === undefined)) throw invalid("lines", "请填写商品，或只填写金额");
  const where = { service_provider_id: provider, merchant_id: merchant, store_id, at: now };
  const mayOff = async (off_cents: number, over_cents: number): Promise<void> => {
    if (off_cents === 0) return;
    try {
      await cashierToPay(tx, { ...where, device_id: principal.id }, input.cashierCode, { paid_cents: 0, off_cents });
      checkManual(await limitsOf(tx, services, where), off_cents, sum(linesOf(input).map(grossOf)));
    } catch (error) {
      const why = error instanceof Refusal ? error.fields?.["manualOffCents"] : undefined;
      if (over_cents === 0 || why === undefined) throw error;
      throw invalid("platformVouchers", `平台券选的商品比券面多 ${yuan(over_cents)} 元，算手工优惠。${why}`);
    }
  };
  const { coupons, points, storedValueCents, manualOffCents, platformVouchers: vouchers } = input;
  return quoteFor(tx, services, {
    ...where,
    till_no: input.tillNo,
    lines: linesOf(input),
    customer: input.ticket === undefined ? undefined : await customersOf(services).open(tx, services, where, input.ticket),
    vouchers,
    coupons,
    points,
    storedValueCents,
    manualOffCents,
    mayOff,
  });
});

interface Way {
  readonly wish: Wish;
  readonly priced: Priced;
  readonly ways?: { readonly ways: number; readonly whole: boolean };
}
function bestWay(facts: Facts, asked: Wish): Way {
  const { wish, priced, compared, whole } = best(facts, asked);
  return { wish, priced, ways: { ways: compared, whole } };
}
/** All coupons that were read, as far as they may be used. */
function oneWay(facts: Facts, wish: Wish): Way {
  const chosen = [...wish.chosen, ...facts.offers.filter(({ source }) => source === "coupon").map(({ ref }) => ref)];
  return { wish: { ...wish, chosen }, priced: price(facts, { ...wish, chosen }) };
}

/** A part as a till is told it. */
export const partView = ({
  source,
  ref,
  name,
  off_cents,
  provider_cents,
  merchant_cents,
  points,
}: Omit<Part, "lines" | "step" | "gift_cents">) => ({
  source,
  ref,
  name,
  offCents: off_cents as never,
  providerCents: provider_cents as never,
  merchantCents: merchant_cents as never,
  ...(points > 0 && { points }),
});
/** What an order is paid with; nothing of a kind is left out. */
export const tendersOf = ({
  principal_cents,
  gift_cents,
  money_cents,
}: Pick<Priced, "principal_cents" | "gift_cents" | "money_cents">): z.input<typeof priceTender>[] =>
  Object.entries({ principal: principal_cents, gift: gift_cents, money: money_cents }).flatMap(([kind, cents]) =>
    cents > 0 ? [{ kind: kind as "money", cents: cents as never }] : [],
  );
