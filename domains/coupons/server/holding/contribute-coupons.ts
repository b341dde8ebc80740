import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Contributor, PricedOrder, Used } from "../../../pricing/server/index.ts";
import type { CouponTerms } from "../../contract/index.ts";
import { offerOf } from "../rules/term-rules.ts";
import { earnSubsidy, takeBackSubsidy } from "../subsidies/post-subsidy.ts";
import { heldFor } from "./read-held.ts";
import { type Move, moveCoupons } from "./move-coupons.ts";

/** The coupons of an order as it stands with them; held until the end, in one order, but for a look. */
async function usesOf(tx: Transaction, { service_provider_id, id }: PricedOrder, { look = false } = {}) {
  const { rows } = await sql<{
    id: string;
    no: string;
    state: string;
    order_id: string | null;
    valid_to: string;
    revoked: boolean;
    use: string;
    terms: CouponTerms;
    name: string;
    kind: string;
  }>`select c.id, c.no, c.state, c.order_id, c.valid_to, c.revoked, u.state as use, t.terms, g.name, c.campaign_id || ':' || lpad(c.version::text, 10, '0') as kind
    from coupon_uses u join coupons c on c.service_provider_id = u.service_provider_id and c.id = u.coupon_id
    join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.campaign_id and t.version = c.version
    join coupon_campaigns g on g.service_provider_id = c.service_provider_id and g.id = c.campaign_id
    where u.service_provider_id = ${service_provider_id} and u.order_id = ${id} order by c.id ${look ? sql`` : sql`for no key update of c`}`.execute(
    tx,
  );
  return rows;
}
async function setUses(tx: Transaction, { service_provider_id, id }: PricedOrder, coupons: readonly string[], to: string): Promise<void> {
  if (coupons.length === 0) return;
  const set = await sql`update coupon_uses set state = ${to} where service_provider_id = ${service_provider_id} and order_id = ${id}
    and coupon_id = any(${[...coupons]}::uuid[])`.execute(tx);
  if (Number(set.numAffectedRows) !== coupons.length) throw new Error(`uses of order ${id} are gone`);
}
/** What becomes of a coupon that an order no longer needs. */
const freeState = ({ revoked, valid_to }: { revoked: boolean; valid_to: string }, now: string) =>
  revoked ? "DEACTIVATED" : valid_to <= now ? "EXPIRED" : "SENDED";

const sharesOf = ({ off_cents, provider_cents }: Used) => ({ off_cents, provider_cents });

