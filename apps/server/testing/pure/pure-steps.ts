import { feeOf } from "@zhangfang/domains/money/server/index.ts";
import { planShare } from "@zhangfang/domains/profit-sharing/server/testing/rules.ts";
import {
  amountRefusal,
  less,
  PARTS,
  type Parts,
  type PayoutTerms,
  splitFee,
  takeBack,
  withdrawalFee,
} from "@zhangfang/domains/commissions/server/testing/rules.ts";
import { type Line, NO_WISH, type Offer, price, type Wish } from "@zhangfang/domains/pricing/server/testing/rules.ts";
import type { Entry } from "./pure-book.ts";
import { amountOf, type Done, entry, frozen, iso, pick, type PureMoney, type PureOrder, put, type Steps } from "./pure-money.ts";
import { RECEIVERS } from "./pure-ops.ts";
import { REFUND_STEPS } from "./pure-refunds.ts";

const DAY_MS = 86_400_000;
const PAYOUT: PayoutTerms = {
  min_cents: 1,
  fee_fixed_cents: 1,
  fee_rate: 1_000,
  freeze_days: 0,
  unapproved_up_to_cents: 0,
  weekdays: [1, 2, 3, 4, 5, 6, 7],
  from_hour: 0,
  to_hour: 24,
  pays_wechat: true,
};
const NEW = {
  status: 2,
  unfrozen_at: null,
  refunding_cents: 0,
  refunded_cents: 0,
  refunding_fee_cents: 0,
  refunded_fee_cents: 0,
  refund_count: 0,
  purpose: 0,
  principal_cents: 0,
  gift_cents: 0,
  value_refunding_cents: 0,
  value_refunded_cents: 0,
  sharing_cents: 0,
  shared_cents: 0,
  share_returned_cents: 0,
  share_returning_cents: 0,
  share_borne_cents: 0,
} as const;

const ENOUGH = { balance: 200_000, least_points: 0 } as const;
const OFFER = { name: "", priority: 0, min_cents: 0, provider_rate: 0, without: [] } as const;
/** An order of three units, of which a coupon and points take their part. */
function priceOf(gross: number, off: "coupon" | "points" | "both"): PureOrder["price"] {
  const unit_cents = Math.floor(gross / 3);
  const lines: Line[] = [
    { place: 1, name: "", units: 3, unit_cents },
    { place: 2, name: "", units: 1, unit_cents: gross - 3 * unit_cents },
  ];
  const offers: Offer[] = [
    { ...OFFER, source: "coupon", ref: "coupon", provider_rate: 70_000, rule: { kind: "off", off_cents: Math.ceil(gross / 3) } },
    { ...OFFER, source: "points", ref: "points", rule: { kind: "points", ...ENOUGH, step_points: 100, step_cents: 7, most_rate: 50_000 } },
  ];
  const wish: Wish = { ...NO_WISH, chosen: off === "points" ? [] : ["coupon"], points: off === "coupon" ? 0 : 100_003 };
  return { lines, paid: price({ version: 1, at: "2026-11-20T04:00:00Z", lines, offers }, wish) };
}

