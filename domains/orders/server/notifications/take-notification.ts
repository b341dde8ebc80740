import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { ask, behind, type Transaction } from "@zhangfang/server/database/db.ts";
import { notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { maskTail } from "@zhangfang/contract/text.ts";
import { channelOf, type Notification } from "../../../channels/server/index.ts";
import { accountById, type Settings } from "../channel/channel-account.ts";
import { queryPayment } from "../payments/payment-jobs.ts";
import { settlePayment } from "../payments/settle-payment.ts";
import { callSoon, settleRefund } from "../refunds/refund-story.ts";
import { hearShareNotice } from "../../../profit-sharing/server/index.ts";
import { refundNoOf } from "../rows.ts";

type News = Exclude<Notification, { kind: "refused" }>;

/**
 * 通道通知: verified with the keys of the setting that the address names before anything in it is read. Effect and inbox row
 * are one transaction, and the channel hears its yes after the commit; a copy finds the row and changes nothing.
 * @throws 401 where it is not the channel's, 400 where it can't be read
 */
export async function takeNotification(ctx: Ctx, settings: Settings | undefined): Promise<void> {
  const { services, incoming } = ctx;
  // An address of nothing is one that no key fits: from outside the two look the same.
  const news = channelOf(services).readNotification(
    settings ? [settings.account] : [],
    incoming.headers,
    incoming.rawBody,
    new Date(ctx.now_ms),
  );
  if (news.kind === "refused") {
    services.metrics.notifications.inc({ kind: "unread", result: news.code });
    if (settings && "family" in settings.account) throw unheard();
    throw new Refusal(news.code === "BODY" || news.code === "HEADERS" ? 400 : 401, news.code, news.message);
  }
  if (!settings) throw notFound("通知地址");
  const result = await ctx.platform("take a notification", (tx) => takeNews(ctx, tx, settings, news));
  services.metrics.notifications.inc({ kind: news.kind, result });
  if (isMisfit(result)) services.log.error({ event: news.eventId, result }, "notification does not fit");
}

/** The same for Alipay and the acquirers, whose every no looks alike: the address of nothing, and one that the key does not fit. */
export async function takeAccountNotification(ctx: Ctx, family: "alipay" | "acquirer", settingsId: string): Promise<Settings> {
  const settings = await ctx.platform("find the setting of a notification", (tx) => accountById(tx, ctx.services, family, settingsId));
  if (!settings) throw unheard();
  await takeNotification(ctx, settings);
  return settings;
}
const unheard = (): Refusal => new Refusal(401, "SIGNATURE", "通知验签不通过");

const isMisfit = (result: string): boolean => result === "mismatch" || result.startsWith("unknown");

async function takeNews(ctx: Ctx, tx: Transaction, settings: Settings, news: News): Promise<string> {
  const { service_provider_id, merchant_id } = settings;
  const { channel } = settings.account;
  const body = JSON.stringify(withoutPayer(news));
  // What does not fit is kept under its own words, so that the right ones are still heard when they come with the same number.
  const misfit = `${news.eventId}#${sha256(body).toString("hex").slice(0, 12)}`;
  // Asked together and answered in turn. The order is held before the inbox is read: of copies that come at once the second one finds
  // the first one's row.
  const subject = subjectOf(tx, settings, news);
  const [[found], [known]] = await Promise.all([
    subject ? ask<Subject>(tx, subject) : [],
    ask(
      tx,
      tx
        .selectFrom("channel_inbox")
        .select("result")
        .where("service_provider_id", "=", service_provider_id)
        .where("channel", "=", channel)
        .where("event_id", "in", [news.eventId, misfit]),
    ),
  ]);
  if (known) return "duplicate";
  const result = await effectOf(ctx, tx, settings, news, found);
  const event_id = isMisfit(result) ? misfit : news.eventId;
  behind(
    tx,
    tx
      .insertInto("channel_inbox")
      .values({
        service_provider_id,
        merchant_id,
        channel,
        event_id,
        kind: news.kind === "other" ? news.eventType : news.kind,
        ...numbersOf(news),
        body,
        received_at: ctx.now,
        result,
      })
      .onConflict((conflicting) => conflicting.columns(["service_provider_id", "channel", "event_id"]).doNothing()),
  );
  return result;
}

interface Subject {
  readonly order_id: string;
  readonly refund_id?: string;
}
/** What the news is about, with its order held until the end. */
function subjectOf(tx: Transaction, { service_provider_id, merchant_id }: Settings, news: News) {
  if (news.kind === "paid")
    return tx
      .selectFrom("pay_orders")
      .select("id as order_id")
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("order_no", "=", news.transaction.outTradeNo)
      .forUpdate();
  if (news.kind === "refund")
    return tx
      .selectFrom("refunds as r")
      .innerJoin("pay_orders as o", (join) =>
        join.onRef("o.service_provider_id", "=", "r.service_provider_id").onRef("o.id", "=", "r.order_id"),
      )
      .select(["r.id as refund_id", "r.order_id"])
      .where("r.service_provider_id", "=", service_provider_id)
      .where("r.merchant_id", "=", merchant_id)
      .where("r.refund_no", "=", refundNoOf(news.refund.outRefundNo))
      .forUpdate("o");
  return undefined;
}
async function effectOf({ services }: Ctx, tx: Transaction, setting: Settings, news: News, found: Subject | undefined): Promise<string> {
  const { service_provider_id } = setting;
  if (news.kind === "other") return "ignored";
  if (news.kind === "share") {
    const heard = await hearShareNotice(tx, services, setting, news.number);
    if (heard.refund_id !== undefined) await callSoon(tx, services, { service_provider_id, id: heard.refund_id });
    return heard.known ? "asked" : "ignored";
  }
  if (!found) return news.kind === "paid" ? "unknown-order" : "unknown-refund";
  // Signed by a key that only whoever set it vouches for: the channel itself is asked.
  if (!setting.proved) {
    if (found.refund_id === undefined)
      await services.jobs.enqueue(tx, queryPayment, { service_provider_id, id: found.order_id, told: true });
    else await callSoon(tx, services, { service_provider_id, id: found.refund_id });
    return "asked";
  }
  if (news.kind === "paid") return settlePayment(tx, services, { service_provider_id, id: found.order_id }, news.transaction);
  return settleRefund(tx, services, { service_provider_id, id: found.refund_id ?? "", order_id: found.order_id }, news.refund);
}

function numbersOf(news: News): { order_no: string | null; refund_no: string | null } {
  if (news.kind === "paid") return { order_no: news.transaction.outTradeNo, refund_no: null };
  return news.kind === "refund"
    ? { order_no: news.refund.outTradeNo, refund_no: news.refund.outRefundNo }
    : { order_no: null, refund_no: null };
}
// What is kept of the message, without the payer's identity.
function withoutPayer(news: News): object {
  if (news.kind === "paid") return { ...news.transaction, openId: maskTail(news.transaction.openId ?? "") };
  if (news.kind === "share") return { number: news.number };
  return news.kind === "refund" ? news.refund : { eventType: news.eventType };
}
