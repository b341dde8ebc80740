import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { whyNo } from "../../../channels/contract.ts";
import { bearsOut, type No, NOT_FOUND, type Outcome, type Transaction as Trade } from "../../../channels/server/index.ts";
import { markProved, settingsOf, type Settings } from "../channel/channel-account.ts";
import { beginCall, endCall, type OpenCall } from "../channel/channel-calls.ts";
import { channelOf } from "../../../channels/server/index.ts";
import { lockOrder, type OrderRow, type Ref } from "../rows.ts";
import { closeOrder, settlePayment } from "./settle-payment.ts";
import { CALL_MS, nextLook_ms, REST_MS } from "./payment-rules.ts";

const SCOPE = platformScope("chase a payment");

/**
 * Asks the channel about an order that is not settled and takes over what it says; past its end it is closed there and
 * then here. No answer changes nothing: the next look decides. Bears being run twice at once and being cut off anywhere.
 * @param rested only where nobody asks just now and the last answer is two seconds old; otherwise whatever was said a moment ago
 */
export async function chasePayment(services: Services, ref: Ref, rested = false): Promise<void> {
  const begun = await begin(services, ref, "query", rested);
  if (!begun) return;
  const { order, settings } = begun;
  const decided = await takeQuery(services, begun, await channelOf(services).query(settings.account, { outTradeNo: order.order_no }));
  if (decided || Date.parse(order.expires_at) > services.clock.now_ms()) return;
  await closeAtChannel(services, ref, order.trade_type === "MICROPAY" ? "reverse" : "close");
}

interface Begun {
  readonly order: OrderRow;
  readonly settings: Settings;
  readonly call: OpenCall;
}
// Moves the next look on before it asks, so that two workers and a call that hangs do not pile up.
async function begin(services: Services, ref: Ref, operation: "query" | "close" | "reverse", rested = false): Promise<Begun | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const order = await lockOrder(tx, ref);
    if (!order || order.status === 2 || order.status === 3) return undefined;
    if (rested && !hasRested(order, services.clock.now_ms())) return undefined;
    const settings = await settingsOf(tx, services, order);
    if (!settings) return undefined;
    if (order.status === 0) await setNextLook(tx, services, order);
    return { order, settings, call: await beginCall(tx, services, order, operation, order.order_no) };
  });
}
async function setNextLook(tx: Transaction, services: Services, order: OrderRow): Promise<void> {
  const now = services.clock.now_ms();
  const next_query_at = new Date(now + nextLook_ms(order, now)).toISOString();
  await setLooks(tx, order, { next_query_at, ask_after: new Date(now + CALL_MS).toISOString() });
}
async function setLooks(
  tx: Transaction,
  { service_provider_id, id }: Ref,
  looks: { next_query_at?: string; ask_after: string },
): Promise<void> {
  await tx
    .updateTable("pay_orders")
    .set(looks)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .execute();
}
const hasRested = ({ ask_after }: Pick<OrderRow, "ask_after">, now_ms: number): boolean =>
  ask_after === null || Date.parse(ask_after) <= now_ms;

/** How long somebody who waits for an order waits for the channel's word of it; the word is taken in any case. */
const WAIT_MS = 3_000;
/**
 * Asks the channel for somebody who waits for an open order: a till, a friend's page. One call at a time for an order, whoever asks and at
 * whichever server, and none within two seconds of an answer.
 */
export async function askForWaiting(services: Services, order: Ref & Pick<OrderRow, "status" | "ask_after" | "expires_at">): Promise<void> {
  const now_ms = services.clock.now_ms();
  if (order.status !== 0 || Date.parse(order.expires_at) <= now_ms || !hasRested(order, now_ms)) return;
  const asked = chasePayment(services, order, true).catch((error: unknown) =>
    services.log.warn({ err: error }, "asking for a till failed"),
  );
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, WAIT_MS);
  await Promise.race([asked, timer.promise]);
  clearTimeout(timeout);
}

async function takeQuery(
  services: Services,
  { order, settings, call }: Begun,
  outcome: Outcome<Trade>,
  refusal?: string,
): Promise<boolean> {
  return withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, call, outcome);
    await setLooks(tx, order, { ask_after: new Date(services.clock.now_ms() + REST_MS).toISOString() });
    if (outcome.kind !== "ok") return outcome.kind === "unknown";
    await markProved(tx, services, settings);
    const trade = outcome.value;
    if (trade.tradeState === "CLOSED" || trade.tradeState === "REVOKED") {
      const note = trade.tradeState === "REVOKED" ? "通道已撤销" : "通道已关闭";
      await closeOrder(tx, services, order, refusal === undefined ? note : noteOf("close", refusal), refusal);
      return true;
    }
    return (await settlePayment(tx, services, order, trade)) !== "nothing";
  });
}

async function closeAtChannel(services: Services, ref: Ref, operation: "close" | "reverse", refusal?: string): Promise<void> {
  const begun = await begin(services, ref, operation);
  if (begun?.order.status !== 0) return;
  const { order, settings, call } = begun;
  const outcome = await channelOf(services)[operation](settings.account, order.order_no);
  const closed = outcome.kind === "ok" || (outcome.kind === "refused" && outcome.code === NOT_FOUND);
  await withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, call, outcome);
    if (closed) await closeOrder(tx, services, order, noteOf(operation, refusal), refusal);
  });
  if (closed || outcome.kind === "unknown") return;
  // It would not be closed: paid in that very moment, or closed before. The channel says which.
  const asked = await begin(services, ref, "query");
  if (asked) await takeQuery(services, asked, await channelOf(services).query(settings.account, { outTradeNo: order.order_no }));
}

const noteOf = (operation: "close" | "reverse", refusal: string | undefined): string =>
  refusal !== undefined ? `通道拒绝：${refusal}` : operation === "reverse" ? "超时未支付，已撤销" : "未支付，已关闭";

/**
 * A code payment was refused: the channel is asked about it once before it is closed, for it may refuse what it did all the same. Where it is
 * still open there it is reversed. What is not clear then is left to the looks that follow.
 */
export async function endRefused(services: Services, ref: Ref, no: No): Promise<void> {
  const begun = await begin(services, ref, "query");
  if (!begun) return;
  const outcome = await channelOf(services).query(begun.settings.account, { outTradeNo: begun.order.order_no });
  const said = whyNo(no);
  if (await takeQuery(services, begun, outcome, said)) return;
  if (outcome.kind === "refused" && !bearsOut(no, outcome)) return;
  const open = outcome.kind === "ok" && (outcome.value.tradeState === "USERPAYING" || outcome.value.tradeState === "NOTPAY");
  // Nobody is to pay by it any more: the till was told no and will ask the customer again.
  if (open) return closeAtChannel(services, ref, "reverse", said);
  await withScope(services.pool, SCOPE, (tx) => closeOrder(tx, services, ref, `通道拒绝：${said}`, said));
}

/** The till does not want it any more: its time is over now, and what that means is found out at the channel. */
export async function endPayment(services: Services, ref: Ref): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  await withScope(services.pool, SCOPE, (tx) =>
    tx
      .updateTable("pay_orders")
      .set({ expires_at: now, next_query_at: now })
      .where("service_provider_id", "=", ref.service_provider_id)
      .where("id", "=", ref.id)
      .where("status", "=", 0)
      .where("expires_at", ">", now)
      .execute(),
  );
  await chasePayment(services, ref);
}
