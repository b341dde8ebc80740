import { withScope, type Transaction } from "@zhangfang/server/db.ts";
import { platformScope } from "@zhangfang/server/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { NOT_FOUND, type Outcome, type Transaction as Trade } from "../../../channels/server/index.ts";
import { markProved, settingsOf, type Settings } from "../channel/channel-account.ts";
import { beginCall, endCall, type OpenCall } from "../channel/channel-calls.ts";
import { channelOf } from "../../../channels/server/index.ts";
import { lockOrder, type OrderRow, type Ref } from "../rows.ts";
import { closeOrder, settlePayment } from "./settle-payment.ts";
import { nextLook_ms } from "./payment-rules.ts";

const SCOPE = platformScope("chase a payment");

/**
 * Asks the channel about an order that is not settled and takes over what it says; past its end it is closed there and
 * then here. No answer changes nothing: the next look decides. Bears being run twice at once and being cut off anywhere.
 */
export async function chasePayment(services: Services, ref: Ref): Promise<void> {
  const begun = await begin(services, ref, "query");
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
async function begin(services: Services, ref: Ref, operation: "query" | "close" | "reverse"): Promise<Begun | undefined> {
  return withScope(services.pool, SCOPE, async (tx) => {
    const order = await lockOrder(tx, ref);
    if (!order || order.status === 2 || order.status === 3) return undefined;
    const settings = await settingsOf(tx, services, order);
    if (!settings) return undefined;
    if (order.status === 0) await setNextLook(tx, services, order);
    return { order, settings, call: await beginCall(tx, services, order, operation, order.order_no) };
  });
}
async function setNextLook(tx: Transaction, services: Services, order: OrderRow): Promise<void> {
  const now = services.clock.now_ms();
  const next_query_at = new Date(now + nextLook_ms(order, now)).toISOString();
  await tx
    .updateTable("pay_orders")
    .set({ next_query_at })
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", order.id)
    .execute();
}

async function takeQuery(services: Services, { order, settings, call }: Begun, outcome: Outcome<Trade>): Promise<boolean> {
  return withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, call, outcome);
    if (outcome.kind !== "ok") return outcome.kind === "unknown";
    await markProved(tx, services, settings);
    const trade = outcome.value;
    if (trade.tradeState === "CLOSED" || trade.tradeState === "REVOKED") {
      await closeOrder(tx, services, order, trade.tradeState === "REVOKED" ? "渠道已撤销" : "渠道已关闭");
      return true;
    }
    return (await settlePayment(tx, services, order, trade)) !== "nothing";
  });
}

async function closeAtChannel(services: Services, ref: Ref, operation: "close" | "reverse"): Promise<void> {
  const begun = await begin(services, ref, operation);
  if (begun?.order.status !== 0) return;
  const { order, settings, call } = begun;
  const outcome = await channelOf(services)[operation](settings.account, order.order_no);
  const closed = outcome.kind === "ok" || (outcome.kind === "refused" && outcome.code === NOT_FOUND);
  await withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, call, outcome);
    if (closed) await closeOrder(tx, services, order, operation === "reverse" ? "超时未支付，已撤销" : "未支付，已关闭");
  });
  if (closed || outcome.kind === "unknown") return;
  // It would not be closed: paid in that very moment, or closed before. The channel says which.
  const asked = await begin(services, ref, "query");
  if (asked) await takeQuery(services, asked, await channelOf(services).query(settings.account, { outTradeNo: order.order_no }));
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
