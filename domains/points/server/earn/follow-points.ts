import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { addPoints, clawPoints, type Holder, lockHolder } from "../../../value-book/server/index.ts";
import { baseOf, earnedOf, keptOf, multipleOf } from "../rules/earn-rules.ts";
import { expiresOn } from "../rules/expiry-rules.ts";
import { ruleOn } from "../rule/rule-on.ts";
import { levelMultipleOf, memberOf } from "./members.ts";

interface Which {
  readonly service_provider_id: string;
  readonly order_id: string;
}
/** An order that turned out to be a member's. */
export const followPointsJob = job({
  name: "follow-points",
  data: z.object({ service_provider_id: z.uuid(), order_id: z.uuid() }),
  run: (services, which) => followPoints(services, which),
});
/**
 * Books what an order earned and what its refunds take back of that, from the order as it is now, in one transaction under the member's
 * lock: however often it is called, and in whatever order, the end is the same.
 */
export async function followPoints(services: Services, which: Which): Promise<void> {
  await withScope(services.pool, platformScope("follow points"), async (tx) => {
    const order = await orderOf(tx, which);
    if (order.member_id === null || (order.status !== 2 && order.status !== 3) || order.paid_at === null) return;
    const known = await earningOf(tx, which);
    const member = await memberOf(tx, which.service_provider_id, known?.member_id ?? order.member_id);
    if (!member) return;
    const holder = { service_provider_id: which.service_provider_id, merchant_id: order.merchant_id, member_id: member.id };
    await lockHolder(tx, holder);
    const earning = (await earningOf(tx, which)) ?? (await earn(tx, services, order, holder, member));
    if (earning) await claw(tx, services, order, holder, earning);
  });
}

