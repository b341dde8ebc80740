import { maskName } from "@zhangfang/contract/text.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { whyNo } from "../../../channels/contract.ts";
import { abnormalRefundChannelOf, channelOf, type ChannelAccount, type Outcome, type Refund } from "../../../channels/server/index.ts";
import { debitBank, redirectRefund } from "../../contract/index.ts";
import { settingsOf } from "../channel/channel-account.ts";
import { beginCall, endCall, type OpenCall } from "../channel/channel-calls.ts";
import { askerOf } from "../refunds/asker.ts";
import { checkRefundPassword } from "../refunds/refund-guards.ts";
import { failRefund, reserveAgain, settleRefund } from "../refunds/refund-story.ts";
import { addEvent, channelNumber, holdRefund, lockBoth, type OrderRow, type RefundRow } from "../rows.ts";

type Given = ParsedOf<typeof redirectRefund>;
interface Begun {
  readonly refund: RefundRow;
  readonly account: ChannelAccount;
  readonly order: OrderRow;
  readonly call: OpenCall;
}

/**
 * 处理异常退款: sets the amount aside again, writes down where it goes and that the channel is asked, commits, and asks. The card
 * goes to the channel sealed and is kept nowhere but for its end. No answer leaves it on its way; the query tells.
 */
export const redirectRefundRoute = implement(redirectRefund, async (ctx, given) => {
  const begun = await ctx.transaction((tx) => begin(ctx, tx, given));
  const { refund, account } = begun;
  const card = given.to === "card" ? { bankType: given.bank ?? "", account: given.account ?? "", name: given.name ?? "" } : null;
  const answer = await abnormalRefundChannelOf(ctx.services).redirect(account, {
    refundId: refund.channel_refund_no ?? "",
    outRefundNo: channelNumber(refund),
    card,
  });
  const outcome = answer.kind === "refused" ? await askAfterNo(ctx, begun, answer) : answer;
  await take(ctx, begun, outcome);
  const status = outcome.kind === "refused" ? (3 as const) : (1 as const);
  const message =
    outcome.kind === "ok" ? "通道已受理" : outcome.kind === "refused" ? `通道拒绝：${whyNo(outcome)}` : "通道没有应答，正在查询结果";
  return { refundId: refund.id, status, message };
});

/** A no is believed only where the channel calls the refund abnormal still: it may refuse what it did all the same. */
async function askAfterNo({ services }: Ctx, { refund, account, order }: Begun, no: Outcome<Refund>): Promise<Outcome<Refund>> {
  const scope = platformScope("ask after a refused abnormal refund");
  const number = channelNumber(refund);
  const call = await withScope(services.pool, scope, (tx) => beginCall(tx, services, order, "query-refund", number, refund.id));
  const word = await channelOf(services).queryRefund(account, number, order.order_no);
  await withScope(services.pool, scope, (tx) => endCall(tx, services, call, word));
  const done = word.kind === "ok" && (word.value.status === "processing" || word.value.status === "success");
  return done || word.kind === "unknown" ? word : no;
}

async function begin(ctx: Ctx, tx: Transaction, given: Given): Promise<Begun> {
  const { services, now, now_ms } = ctx;
  const { refund } = await holdRefund({ tx, scope: ctx.scope }, given.id);
  mayRedirect(refund);
  const { service_provider_id, merchant_id, store_id, amount_cents } = refund;
  await checkRefundPassword(ctx, tx, refund, given.refundPassword);
  const order = await reserveAgain(tx, services, refund, { bear: false, channel_status: "PROCESSING", at: now });
  const settings = await settingsOf(tx, services, order);
  if (!settings || "family" in settings.account) throw conflict("这个通道不支持发起异常退款，请提交线下转账凭证");
  const by = askerOf(ctx);
  const where = given.to === "card" ? `${debitBank.label(given.bank)} 尾号 ${(given.account ?? "").slice(-4)}` : "商户银行账户";
  await tx
    .insertInto("refund_evidence")
    .values({
      service_provider_id,
      id: services.ids.uuid(now_ms),
      merchant_id,
      store_id,
      refund_id: refund.id,
      kind: given.to,
      bank: given.to === "card" ? debitBank.label(given.bank) : null,
      account_tail: given.to === "card" ? (given.account ?? "").slice(-4) : null,
      name_masked: given.to === "card" ? maskName(given.name ?? "") : null,
      state: "sent",
      by_user: by.id,
      by_name: by.name,
      created_at: now,
    })
    .execute();
  await addEvent(tx, services, order, {
    kind: "refund-redirected",
    note: `${yuan(amount_cents)} 元退到${where}`,
    at: now,
    by: by.name,
    refund_id: refund.id,
  });
  await ctx.audit(tx, {
    targetKind: "refund",
    targetId: refund.id,
    provider: service_provider_id,
    merchant: merchant_id,
    before: { status: 3, channelStatus: refund.channel_status },
    after: { refundNo: refund.refund_no, amount: yuan(amount_cents), to: where, status: 1 },
  });
  const call = await beginCall(tx, services, order, "redirect-refund", channelNumber(refund), refund.id);
  return { refund, account: settings.account as ChannelAccount, order, call };
}
/** @throws 409 where it is not an abnormal refund that failed */
export function mayRedirect(refund: RefundRow): void {
  if (refund.status !== 3 || refund.channel_status !== "ABNORMAL") throw conflict("只有通道退款异常的记录可以这样处理");
}

async function take({ services }: Ctx, { refund, call }: Begun, outcome: Outcome<Refund>): Promise<void> {
  await withScope(services.pool, platformScope("take the answer to an abnormal refund"), async (tx: Transaction) => {
    await endCall(tx, services, call, outcome);
    if (outcome.kind === "ok") await settleRefund(tx, services, refund, outcome.value);
    if (outcome.kind !== "refused") return;
    const both = await lockBoth(tx, refund);
    if (both?.refund.status === 1)
      await failRefund(tx, services, both, { channel_status: "ABNORMAL", failure: `通道拒绝：${whyNo(outcome)}` });
  });
}