/** 优惠券 as a step of the price. A coupon is one row: whoever changes it first has it. */
export const couponContributor: Contributor = {
  source: "coupon",
  async offers(tx, services, ask) {
    return (await heldFor(tx, services, ask)).map((held) => offerOf(held, ask.lines));
  },
  async hold(tx, services, order, used) {
    const now = new Date(services.clock.now_ms()).toISOString();
    const refs = used.map(({ ref }) => ref);
    const { rows } = await sql<{ id: string; no: string }>`select c.id, c.no from coupons c
      where c.service_provider_id = ${order.service_provider_id} and c.merchant_id = ${order.merchant_id} and c.no = any(${refs}::text[])
        and c.state = 'SENDED' and c.valid_from <= ${now} and c.valid_to > ${now} order by c.id for no key update`.execute(tx);
    // The same once more finds them held by this very order.
    if (rows.length === 0 && (await usesOf(tx, order)).length === used.length) return;
    if (rows.length !== used.length) throw conflict("优惠券已被使用或已过期，请重新报价", "coupon.gone");
    await moveCoupons(tx, services, order, rows, { to: "LOCKED", cause: "order", order_id: order.id });
    for (const { id, no } of rows)
      await tx
        .insertInto("coupon_uses")
        .values({
          service_provider_id: order.service_provider_id,
          merchant_id: order.merchant_id,
          order_id: order.id,
          coupon_id: id,
          state: "HELD",
          ...sharesOf(used.find(({ ref }) => ref === no)!),
          at: now,
        })
        .execute();
  },
  async take(tx, services, order, used) {
    const uses = await usesOf(tx, order);
    const open = uses.filter(({ use }) => use === "HELD" || use === "RELEASED");
    // Paid after it was closed: what is free, or merely over, is used all the same; what somebody else has the merchant bears.
    const there = open.filter(({ use, state, order_id }) =>
      use === "HELD" ? order_id === order.id : state === "SENDED" || state === "EXPIRED",
    );
    const gone = open.filter((one) => !there.includes(one));
    const move: Move = { to: "USED", cause: "paid", order_id: order.id, store_id: order.store_id };
    await moveCoupons(tx, services, order, there, move);
    await setUses(tx, order, idsOf(there), "TAKEN");
    await setUses(tx, order, idsOf(gone), "BORNE");
    const borne = new Set([...gone, ...uses.filter(({ use }) => use === "BORNE")].map(({ no }) => no));
    return used.flatMap(({ ref }) => (borne.has(ref) ? [ref] : []));
  },
  async release(tx, services, order) {
    const held = (await usesOf(tx, order)).filter(({ use }) => use === "HELD");
    await letGo(tx, services, order, held, { cause: "closed" });
    await setUses(tx, order, idsOf(held), "RELEASED");
  },
  async giveBack(tx, services, order, refund_id, backs) {
    if (!backs.some(({ whole }) => whole)) return;
    const taken = (await usesOf(tx, order)).filter(({ use }) => use === "TAKEN");
    await letGo(tx, services, order, taken, { cause: "refund", refund_id });
    await setUses(tx, order, idsOf(taken), "RETURNED");
  },
  bookTaken: (tx, services, order) => earnSubsidy(tx, services, order),
  bookGiven: (tx, services, order, refund_id, backs) =>
    takeBackSubsidy(
      tx,
      services,
      order,
      refund_id,
      backs.reduce((sum, { provider_back }) => sum + provider_back, 0),
    ),
  async previewBack(tx, services, order, back) {
    const now_ms = services.clock.now_ms();
    const taken = (await usesOf(tx, order, { look: true })).filter(({ use }) => use === "TAKEN");
    // What the provider pays of it is owed no longer.
    const subsidy = taken.reduce((sum, { no }) => sum + (back.provider[no] ?? 0), 0);
    return {
      ...(subsidy > 0 && { gifts: [`服务商补贴收回 ${yuan(subsidy)} 元`] }),
      coupons: taken.map(({ no, name, terms, ...coupon }) => ({
        no,
        name,
        back: back.whole,
        why: back.whole ? backWords(coupon, terms, now_ms) : "部分退款不退券，整单退完才退",
      })),
    };
  },
};
const idsOf = (coupons: readonly { readonly id: string }[]): string[] => coupons.map(({ id }) => id);

/** Until when a coupon that comes back is good: its own end, or so many days from now where it would be over (退券顺延). */
export function backUntil(valid_to: string, { graceDays }: Pick<CouponTerms, "graceDays">, now_ms: number): string {
  if (graceDays === 0 || Date.parse(valid_to) > now_ms) return valid_to;
  return dayStart(addDays(shanghaiDay(now_ms), graceDays + 1));
}
function backWords(coupon: { readonly valid_to: string; readonly revoked: boolean }, terms: CouponTerms, now_ms: number): string {
  if (coupon.revoked) return "券已作废，不再可用";
  const until = backUntil(coupon.valid_to, terms, now_ms);
  const last = shanghaiDay(Date.parse(until) - 1);
  return Date.parse(until) > now_ms ? `退回，可用到 ${last}` : "退回，已过期";
}
type Taken = Awaited<ReturnType<typeof usesOf>>[number];
/** Coupons that an order no longer needs: usable again, or whatever they have become meanwhile. */
async function letGo(
  tx: Transaction,
  services: Services,
  order: PricedOrder,
  coupons: readonly Taken[],
  why: { readonly cause: "closed" | "refund"; readonly refund_id?: string },
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  // One campaign after another, as what is out of them is counted (`coupon_outs`): two orders never wait for each other.
  for (const coupon of coupons.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))) {
    const valid_to = why.cause === "refund" ? backUntil(coupon.valid_to, coupon.terms, now_ms) : coupon.valid_to;
    const to = freeState({ ...coupon, valid_to }, now);
    await moveCoupons(tx, services, order, [coupon], { ...why, to, order_id: order.id, ...(valid_to !== coupon.valid_to && { valid_to }) });
  }
}
