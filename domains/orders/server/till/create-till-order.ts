import type { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { whyNo } from "../../../channels/contract.ts";
import { createTillOrder, type tillOrder } from "../../contract/till.ts";
import { walletOfTool, type Outcome, type PayAccount, type Payment, type PaymentOrder } from "../../../channels/server/index.ts";
import { markProved, notifyUrl, settingsOf, type Settings } from "../channel/channel-account.ts";
import { beginCall, endCall, hasOpenCall, type OpenCall } from "../channel/channel-calls.ts";
import { channelOf } from "../../../channels/server/index.ts";
import { watchPayment } from "../payments/payment-jobs.ts";
import { endRefused } from "../payments/chase-payment.ts";
import { closeOrder, settlePayment, settleWithoutMoney } from "../payments/settle-payment.ts";
import type { OrderRow } from "../rows.ts";
import { addTillOrder } from "./add-till-order.ts";
import type { Beside, Placing } from "./placing.ts";
import { findTillOrder, readSeller, showTillOrder, storeOf } from "./till-order.ts";

type Input = ParsedOf<typeof createTillOrder>;
interface Asking {
  readonly order: OrderRow;
  readonly settings: Settings;
  readonly call: OpenCall;
  readonly payment: PaymentOrder;
}

/**
 * 收银下单: writes the order down, commits, and only then asks the channel. The same till number with the same body comes
 * back to the same order, and asks again only where the channel's answer was lost.
 */
export const createTillOrderRoute = implement(createTillOrder, (ctx, input) => placeOrder(ctx, input));

/** The same for whoever stands in a store without being a device; `placing` says where. @throws as the till would be told */
export async function placeOrder(ctx: Placing, input: Input, ...besides: readonly Beside[]): Promise<z.input<typeof tillOrder>> {
  const asking = await ctx.transaction((tx) => prepare(ctx, tx, input, besides));
  if (!asking) return showTillOrder(ctx, input.tillNo);
  const outcome = await pay(ctx, asking.settings.account, asking.payment);
  await takeAnswer(ctx, asking, outcome);
  if (outcome.kind === "refused" && input.tradeType === "MICROPAY") await endRefused(ctx.services, asking.order, outcome);
  return showTillOrder(ctx, input.tillNo);
}

const pay = (ctx: Placing, account: PayAccount, payment: PaymentOrder): Promise<Outcome<Payment>> =>
  channelOf(ctx.services).pay(account, payment);

/** What the first of them says of something. */
const said = <K extends keyof Beside>(besides: readonly Beside[], what: K): Beside[K] =>
  besides.find((beside) => beside[what] !== undefined)?.[what] as Beside[K];

async function prepare(ctx: Placing, tx: Transaction, input: Input, besides: readonly Beside[]): Promise<Asking | undefined> {
  const { services } = ctx;
  const store = storeOf(ctx.scope);
  const asked = { ...input, ...(besides.length > 0 && { besides: besides.map((beside) => beside.asked) }) };
  const hash = sha256(JSON.stringify(Object.entries(asked).toSorted(([a], [b]) => (a < b ? -1 : 1))));
  const [seller, before] = await Promise.all([readSeller(tx, store), findTillOrder(tx, store, input.tillNo)]);
  const added = before
    ? undefined
    : await addTillOrder(ctx, tx, {
        input,
        hash,
        store,
        seller,
        lifetime_ms: said(besides, "lifetime_ms"),
        purpose: said(besides, "purpose"),
        goods: said(besides, "goods"),
        member_id: said(besides, "memberId"),
        customer: said(besides, "customer"),
        price: said(besides, "price"),
        free: besides.some(({ free }) => free === "refuse") ? "refuse" : said(besides, "free"),
      });
  if (added) for (const beside of besides) await beside.write(tx, added);
  if (added?.trade_type === "MEMBER") {
    await settleWithoutMoney(tx, services, added);
    return undefined;
  }
  // Nothing added: it was there, or a rival with the same number was faster.
  const order = added ?? before ?? (await findTillOrder(tx, store, input.tillNo));
  if (!order) throw conflict("收银单号正在使用，请稍后查询");
  if (!order.till_hash?.equals(hash)) throw conflict("收银单号已用于另一笔订单", "till.reused");
  // A code-pay is not sent twice: its code may have gone through; the query knows. The others are safe to repeat.
  const { trade_type } = order;
  const lost = order.status === 0 && order.code_url === null && order.client_params === null && trade_type !== "MICROPAY";
  if (trade_type === "MEMBER" || (!added && !lost)) return undefined;
  const settings = await settingsOf(tx, services, order);
  if (!settings?.active) throw conflict("商户尚未开通支付通道", "channel.missing");
  const call = await beginCall(tx, services, order, "pay", order.order_no);
  const payment: PaymentOrder = {
    tradeType: trade_type as Exclude<typeof input.tradeType, undefined>,
    wallet: walletOfTool(order.tool),
    outTradeNo: order.order_no,
    description: order.subject,
    amount_cents: order.paid_cents,
    authCode: input.authCode,
    openId: input.openId,
    notifyUrl: notifyUrl(services, settings),
    expiresAt: order.expires_at,
    storeId: seller.store_number,
    storeName: seller.store_name,
    clientIp: ctx.incoming.ip,
    profitSharing: order.profit_sharing,
  };
  return { order, settings, call, payment };
}

async function takeAnswer(ctx: Placing, { order, settings, call }: Asking, outcome: Outcome<Payment>): Promise<void> {
  const { services } = ctx;
  await ctx.transaction(async (tx) => {
    await endCall(tx, services, call, outcome);
    if (outcome.kind === "refused") {
      // A no to this request; an earlier one with the same number that nobody heard the end of is left to the query.
      if (await hasOpenCall(tx, call, order.id, order.order_no, "pay")) return;
      // It may have been charged all the same: asked about before it is closed, also where this process ends now.
      if (order.trade_type === "MICROPAY") return watchPayment(tx, services, order);
      return closeOrder(tx, services, order, `通道拒绝：${whyNo(outcome)}`, whyNo(outcome));
    }
    if (outcome.kind === "ok") await markProved(tx, services, settings);
    const answer = outcome.kind === "ok" ? outcome.value : undefined;
    if (answer?.kind === "transaction") {
      if ((await settlePayment(tx, services, order, answer.transaction)) !== "nothing") return;
    }
    if (answer?.kind === "code" || answer?.kind === "client") {
      const shown = answer.kind === "code" ? { code_url: answer.codeUrl } : { client_params: JSON.stringify(answer.clientParams) };
      await tx
        .updateTable("pay_orders")
        .set(shown)
        .where("service_provider_id", "=", order.service_provider_id)
        .where("id", "=", order.id)
        .execute();
    } else if (order.trade_type === "MICROPAY") {
      await watchPayment(tx, services, order);
    }
  });
}
