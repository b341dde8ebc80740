import type { z } from "zod";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { type PriceSource, type priceWhy, priceRefusal } from "../../contract.ts";
import type { PricedOrder } from "../contributor.ts";
import { type Facts, grossOf, type Part, sum, type Why, type Wish } from "../rules/facts.ts";
import { leftOut, price } from "../rules/price.ts";
import { type ReadParts, readParts } from "./read-parts.ts";

type Told = z.input<typeof priceWhy>;
/** 为什么是这个价: what came off step by step, and why what did not. */
interface WhyPrice {
  readonly steps: Told[];
  readonly refused: Told[];
}
type Step = Pick<Part, "source" | "ref" | "name" | "off_cents" | "points">;

/** Each step in a sentence: what it took off, and what was left then. What is left after the last is paid in money. */
export function stepsOf(gross_cents: number, parts: readonly Step[]): Told[] {
  let left = gross_cents;
  return parts.map(({ source, ref, name, off_cents, points }) => {
    left -= off_cents;
    const spent = points > 0 ? `用 ${points} 积分，` : "";
    const gone = source === "short" ? "（付款时已不在，由商户承担）" : "";
    const text = `${name}：${spent}减 ${yuan(off_cents)}，剩 ${yuan(left)}${gone}`;
    return { source, ref, code: "off", text, numbers: { offCents: off_cents, leftCents: left, ...(points > 0 && { points }) } };
  });
}
/** Why something takes nothing off, with the number that was missing. */
export function refusalOf({ source, ref, name, code, need_cents, short_cents }: Why): Told {
  const missing = need_cents === undefined || short_cents === undefined ? "" : `（满 ${yuan(need_cents)}，还差 ${yuan(short_cents)}）`;
  const numbers = {
    ...(need_cents !== undefined && { needCents: need_cents }),
    ...(short_cents !== undefined && { shortCents: short_cents }),
  };
  return { source, ref, code, text: `${name}：${priceRefusal.label(code)}${missing}`, numbers };
}

/** The order, and what came off it where it came as an amount and has no parts. */
type Asked = Pick<PricedOrder, "service_provider_id" | "id"> & {
  readonly priced: boolean;
  readonly gross_cents: number;
  readonly coupon_cents: number;
  readonly free_coupon_cents: number;
};
/**
 * Why an order came to its price, as a till tells it of a quote: steps by the parts that are written down, so that they are the order's own
 * to the cent; refusals by its facts, as long as these are kept.
 * @param read its parts, where they were read before
 */
export async function whyPrice(tx: Transaction, order: Asked, read?: ReadParts): Promise<WhyPrice> {
  if (!order.priced) return { steps: stepsOf(order.gross_cents, ofAmount(order)), refused: [] };
  const { lines, paid } = read ?? (await readParts(tx, order));
  const kept = await tx
    .selectFrom("price_facts")
    .select("facts")
    .where("service_provider_id", "=", order.service_provider_id)
    .where("order_id", "=", order.id)
    .executeTakeFirst();
  return { steps: stepsOf(sum(lines.map(grossOf)), paid.parts), refused: kept ? refusedBy(kept.facts) : [] };
}
function refusedBy(text: string): Told[] {
  const { facts, wish } = JSON.parse(text) as { facts: Facts; wish: Wish };
  return [...price(facts, wish).refused, ...leftOut(facts, wish)].map(refusalOf);
}

function ofAmount({ coupon_cents, free_coupon_cents }: Asked): Step[] {
  const one = (source: PriceSource, name: string, off_cents: number): Step[] =>
    off_cents > 0 ? [{ source, ref: source, name, off_cents, points: 0 }] : [];
  return [...one("till", "收银优惠", coupon_cents - free_coupon_cents), ...one("channel", "通道免充值优惠", free_coupon_cents)];
}