export const PURE_STEPS: Steps = {
  pay: (money, { paid: gross, off, terms, frozen: profit_sharing, tool }) => {
    const price = off === "nothing" ? undefined : priceOf(gross, off);
    const paid = price?.paid.money_cents ?? gross;
    const fee_cents = feeOf(paid, terms.merchant_rate);
    const facts = { ...NEW, tool, profit_sharing, paid_at: iso(money.now_ms), paid_cents: paid, fee_cents };
    const order: PureOrder = { facts, terms, refunds: [], share: undefined, lines: [], parts: undefined, price };
    return put(
      money,
      money.orders.length,
      order,
      [entry("payment", { channel: -paid, merchant: paid - fee_cents, fee: fee_cents })],
      [
        [paid, [paid - fee_cents, fee_cents]],
        [gross, [paid, ...(price?.paid.parts ?? []).flatMap(({ provider_cents, merchant_cents }) => [provider_cents, merchant_cents])]],
      ],
    );
  },
  share: (money, { at, ratios, max_ratio, unfreeze }) => {
    const found = pick(money.orders, at, (one) => one.share === undefined && one.facts.profit_sharing);
    const order = money.orders[found];
    const plan = order && planShare(order.facts, ratios, max_ratio, money.now_ms);
    if (!order || !plan || plan.refusal !== undefined) return undefined;
    const { total_cents, parts } = plan;
    const facts = { ...order.facts, sharing_cents: order.facts.sharing_cents + total_cents };
    const share = { total_cents, parts, unfreeze };
    return put(
      money,
      found,
      { ...order, facts, share },
      [entry("share-reserve", { merchant: -total_cents, sharing: total_cents })],
      [[total_cents, parts]],
    );
  },
  "share ends": (money, { at, closed }) => {
    const found = pick(money.orders, at, (one) => one.share !== undefined);
    const order = money.orders[found];
    if (!order?.share) return undefined;
    const { total_cents, parts, unfreeze } = order.share;
    // The fourth receiver is a person, who cannot give back.
    const got = parts
      .map((cents, i) => ({ id: String(i), cents, arrived: cents > 0 && ((closed >> i) & 1) === 0 }))
      .filter((one) => one.arrived);
    const done = got.reduce((sum, one) => sum + one.cents, 0);
    const facts = {
      ...order.facts,
      sharing_cents: order.facts.sharing_cents - total_cents,
      shared_cents: order.facts.shared_cents + done,
      ...(unfreeze && { unfrozen_at: iso(money.now_ms) }),
    };
    const arrived = got.map(({ id, cents }) => ({
      id: `${order.lines.length}-${id}`,
      type: id === "3" ? "PERSONAL_OPENID" : "MERCHANT_ID",
      held_cents: cents,
      got_cents: cents,
      returned_cents: 0,
      finished_at: iso(money.now_ms),
    }));
    return put(money, found, { ...order, facts, share: undefined, lines: [...order.lines, ...arrived] }, [
      entry("share", { sharing: -done, channel: done }),
      entry("share-release", { sharing: done - total_cents, merchant: total_cents - done }),
    ]);
  },
  ...REFUND_STEPS,
  "share fees": shareFees,
  withdraw: (money, { who, part }) => {
    const has = money.claims.balance(`available ${who}`);
    // Two fees near the limit come to more than a number holds; the product's own columns are read as numbers within it.
    if (has > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
    const amount_cents = amountOf(part, Math.max(0, Number(has)));
    if (amountRefusal(PAYOUT, amount_cents, Number(has)) !== undefined) return undefined;
    const hold = entry("withdrawal-hold", { [`available ${who}`]: -amount_cents, [`frozen ${who}`]: amount_cents });
    if (!money.claims.post([hold])) return undefined;
    money.withdrawals.push(frozen({ who, amount_cents, fee_cents: withdrawalFee(PAYOUT, amount_cents), state: "held" }));
    return {};
  },
  "withdrawal ends": (money, { at, how }) => {
    const from = how === "returned" ? "paid" : "held";
    const found = pick(money.withdrawals, at, (one) => one.state === from);
    const one = money.withdrawals[found];
    if (!one) return undefined;
    const { who, amount_cents: all, fee_cents } = one;
    const [available, held, paid] = [`available ${who}`, `frozen ${who}`, `paid ${who}`];
    const moves = {
      paid: { [held]: -all, [paid]: all - fee_cents, "withdrawal-fee": fee_cents },
      released: { [held]: -all, [available]: all },
      returned: { [paid]: fee_cents - all, "withdrawal-fee": -fee_cents, [available]: all },
    };
    if (!money.claims.post([entry(`withdrawal-${how}`, moves[how])])) return undefined;
    money.withdrawals[found] = frozen({ ...one, state: how });
    return { cuts: [[all, [all - fee_cents, fee_cents]]] };
  },
  "days pass": (money, { days }) => {
    money.now_ms += Math.round(days * DAY_MS);
    return {};
  },
};

/** The fees of all that was paid and refunded since, as the nightly posting shares them: all of an order's or none of it. */
function shareFees(money: PureMoney): Done | undefined {
  const cuts: [number, readonly number[]][] = [];
  const entries: Entry[] = [];
  const moved = (sign: 1 | -1, parts: Parts, fee_cents: number): void => {
    cuts.push([fee_cents, PARTS.map((one) => parts[one])]);
    const got: Record<string, number> = { fees: -sign * fee_cents, cost: sign * parts.cost, kept: sign * parts.provider };
    for (const who of RECEIVERS) got[`available ${who}`] = sign * (parts[who] + (who === "agent" ? parts.difference : 0));
    entries.push(entry("commission", got));
  };
  const shared = money.orders.map((order) => {
    if (order.parts && order.refunds.every((one) => one.shared || one.state !== "done")) return order;
    let parts = order.parts;
    if (!parts) moved(1, (parts = splitFee(order.facts.fee_cents, order.terms)), order.facts.fee_cents);
    const refunds = order.refunds.map((one) => {
      if (one.shared || one.state !== "done") return one;
      const clawed = takeBack(parts!, one.fee_cents);
      parts = less(parts!, clawed);
      moved(-1, clawed, one.fee_cents);
      return { ...one, shared: true };
    });
    return frozen({ ...order, parts, refunds });
  });
  if (entries.length === 0 || !money.claims.post(entries)) return undefined;
  money.orders.splice(0, money.orders.length, ...shared);
  return { cuts };
}
