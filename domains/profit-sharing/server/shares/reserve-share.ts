import { sql } from "kysely";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { postShareReserve } from "../../../money/server/index.ts";
import { shareAmountsOf } from "../share-amounts.ts";
import { type OrderRow, posterOf, type SharingRow, walletOf } from "../rows.ts";
import { tellNotAwaited } from "../tell-waiting.ts";
import { type Expected, failedReceiversOf, receiversOf, ruleOf } from "./rule-of.ts";
import { limitsOf, planShare, type SharingPlan, waitsUntil } from "./sharing-rules.ts";

export interface Planned extends SharingPlan {
  /** What went back to the payer, is on its way there, or hangs at the channel on its way there. */
  readonly refunded_cents: number;
  readonly receivers: readonly Expected[];
  readonly unfreeze: boolean;
  /** It waits for those whom the channel has not answered for. */
  readonly waits: boolean;
  /** Those, where it waits no longer. */
  readonly given_up: readonly string[];
}
export interface Refused {
  readonly why: string;
  /** There is nothing to share, rather than a reason not to. */
  readonly nothing: boolean;
  /** It is asked again by itself. */
  readonly waits: boolean;
}
const namesOf = (some: readonly Expected[]): string[] => some.map(({ receiver }) => receiver.alias);
/**
 * What a share of this order would be by the merchant's rule as it is now; one that is made again for those who did not get their part is
 * theirs alone, and what they did not get. While the channel has not answered for one of them it waits, for what is let go or shared among
 * the others does not come back; a day before the channel lets the money go it is the others' all the same. The order is held by whoever
 * reserves.
 */
export async function planByRule(tx: Transaction, order: OrderRow, share: SharingRow, now_ms: number): Promise<Planned> {
  const wallet = walletOf(order);
  const rule = await ruleOf(tx, order, wallet);
  const again = share.again_of === null ? undefined : await failedReceiversOf(tx, order, share.again_of, wallet);
  const expected = rule ? (again?.receivers ?? (await receiversOf(tx, order, rule, wallet))) : [];
  const awaited = namesOf(expected.filter((one) => one.awaited));
  const waiting = awaited.length > 0 && now_ms < waitsUntil(order);
  const receivers = waiting ? expected : expected.filter((one) => !one.awaited);
  const hanging = await hangingRefunds(tx, order);
  const facts = {
    ...order,
    refunding_cents: order.refunding_cents + hanging.cents,
    refunding_fee_cents: order.refunding_fee_cents + hanging.fee_cents,
  };
  const plan = planShare(
    facts,
    receivers.map((one) => one.ratio),
    rule?.max_ratio ?? limitsOf(order).defaultRatio,
    now_ms,
    again && { base_cents: again.base_cents, parts: receivers.map((one) => one.missed_cents) },
  );
  const waits = waiting && plan.refusal === undefined;
  const refusal = waits
    ? `接收方 ${awaited.join("、")} 还在登记，有结果后再分账；可在分账设置里再次登记`.slice(0, 200)
    : rule
      ? await tooMany(tx, share, limitsOf(order).requestsPerOrder, plan.refusal)
      : (plan.refusal ?? "商户未开启分账，或没有分账规则");
  const refunded_cents = facts.refunded_cents + facts.refunding_cents;
  const given_up = waiting ? [] : awaited;
  return { ...plan, refusal, receivers, refunded_cents, unfreeze: rule?.unfreeze ?? share.unfreeze, waits, given_up };
}
/**
 * Abnormal refunds have failed here and have left the merchant's account all the same: the channel holds them until somebody names a card
 * for them, and refuses to share what they took (分账金额不足).
 */
async function hangingRefunds(tx: Transaction, order: OrderRow): Promise<{ cents: number; fee_cents: number }> {
  return tx
    .selectFrom("refunds")
    .select([
      sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as("cents"),
      sql<number>`coalesce(sum(fee_cents), 0)::bigint`.as("fee_cents"),
    ])
    .where("service_provider_id", "=", order.service_provider_id)
    .where("order_id", "=", order.id)
    .where("status", "=", 3)
    .where("channel_status", "=", "ABNORMAL")
    .executeTakeFirstOrThrow();
}
async function tooMany(tx: Transaction, share: SharingRow, most: number, refusal: string | undefined): Promise<string | undefined> {
  if (refusal !== undefined) return refusal;
  const { n } = await tx
    .selectFrom("sharing_orders")
    .select(sql<number>`coalesce(sum(attempts), 0)::int`.as("n"))
    .where("service_provider_id", "=", share.service_provider_id)
    .where("order_id", "=", share.order_id)
    .executeTakeFirstOrThrow();
  return n >= most ? `一笔订单最多分账 ${most} 次` : undefined;
}

/**
 * 待分账 or 失败 to 处理中: one guarded UPDATE reserves the amount, the book sets it aside, and each receiver's part is written
 * down as the receiver is now. The order and the share are held.
 * @returns why not, where it cannot be
 */
export async function reserveShare(tx: Transaction, services: Services, order: OrderRow, share: SharingRow): Promise<Refused | undefined> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const plan = await planByRule(tx, order, share, now_ms);
  if (plan.given_up.length > 0 && (plan.refusal === undefined || plan.nothing))
    await tellNotAwaited(tx, order, share, { names: plan.given_up, days: limitsOf(order).freezeDays }, now_ms);
  if (plan.refusal !== undefined) return { why: plan.refusal, nothing: plan.nothing, waits: plan.waits };
  if (!(await shareAmountsOf(services).reserve(tx, order, plan.total_cents)))
    return { why: "可分金额已变化，请稍后再试", nothing: false, waits: false };
  const channel_try = share.status === 3 ? share.channel_try + 1 : share.channel_try;
  const moved = await tx
    .updateTable("sharing_orders")
    .set({
      status: 1,
      channel_try,
      attempts: share.attempts + 1,
      base_cents: plan.base_cents,
      amount_cents: plan.total_cents,
      unfreeze: plan.unfreeze,
      failure: null,
      channel_no: null,
      sent_at: now,
      finished_at: null,
      next_query_at: now,
    })
    .where("service_provider_id", "=", share.service_provider_id)
    .where("id", "=", share.id)
    .where("status", "in", [0, 3])
    .executeTakeFirst();
  mustChange(moved, () => new Error("a held share moved"));
  const lines = plan.receivers.flatMap(({ receiver, ratio }, position) => {
    const amount_cents = plan.parts[position] ?? 0;
    if (amount_cents === 0) return [];
    const { type, account, alias, name_masked, relation, custom_relation } = receiver;
    return [
      {
        service_provider_id: share.service_provider_id,
        id: services.ids.uuid(now_ms),
        merchant_id: share.merchant_id,
        store_id: share.store_id,
        sharing_id: share.id,
        try: channel_try,
        position,
        receiver_id: receiver.id,
        type,
        account,
        alias,
        name_masked,
        relation,
        custom_relation,
        ratio,
        amount_cents,
      },
    ];
  });
  await tx.insertInto("sharing_lines").values(lines).execute();
  await postShareReserve(tx, posterOf(services), order, { id: share.id, amount_cents: plan.total_cents, occurred_at: now });
  return undefined;
}
