import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { payoutChannelOf, type TransferNews } from "../../../../channels/server/index.ts";
import { notifyTransfer } from "../../../contract/index.ts";
import { payoutAccountOf } from "../payout-settings.ts";
import { settleTransfer } from "./settle-transfer.ts";
import { lockWithdrawal, type Withdrawal } from "./settle-withdrawal.ts";

type News = Exclude<TransferNews, { kind: "refused" }>;

/**
 * 商家转账通知: verified with the keys of the provider that the address names before anything in it is read. Effect and inbox row
 * are one transaction; a copy finds the row. A provider without keys is one that no key fits: from outside they look the same.
 */
export const notifyTransferRoute = implement(notifyTransfer, async (ctx, { providerId }) => {
  const { services, incoming } = ctx;
  const settings = await ctx.platform("find the keys of a transfer's word", (tx) => payoutAccountOf(tx, services, providerId));
  const accounts = settings?.account.apiV3Key ? [settings.account] : [];
  const news = payoutChannelOf(services).readTransferNews(accounts, incoming.headers, incoming.rawBody, new Date(ctx.now_ms));
  if (news.kind === "refused") {
    services.metrics.notifications.inc({ kind: "unread", result: news.code });
    throw new Refusal(news.code === "BODY" ? 400 : 401, news.code, news.message);
  }
  const result = await ctx.platform("take word of a transfer", (tx) => takeNews(ctx, tx, providerId, news));
  services.metrics.notifications.inc({ kind: news.kind, result });
  return null;
});

async function takeNews(ctx: Ctx, tx: Transaction, service_provider_id: string, news: News): Promise<string> {
  const number = news.kind === "transfer" ? news.transfer.outBillNo : null;
  const found =
    number === null
      ? undefined
      : await tx
          .selectFrom("withdrawals")
          .select(["service_provider_id", "id"])
          .where("service_provider_id", "=", service_provider_id)
          .where("withdrawal_no", "=", number)
          .executeTakeFirst();
  // The withdrawal is held before the inbox is read: of copies that come at once the second one finds the first one's row.
  const held = found && (await lockWithdrawal(tx, found));
  const body = JSON.stringify(news.kind === "transfer" ? news.transfer : { eventType: news.eventType });
  // What does not fit is kept under its own words, so that the right ones are still heard when they come with the same number.
  const misfit = `${news.eventId}#${sha256(body).toString("hex").slice(0, 12)}`;
  const known = await tx
    .selectFrom("payout_inbox")
    .select("result")
    .where("service_provider_id", "=", service_provider_id)
    .where("event_id", "in", [news.eventId, misfit])
    .executeTakeFirst();
  if (known) return "duplicate";
  const result = await effectOf(ctx, tx, held, news);
  await tx
    .insertInto("payout_inbox")
    .values({
      service_provider_id,
      event_id: result === "mismatch" || result === "unknown-transfer" ? misfit : news.eventId,
      withdrawal_no: number,
      body,
      received_at: ctx.now,
      result,
    })
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "event_id"]).doNothing())
    .execute();
  return result;
}

function effectOf(ctx: Ctx, tx: Transaction, held: Withdrawal | undefined, news: News): Promise<string> | string {
  if (news.kind === "other") return "ignored";
  return held ? settleTransfer(tx, ctx.services, held, news.transfer) : "unknown-transfer";
}
