import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { channelOf, type Outcome, type Refund, type Transaction as Trade } from "../../channels/server/index.ts";
import { settingsOf } from "./channel/channel-account.ts";
import { beginCall, endCall } from "./channel/channel-calls.ts";
import { settlePayment } from "./payments/settle-payment.ts";
import { settleRefund } from "./refunds/refund-story.ts";
import { channelNumber, lockBoth, lockOrder, type Ref } from "./rows.ts";

const SCOPE = platformScope("ask the channel");

/**
 * Asks the channel about an order whatever its state, and takes a payment over that we have not heard of.
 * @returns what the channel said; undefined where there is no such order or nothing that signs for it
 */
export async function askAboutPayment(services: Services, ref: Ref): Promise<Outcome<Trade> | undefined> {
  const begun = await withScope(services.pool, SCOPE, async (tx) => {
    const order = await lockOrder(tx, ref);
    const settings = order && (await settingsOf(tx, services, order));
    return settings && { order, settings, call: await beginCall(tx, services, order, "query", order.order_no) };
  });
  if (!begun) return undefined;
  const outcome = await channelOf(services).query(begun.settings.account, { outTradeNo: begun.order.order_no });
  await withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, begun.call, outcome);
    if (outcome.kind === "ok") await settlePayment(tx, services, ref, outcome.value);
  });
  return outcome;
}

/** The same about a refund: one that failed here and went through there is taken over too. */
export async function askAboutRefund(services: Services, ref: Ref & { readonly order_id: string }): Promise<Outcome<Refund> | undefined> {
  const begun = await withScope(services.pool, SCOPE, async (tx) => {
    const both = await lockBoth(tx, ref);
    if (!both) return undefined;
    const { order, refund } = both;
    const settings = await settingsOf(tx, services, order);
    if (!settings || refund.status === 0 || refund.status > 3) return undefined;
    const number = channelNumber(refund);
    return { settings, number, order_no: order.order_no, call: await beginCall(tx, services, order, "query-refund", number, refund.id) };
  });
  if (!begun) return undefined;
  const outcome = await channelOf(services).queryRefund(begun.settings.account, begun.number, begun.order_no);
  await withScope(services.pool, SCOPE, async (tx) => {
    await endCall(tx, services, begun.call, outcome);
    if (outcome.kind === "ok") await settleRefund(tx, services, ref, outcome.value);
  });
  return outcome;
}
