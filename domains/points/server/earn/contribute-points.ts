import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Contributor, Customer, PricedOrder, Used, Where } from "../../../pricing/server/index.ts";
import { holdPoints, type Holder, releasePoints, returnPoints, takePoints, usablePoints } from "../../../value-book/server/index.ts";
import { baseOf, earnedOf, keptOf, multipleOf } from "../rules/earn-rules.ts";
import { spendOffer } from "../rules/spend-rules.ts";
import { ruleOn } from "../rule/rule-on.ts";
import { keptOn } from "./follow-points.ts";
import { levelMultipleOf, memberOf } from "./members.ts";

const poster = ({ ids, clock }: Services) => ({ ids, now_ms: clock.now_ms() });
const pointsUsed = (used: readonly Used[]): number => used.reduce((sum, { points }) => sum + points, 0);
function holderOf({ service_provider_id, merchant_id, member_id, id }: PricedOrder): Holder {
  if (member_id === null) throw new Error(`order ${id} spends points and is nobody's`);
  return { service_provider_id, merchant_id, member_id };
}
async function earningOf(tx: Transaction, { service_provider_id, id }: PricedOrder) {
  const [earning] = await ask(
    tx,
    tx
      .selectFrom("point_earnings")
      .select(["base_cents", "earned", "kept", "rule_id"])
      .where("service_provider_id", "=", service_provider_id)
      .where("order_id", "=", id),
  );
  return earning;
}

interface Read {
  readonly found: Awaited<ReturnType<typeof ruleOn>>;
  readonly member: Awaited<ReturnType<typeof memberOf>>;
}
/** A customer is one object for one quote or order: what an offer read of them is what they earn by. */
const known = new WeakMap<Customer, Read>();
async function readOnce(tx: Transaction, where: Where, customer: Customer): Promise<Read> {
  const before = known.get(customer);
  if (before) return before;
  const [found, member] = await Promise.all([ruleOn(tx, where, where.at), memberOf(tx, where.service_provider_id, customer.member_id)]);
  known.set(customer, { found, member });
  return { found, member };
}

/** 积分 as a step of the price: what the rule lets a member spend, by the book. */
export const pointsContributor: Contributor = {
  source: "points",
  async offers(tx, _services, { customer, ...where }) {
    if (!customer) return [];
    const usableOf = (member_id: string) => usablePoints(tx, { ...where, member_id }, shanghaiDay(where.at));
    const [{ found, member }, usable] = await Promise.all([readOnce(tx, where, customer), usableOf(customer.member_id)]);
    if (!found?.rule.spend.on) return [];
    // 准会员 earn and don't spend, and neither does who is frozen.
    if (!member || member.stage !== 1 || member.status !== 1) return [];
    return spendOffer(found.rule.spend, member.id === customer.member_id ? usable : await usableOf(member.id), where);
  },
  hold: (tx, services, order, used) => holdPoints(tx, poster(services), holderOf(order), order, pointsUsed(used)),
  take: async (tx, services, order, used) =>
    (await takePoints(tx, poster(services), holderOf(order), order, pointsUsed(used))) ? [] : used.map(({ ref }) => ref),
  release: (tx, services, order) => releasePoints(tx, poster(services), holderOf(order), order),
  async giveBack(tx, services, order, refund_id, backs) {
    const points = backs.reduce((sum, { points_back }) => sum + points_back, 0);
    const found = await ruleOn(tx, order, new Date(services.clock.now_ms()).toISOString());
    await returnPoints(tx, poster(services), holderOf(order), order, { refund_id, points, grace_days: found?.rule.graceDays ?? 30 });
  },
  async earns(tx, services, { customer, ...where }, priced) {
    if (!customer) return 0;
    const { found, member } = await readOnce(tx, where, customer);
    if (!found?.rule.earn.on || !member) return 0;
    const { earn } = found.rule;
    const { service_provider_id, merchant_id } = where;
    const holder = { service_provider_id, merchant_id, member_id: member.id };
    const day = shanghaiDay(where.at);
    const level = await levelMultipleOf(tx, services, holder, { ...where, customer });
    const multiple = multipleOf(earn, { level, store_id: where.store_id, day, birthday: member.birthday });
    const base = baseOf(earn, { purpose: 0, money_cents: priced.money_cents, principal_cents: priced.principal_cents });
    return earnedOf(earn, base, multiple, earn.dayCap === null ? 0 : await keptOn(tx, holder, day));
  },
  async earned(tx, _services, order) {
    const earning = await earningOf(tx, order);
    return earning ? earning.kept : null;
  },
  async previewBack(tx, _services, order, back, except) {
    const earning = order.member_id === null ? undefined : await earningOf(tx, order);
    if (!earning || earning.kept === 0) return {};
    const { back: done } = await tx
      .selectFrom("refunds")
      .select((of) => of.fn.coalesce(of.fn.sum<number>(of("amount_cents", "+", of.ref("principal_cents"))), of.lit(0)).as("back"))
      .where("service_provider_id", "=", order.service_provider_id)
      .where("order_id", "=", order.id)
      .where("status", "in", [0, 1, 2])
      .$if(except !== undefined, (others) => others.where("id", "<>", except!))
      .executeTakeFirstOrThrow();
    const left = Math.max(0, earning.base_cents - done - back.money_cents - back.principal_cents);
    return { points_clawed: Math.max(0, earning.kept - keptOf(earning.earned, earning.base_cents, left)) };
  },
};
