import { sql } from "kysely";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { bearsOut, byTurns, channelOf, type No, NOT_FOUND, type Outcome, type Refund } from "../../../channels/server/index.ts";
import { notifyUrl, settingsOf, type Settings } from "../channel/channel-account.ts";
import { beginCall, hasOpenCall, standingNo, type OpenCall } from "../channel/channel-calls.ts";
import {
  type Both,
  channelAmount,
  channelNumber,
  channelTotal,
  lockBoth,
  lockRefund,
  moveRefund,
  type Ref,
  type RefundRow,
} from "../rows.ts";
import { nextRefundLook_ms } from "./refund-rules.ts";

export const SCOPE = platformScope("chase a refund");
const BATCH = 2_000;
export type Operation = "refund" | "query-refund";
export interface Begun extends Both {
  readonly operation: Operation;
  readonly number: string;
  readonly settings: Settings;
  readonly call: OpenCall;
}
/** A refund and the order that is held before it. */
export type Named = Ref & Pick<RefundRow, "order_id">;

/** Refunds on their way whose time has come. */
export const dueRefunds = (tx: Transaction, now: string) =>
  tx
    .selectFrom("refunds as r")
    .innerJoin("pay_orders as o", (on) => on.onRef("o.service_provider_id", "=", "r.service_provider_id").onRef("o.id", "=", "r.order_id"))
    .select(["r.service_provider_id", "r.id", "o.merchant_id", "o.channel", "o.tool"])
    .where("r.status", "=", 1)
    // A return that it waits for may be due before: its end is known by other ways than asking.
    .where((where) =>
      where.or([
        where("r.next_query_at", "<=", now),
        sql<boolean>`exists (select from sharing_returns s where s.service_provider_id = r.service_provider_id and s.refund_id = r.id
            and s.status = 1 and s.next_query_at <= ${now}::timestamptz)`,
      ]),
    )
    .orderBy(byTurns(sql.ref("r.next_query_at")))
    .orderBy("r.next_query_at")
    .limit(BATCH)
    .execute();

/** What a refund that is 退款中 has asked first: to be sent where its number never was, else what became of it. */
export async function firstCall(services: Services, ref: Ref): Promise<{ named: Named; operation: Operation } | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const refund = await tx
      .selectFrom("refunds")
      .selectAll()
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("id", "=", ref.id)
      .executeTakeFirst();
    if (refund?.status !== 1) return undefined;
    const sent = await tx
      .selectFrom("channel_calls")
      .select("id")
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("order_id", "=", refund.order_id)
      .where("operation", "=", "refund")
      .where("number", "=", channelNumber(refund))
      .limit(1)
      .executeTakeFirst();
    return { named: refund, operation: sent ? "query-refund" : "refund" };
  });
}

/** Writes down that the channel is about to be asked, and when to look again where nobody hears the answer. */
export async function beginRefundCall(tx: Transaction, services: Services, named: Named, operation: Operation): Promise<Begun | undefined> {
  const found = await lockBoth(tx, named);
  if (found?.refund.status !== 1) return undefined;
  const { order, refund } = found;
  const settings = await settingsOf(tx, services, order);
  await lookAgain(tx, services, refund);
  if (!settings) return undefined;
  const number = channelNumber(refund);
  return { ...found, operation, number, settings, call: await beginCall(tx, services, order, operation, number, refund.id) };
}
function lookAgain(tx: Transaction, services: Services, refund: RefundRow): Promise<void> {
  const now_ms = services.clock.now_ms();
  const next_query_at = new Date(now_ms + nextRefundLook_ms(refund.created_at, now_ms)).toISOString();
  return moveRefund(tx, refund, 1, { status: 1, next_query_at });
}
/** It waits for what was shared: looked at again soon. */
export const lookAgainSoon = (services: Services, ref: Ref): Promise<void> =>
  withScope(services.pool, SCOPE, async (tx) => {
    const refund = await lockRefund(tx, ref);
    if (refund?.status === 1) await lookAgain(tx, services, refund);
  });

/** Asks the channel, in no transaction. */
export function callChannel(services: Services, { order, refund, number, settings, operation }: Begun): Promise<Outcome<Refund>> {
  if (operation === "query-refund") return channelOf(services).queryRefund(settings.account, number, order.order_no);
  return channelOf(services).refund(settings.account, {
    outTradeNo: order.order_no,
    outRefundNo: number,
    amount_cents: channelAmount(refund),
    total_cents: channelTotal(order),
    reason: refund.reason,
    notifyUrl: notifyUrl(services, settings),
  });
}

/**
 * What the channel's no means: the next call, or a no that is believed. One to a sending is asked about first; an earlier sending with the
 * same number that nobody heard the end of may still be a yes.
 */
export async function afterNo(
  tx: Transaction,
  { refund, number, call, operation }: Begun,
  outcome: No,
  said: No | undefined,
): Promise<{ next?: Operation | undefined; no?: No }> {
  if (operation === "refund") return { next: "query-refund" };
  const no = said ?? (await standingNo(tx, call, refund.order_id, number, "refund"));
  if (!bearsOut(no, outcome) || (await hasOpenCall(tx, call, refund.order_id, number, "refund")))
    return { next: outcome.code === NOT_FOUND ? "refund" : undefined };
  return { no };
}
