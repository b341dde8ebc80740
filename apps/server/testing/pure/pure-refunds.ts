import { planRefund } from "@zhangfang/domains/orders/server/testing/rules.ts";
import { back, type Given, NOTHING_GIVEN } from "@zhangfang/domains/pricing/server/testing/rules.ts";
import { planReturns } from "@zhangfang/domains/profit-sharing/server/testing/rules.ts";
import { amountOf, type Back, type Done, entry, pick, type PureMoney, type PureOrder, put, type Refund, type Steps } from "./pure-money.ts";

/** A refund with what it needs of the shares of its order. */
export const REFUND_STEPS: Pick<Steps, "refund" | "returns come" | "refund ends"> = {
  refund: (money, { at, part }) => {
    // Every other one of an order of which receivers have something.
    const held = at % 2 === 0 ? pick(money.orders, at, (one) => one.lines.some((line) => line.held_cents > 0)) : -1;
    const found = held < 0 ? pick(money.orders, at, () => true) : held;
    const order = money.orders[found];
    if (!order) return undefined;
    const { facts } = order;
    const taken_cents = facts.refunded_cents + facts.refunding_cents;
    const amount_cents = amountOf(part, facts.paid_cents - taken_cents);
    const plan = planRefund(facts, amount_cents, money.now_ms);
    if (plan.refusal !== undefined) return undefined;
    const { fee_cents } = plan;
    const cut = order.price && back(order.price.lines, order.price.paid, givenOf(order), { cents: amount_cents });
    if (order.price && !cut) throw new Error("the money would go back, and its part of the price not");
    const asked = { amount_cents, fee_back_cents: fee_cents };
    const returns = facts.shared_cents + facts.sharing_cents === 0 ? undefined : planReturns(facts, order.lines, asked, money.now_ms);
    if (returns?.refusal !== undefined) return undefined;
    const backs = (returns?.parts ?? []).flatMap((one, i): Back[] => {
      const cents = one.back_cents + one.borne_cents;
      return cents === 0 ? [] : [{ at: i, cents, borne: one.borne_cents > 0, state: "asked" }];
    });
    const back_cents = returns?.back_cents ?? 0;
    const next: PureOrder = {
      ...order,
      facts: {
        ...facts,
        value_refunding_cents: facts.value_refunding_cents + amount_cents,
        refunding_cents: facts.refunding_cents + amount_cents,
        refunding_fee_cents: facts.refunding_fee_cents + fee_cents,
        refund_count: facts.refund_count + 1,
        share_returning_cents: facts.share_returning_cents + back_cents,
        share_borne_cents: facts.share_borne_cents + (returns?.borne_cents ?? 0),
      },
      lines: order.lines.map((line, i) => ({ ...line, held_cents: line.held_cents - (backs.find((one) => one.at === i)?.cents ?? 0) })),
      refunds: [...order.refunds, { amount_cents, fee_cents, state: "out", backs, shared: false, cut }],
    };
    const entries = [
      entry("share-return-reserve", { merchant: back_cents, returning: -back_cents }),
      entry("refund-reserve", { merchant: fee_cents - amount_cents, fee: -fee_cents, refunding: amount_cents }),
    ];
    return put(money, found, next, entries, returns ? [[returns.back_cents + returns.borne_cents, backs.map((one) => one.cents)]] : []);
  },
  // What receivers give back arrives.
  "returns come": (money, { at }) => {
    const waits = (one: Back) => one.state === "asked" && !one.borne;
    const open = (one: Refund) => one.state === "out" && one.backs.some(waits);
    const found = pick(money.orders, at, (one) => one.refunds.some(open));
    const order = money.orders[found];
    const refund = order?.refunds.find(open);
    if (!order || !refund) return undefined;
    const come = refund.backs.filter(waits);
    const cents = come.reduce((sum, one) => sum + one.cents, 0);
    const { share_returning_cents, share_returned_cents } = order.facts;
    const next: PureOrder = {
      ...order,
      facts: { ...order.facts, share_returning_cents: share_returning_cents - cents, share_returned_cents: share_returned_cents + cents },
      lines: order.lines.map((line, i) => ({
        ...line,
        returned_cents: line.returned_cents + (come.find((one) => one.at === i)?.cents ?? 0),
      })),
      refunds: order.refunds.map((one) =>
        one === refund ? { ...one, backs: one.backs.map((back) => (waits(back) ? { ...back, state: "back" } : back)) } : one,
      ),
    };
    return put(money, found, next, [entry("share-return", { returning: cents, channel: -cents })]);
  },
  "refund ends": (money, { at, good }) => {
    const ready = (one: Refund) => one.state === "out" && (!good || one.backs.every((back) => back.borne || back.state === "back"));
    const found = pick(money.orders, at, (one) => one.refunds.some(ready));
    const order = money.orders[found];
    const refund = order?.refunds.find(ready);
    if (!order || !refund) return undefined;
    return good ? refundArrives(money, found, order, refund) : refundFails(money, found, order, refund);
  },
};