const orderOf = (tx: Transaction, { service_provider_id, order_id }: Which) =>
  tx
    .selectFrom("pay_orders")
    .select(["id", "merchant_id", "store_id", "member_id", "purpose", "status", "paid_at", "paid_cents", "principal_cents"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", order_id)
    .executeTakeFirstOrThrow();
type Order = Awaited<ReturnType<typeof orderOf>>;
const earningOf = (tx: Transaction, { service_provider_id, order_id }: Which) =>
  tx
    .selectFrom("point_earnings")
    .select(["member_id", "rule_id", "base_cents", "earned", "kept"])
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", order_id)
    .executeTakeFirst();
type Earning = NonNullable<Awaited<ReturnType<typeof earningOf>>>;

/** Σ kept of a member and a day of payment. */
export async function keptOn(tx: Transaction, { service_provider_id, member_id }: Holder, day: string): Promise<number> {
  const { kept } = await tx
    .selectFrom("point_earnings")
    .select((of) => of.fn.coalesce(of.fn.sum<number>("kept"), of.lit(0)).as("kept"))
    .where("service_provider_id", "=", service_provider_id)
    // With whoever was merged into them.
    .where(
      sql<boolean>`member_id in (select f.id from members f where f.service_provider_id = ${service_provider_id}
        and ${member_id}::uuid in (f.id, f.merged_into))`,
    )
    .where("paid_on", "=", day)
    .executeTakeFirstOrThrow();
  return kept;
}

/** @returns nothing where no rule counts the order, or the member has left */
async function earn(
  tx: Transaction,
  services: Services,
  order: Order,
  holder: Holder,
  { birthday, status }: { readonly birthday: string | null; readonly status: number },
): Promise<Earning | undefined> {
  const paid_at = order.paid_at ?? "";
  const found = await ruleOn(tx, holder, paid_at);
  if (!found?.rule.earn.on || status === 4) return undefined;
  const { earn: rule, expiry } = found.rule;
  const base_cents = baseOf(rule, { purpose: order.purpose, money_cents: order.paid_cents, principal_cents: order.principal_cents });
  if (base_cents === 0) return undefined;
  const paid_on = shanghaiDay(paid_at);
  const level = await levelMultipleOf(tx, services, holder, { store_id: order.store_id, at: paid_at });
  const multiple = multipleOf(rule, { level, store_id: order.store_id, day: paid_on, birthday });
  const earned = earnedOf(rule, base_cents, multiple, await keptOn(tx, holder, paid_on));
  const earning = { ...holder, rule_id: found.id, base_cents, earned, kept: earned };
  await tx
    .insertInto("point_earnings")
    .values({ ...earning, order_id: order.id, store_id: order.store_id, paid_on, multiple })
    .execute();
  const usable_from = addDays(paid_on, rule.pendingDays);
  const now_ms = services.clock.now_ms();
  if (earned > 0)
    await addPoints(tx, { ids: services.ids, now_ms }, holder, {
      cause: "points-earned",
      cause_id: order.id,
      points: earned,
      usable_from,
      expires_on: expiresOn(expiry, usable_from, paid_on),
      order_id: order.id,
      store_id: order.store_id,
    });
  return earning;
}

/** What card refunds paid offline of a recharge's order, at whoever's hands its lots were: no refund of the order tells it. */
async function paidOffline(tx: Transaction, { service_provider_id, order_id }: Which): Promise<number> {
  const { rows } = await sql<{ cents: number }>`with recursive down (id) as (
      select r.lot_id from recharges r where r.service_provider_id = ${service_provider_id} and r.order_id = ${order_id}
      union all select o.id from value_lots o join down on o.from_lot = down.id where o.service_provider_id = ${service_provider_id})
    select coalesce(sum(c.pays_cents), 0)::bigint as cents from down
    join card_refunds c on c.service_provider_id = ${service_provider_id} and c.lot_id = down.id and c.way = 1 and c.status = 2`.execute(
    tx,
  );
  return rows[0]?.cents ?? 0;
}
/** The refunds of an order that are done, the newest first, and whether their claw stands in the book. */
const refundsOf = (tx: Transaction, { service_provider_id, order_id }: Which) =>
  tx
    .selectFrom("refunds as r")
    .leftJoin("value_entries as e", (on) =>
      on.onRef("e.service_provider_id", "=", "r.service_provider_id").onRef("e.cause_id", "=", "r.id").on("e.cause", "=", "points-claw"),
    )
    .select(["r.id", "r.amount_cents", "r.principal_cents", "e.id as told"])
    .where("r.service_provider_id", "=", service_provider_id)
    .where("r.order_id", "=", order_id)
    .where("r.status", "=", 2)
    .orderBy("r.created_at", "desc")
    .orderBy("r.id", "desc")
    .execute();
/** What of an order's base is back, and its refunds. */
async function backOf(tx: Transaction, which: Which, { purpose }: Pick<Order, "purpose">) {
  const backs = await refundsOf(tx, which);
  const offline_cents = purpose === 1 ? await paidOffline(tx, which) : 0;
  return {
    backs,
    back_cents: backs.reduce((sum, one) => sum + one.amount_cents + (purpose === 0 ? one.principal_cents : 0), offline_cents),
  };
}
const keptAfter = ({ earned, base_cents }: Earning, back_cents: number): number =>
  keptOf(earned, base_cents, Math.max(0, base_cents - back_cents));
/** Writes down what is kept from now on of what an order earned. @returns how much less it is than before, and the refunds */
async function keepLess(tx: Transaction, which: Which, purpose: Pick<Order, "purpose">, earning: Earning) {
  const { backs, back_cents } = await backOf(tx, which, purpose);
  const kept = keptAfter(earning, back_cents);
  if (kept >= earning.kept) return { less: 0, backs };
  mustChange(
    await tx
      .updateTable("point_earnings")
      .set({ kept })
      .where("service_provider_id", "=", which.service_provider_id)
      .where("order_id", "=", which.order_id)
      .where("kept", "=", earning.kept)
      .executeTakeFirst(),
    () => new Error(`the earning of order ${which.order_id} is gone`),
  );
  return { less: earning.kept - kept, backs };
}
/** What refunds that are done took of the base; the claw is told under the newest of them that has none yet. */
async function claw(tx: Transaction, services: Services, order: Order, holder: Holder, earning: Earning): Promise<void> {
  const { less, backs } = await keepLess(tx, { service_provider_id: holder.service_provider_id, order_id: order.id }, order, earning);
  if (less === 0) return;
  const refund = backs.find(({ told }) => told === null);
  if (!refund) throw new Error(`the claws of order ${order.id} and its refunds disagree`);
  const poster = { ids: services.ids, now_ms: services.clock.now_ms() };
  await clawPoints(tx, poster, holder, order, { refund_id: refund.id, points: less });
}
/**
 * A card refund of a recharge was paid offline: what its order earned is kept in proportion, as after a refund of the order. The caller
 * holds the member.
 * @returns the points that are to be clawed, under the card refund's own number
 */
export async function unearnRecharge(tx: Transaction, which: Which): Promise<number> {
  const earning = await earningOf(tx, which);
  return earning ? (await keepLess(tx, which, { purpose: 1 }, earning)).less : 0;
}
/** What a card refund of so many cents would take back of what a recharge's order earned, on the order or past it. */
export async function earnedBackOf(tx: Transaction, which: Which): Promise<(pays_cents: number) => number> {
  const earning = await earningOf(tx, which);
  if (!earning) return () => 0;
  const { back_cents } = await backOf(tx, which, { purpose: 1 });
  return (pays_cents) => Math.max(0, earning.kept - keptAfter(earning, back_cents + pays_cents));
}
