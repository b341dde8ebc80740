import { withScope, type Transaction } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { bearsOut, type No, NOT_FOUND, type Outcome, type Refund } from "../../../channels/server/index.ts";
import { chaseReturns } from "../../../profit-sharing/server/index.ts";
import { notifyUrl, settingsOf, type Settings } from "../channel/channel-account.ts";
import { beginCall, endCall, hasOpenCall, standingNo, type OpenCall } from "../channel/channel-calls.ts";
import { channelOf } from "../../../channels/server/index.ts";
import { channelAmount, channelNumber, channelTotal, lockOrder, lockRefund, type OrderRow, type Ref, type RefundRow } from "../rows.ts";
import { nextRefundLook_ms } from "./refund-rules.ts";
import { failRefund, settleRefund } from "./settle-refund.ts";

const SCOPE = platformScope("chase a refund");
type Operation = "refund" | "query-refund";

/**
 * Takes a refund that is 退款中 one step on: sends it where its number was never sent, else asks what became of it, and
 * sends it again only where the channel has never heard of it. The same number twice is one refund, so that this bears
 * being run twice at once and being cut off anywhere; no answer changes nothing.
 */
export async function chaseRefund(services: Services, ref: Ref): Promise<void> {
  let step: Operation | undefined = await firstStep(services, ref);
  // What was shared comes back before anything goes out; what cannot come back fails the refund.
  if (
    step === "refund" &&
    (await chaseReturns(services, ref, (tx, order, failure) => giveUp(tx, services, ref, order, failure))) !== "back"
  )
    return lookAgainSoon(services, ref);
  // At most: ask, send, and ask once more, for a refusal is believed only where the number is unknown then too.
  let no: No | undefined;
  for (let steps = 0; step !== undefined && steps < 3; steps++) {
    const begun = await begin(services, ref, step);
    if (!begun) return;
    const outcome: Outcome<Refund> =
      step === "refund"
        ? await send(services, begun)
        : await channelOf(services).queryRefund(begun.settings.account, begun.number, begun.order.order_no);
    const next = await take(services, begun, step, outcome, no);
    no = step === "refund" && outcome.kind === "refused" ? outcome : undefined;
    step = next;
  }
}

// A return failed: the refund that needed it fails with it, and nothing was asked of the channel for it.
async function giveUp(tx: Transaction, services: Services, ref: Ref, order: OrderRow, failure: string): Promise<void> {
  const refund = await lockRefund(tx, ref);
  if (refund?.status !== 1) return;
  await failRefund(tx, services, order, refund, { channel_status: "RETURN_FAILED", failure: `分账回退失败：${failure}` });
}
async function lookAgainSoon(services: Services, ref: Ref): Promise<void> {
  await withScope(services.pool, SCOPE, async (tx) => {
    const now_ms = services.clock.now_ms();
    const refund = await lockRefund(tx, ref);
    if (refund?.status !== 1) return;
    await tx
      .updateTable("refunds")
      .set({ next_query_at: new Date(now_ms + nextRefundLook_ms(refund.created_at, now_ms)).toISOString() })
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("id", "=", ref.id)
      .execute();
  });
}

interface Begun {
  readonly order: OrderRow;
  readonly refund: RefundRow;
  readonly number: string;
  readonly settings: Settings;
  readonly call: OpenCall;
}

async function firstStep(services: Services, ref: Ref): Promise<Operation | undefined> {
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
    return sent ? "query-refund" : "refund";
  });
}

async function begin(services: Services, ref: Ref, operation: Operation): Promise<Begun | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const found = await lockBoth(tx, ref);
    if (found?.refund.status !== 1) return undefined;
    const { order, refund } = found;
    const settings = await settingsOf(tx, services, order);
    const now_ms = services.clock.now_ms();
    const next_query_at = new Date(now_ms + nextRefundLook_ms(refund.created_at, now_ms)).toISOString();
    await tx
      .updateTable("refunds")
      .set({ next_query_at })
      .where("service_provider_id", "=", refund.service_provider_id)
      .where("id", "=", refund.id)
      .execute();
    if (!settings) return undefined;
    const number = channelNumber(refund);
    return { order, refund, number, settings, call: await beginCall(tx, services, order, operation, number, refund.id) };
  });
}
async function lockBoth(tx: Transaction, ref: Ref): Promise<{ order: OrderRow; refund: RefundRow } | undefined> {
  const named = await tx
    .selectFrom("refunds")
    .select("order_id")
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", ref.id)
    .executeTakeFirst();
  const order = named && (await lockOrder(tx, { service_provider_id: ref.service_provider_id, id: named.order_id }));
  const refund = order && (await lockRefund(tx, ref));
  return order && refund ? { order, refund } : undefined;
}

function send(services: Services, { order, refund, number, settings }: Begun): Promise<Outcome<Refund>> {
  return channelOf(services).refund(settings.account, {
    outTradeNo: order.order_no,
    outRefundNo: number,
    amount_cents: channelAmount(refund),
    total_cents: channelTotal(order),
    reason: refund.reason,
    notifyUrl: notifyUrl(services, settings),
  });
}

/** Takes over what the channel said. @returns what has to be asked next, if anything */
async function take(
  services: Services,
  { refund, number, call }: Begun,
  step: Operation,
  outcome: Outcome<Refund>,
  said: No | undefined,
): Promise<Operation | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, call, outcome);
    if (outcome.kind === "unknown") return undefined;
    if (outcome.kind === "ok") return void (await settleRefund(tx, services, refund, outcome.value));
    if (step === "refund") return "query-refund";
    const again = outcome.code === NOT_FOUND ? "refund" : undefined;
    const no = said ?? (await standingNo(tx, call, refund.order_id, number, "refund"));
    // An earlier sending with the same number that nobody heard the end of may still be a yes.
    if (!bearsOut(no, outcome) || (await hasOpenCall(tx, call, refund.order_id, number, "refund"))) return again;
    const found = await lockBoth(tx, refund);
    if (found?.refund.status !== 1 || channelNumber(found.refund) !== number) return undefined;
    await failRefund(tx, services, found.order, found.refund, { channel_status: no.code, failure: `渠道拒绝：${no.message || no.code}` });
    return undefined;
  });
}