function refundArrives(money: PureMoney, at: number, order: PureOrder, refund: Refund): Done | undefined {
  const { facts } = order;
  const { amount_cents, fee_cents } = refund;
  const refunded_cents = facts.refunded_cents + amount_cents;
  const next: PureOrder = {
    ...order,
    facts: {
      ...facts,
      value_refunding_cents: facts.value_refunding_cents - amount_cents,
      value_refunded_cents: facts.value_refunded_cents + amount_cents,
      refunding_cents: facts.refunding_cents - amount_cents,
      refunded_cents,
      refunding_fee_cents: facts.refunding_fee_cents - fee_cents,
      refunded_fee_cents: facts.refunded_fee_cents + fee_cents,
      status: refunded_cents === facts.paid_cents ? 3 : 2,
    },
    refunds: order.refunds.map((one) => (one === refund ? { ...one, state: "done" } : one)),
  };
  return put(money, at, next, [entry("refund", { refunding: -amount_cents, channel: amount_cents })]);
}
// What was not sent is not needed, what came back stays, and nobody bears anything.
function refundFails(money: PureMoney, at: number, order: PureOrder, refund: Refund): Done | undefined {
  const { facts } = order;
  const { amount_cents, fee_cents, backs } = refund;
  const undone = backs.filter((one) => one.state === "asked");
  const sum = (borne: boolean) => undone.reduce((all, one) => all + (one.borne === borne ? one.cents : 0), 0);
  const next: PureOrder = {
    ...order,
    facts: {
      ...facts,
      value_refunding_cents: facts.value_refunding_cents - amount_cents,
      refunding_cents: facts.refunding_cents - amount_cents,
      refunding_fee_cents: facts.refunding_fee_cents - fee_cents,
      share_returning_cents: facts.share_returning_cents - sum(false),
      share_borne_cents: facts.share_borne_cents - sum(true),
    },
    lines: order.lines.map((line, i) => ({ ...line, held_cents: line.held_cents + (undone.find((one) => one.at === i)?.cents ?? 0) })),
    refunds: order.refunds.map((one) =>
      one === refund
        ? { ...one, state: "failed", backs: one.backs.map((back) => (back.state === "asked" ? { ...back, state: "cancelled" } : back)) }
        : one,
    ),
  };
  return put(money, at, next, [
    entry("refund-release", { merchant: amount_cents - fee_cents, fee: fee_cents, refunding: -amount_cents }),
    entry("share-return-release", { merchant: -sum(false), returning: sum(false) }),
  ]);
}

/** What of an order's price is back or on its way. */
export function givenOf({ refunds }: PureOrder): Given {
  const plus = (a: Given["points"], b: Given["points"]) =>
    Object.fromEntries(Object.keys({ ...a, ...b }).map((ref) => [ref, (a[ref] ?? 0) + (b[ref] ?? 0)]));
  return refunds
    .flatMap(({ cut, state }) => (cut && state !== "failed" ? [cut] : []))
    .reduce<Given>(
      (all, one) => ({
        ...all,
        value_cents: all.value_cents + one.value_cents,
        amount_cents: all.amount_cents + one.amount_cents,
        money_cents: all.money_cents + one.money_cents,
        points: plus(all.points, one.points),
        provider: plus(all.provider, one.provider),
      }),
      NOTHING_GIVEN,
    );
}
