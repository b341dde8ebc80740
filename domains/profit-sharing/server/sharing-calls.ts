import { type Selectable, sql } from "kysely";
import type { DB, Transaction } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type AlipayAccount, NOT_FOUND, type Outcome, type SharingAccount, type SharingWallet } from "../../channels/server/index.ts";
import { accountOfRow, wechatAccountOf } from "../../organisation/server/index.ts";

type Operation = "share" | "query-share" | "unfreeze" | "share-return" | "query-return" | "add-receiver" | "remove-receiver" | "max-ratio";
/** A call to the channel that was written down before it was made. */
export interface OpenCall {
  readonly service_provider_id: string;
  readonly id: string;
  readonly number: string;
  readonly operation: Operation;
}
interface About {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly sharing_id?: string;
  readonly return_id?: string;
  readonly receiver_id?: string;
}

/** Writes down that the channel is about to be asked. */
export async function beginCall(
  tx: Transaction,
  services: Services,
  about: About,
  operation: Operation,
  number: string,
): Promise<OpenCall> {
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("sharing_calls")
    .values({ ...about, id, operation, number, started_at: new Date(now_ms).toISOString() })
    .execute();
  return { service_provider_id: about.service_provider_id, id, number, operation };
}
/** Writes down how it ended. */
export async function endCall(tx: Transaction, services: Services, call: OpenCall, outcome: Outcome<unknown>): Promise<void> {
  services.metrics.channelCalls.inc({ operation: call.operation, outcome: outcome.kind });
  await tx
    .updateTable("sharing_calls")
    .set({
      outcome: outcome.kind,
      ended_at: new Date(services.clock.now_ms()).toISOString(),
      ...(outcome.kind === "refused" && { code: outcome.code, message: outcome.message.slice(0, 200) }),
      ...(outcome.kind === "unknown" && { message: outcome.reason.slice(0, 200) }),
    })
    .where("service_provider_id", "=", call.service_provider_id)
    .where("id", "=", call.id)
    .execute();
}
/** When a number was first sent with this operation; undefined where it never was. */
export async function firstSent(
  tx: Transaction,
  service_provider_id: string,
  number: string,
  operation: Operation,
): Promise<string | undefined> {
  const found = await tx
    .selectFrom("sharing_calls")
    .select("started_at")
    .where("service_provider_id", "=", service_provider_id)
    .where("number", "=", number)
    .where("operation", "=", operation)
    .orderBy("started_at")
    .limit(1)
    .executeTakeFirst();
  return found?.started_at;
}
/**
 * For how long after a call that nobody heard the end of 'never heard of it' is not believed: the request may still be on its way at
 * the channel, and a query may not yet see what was just taken. No channel names a time for shares (a refund at Alipay is told after ten
 * seconds); to wait costs nothing but the wait, and to give up early pays a receiver twice.
 */
const SILENCE = sql.lit("10 minutes");
/**
 * Whether another call with this number may still have its effect: one that the channel took is decided by its query alone, and one that
 * ended without a word is over when the channel says, after the silence, that it has never heard of the number.
 */
export async function hasOpenCall(tx: Transaction, call: OpenCall, asking: Operation): Promise<boolean> {
  const found = await sql<{ open: boolean }>`select exists (
    select 1 from sharing_calls c where c.service_provider_id = ${call.service_provider_id} and c.number = ${call.number}
      and c.operation = ${call.operation} and c.id <> ${call.id} and (c.outcome = 'ok' or c.outcome is distinct from 'refused' and not exists (
        select 1 from sharing_calls q where q.service_provider_id = c.service_provider_id and q.operation = ${asking} and q.number = c.number
          and q.code = ${NOT_FOUND} and q.started_at >= coalesce(c.ended_at, c.started_at) + interval ${SILENCE}))) as open`.execute(tx);
  return found.rows[0]?.open === true;
}

/** What signs for a merchant where a wallet's payments are shared; undefined where it has no keys. A disabled one still ends what it began. */
export async function accountOf(
  tx: Transaction,
  services: Services,
  merchant: { readonly service_provider_id: string; readonly merchant_id: string },
  wallet: SharingWallet,
): Promise<SharingAccount | undefined> {
  const find = <T extends "channel_settings" | "channel_accounts">(table: T) =>
    tx
      .selectFrom(table as "channel_settings" | "channel_accounts")
      .selectAll()
      .where("service_provider_id", "=", merchant.service_provider_id)
      .where("merchant_id", "=", merchant.merchant_id)
      .where("channel", "=", 0)
      .executeTakeFirst() as Promise<Selectable<DB[T]> | undefined>;
  if (wallet === "alipay") {
    const row = await find("channel_accounts");
    return row && (accountOfRow(services, row) as AlipayAccount);
  }
  const row = await find("channel_settings");
  return row && wechatAccountOf(services, row);
}
/** By which wallets a merchant can be paid directly, and so can share. */
export async function walletsOf(
  tx: Transaction,
  { service_provider_id, merchant_id }: { readonly service_provider_id: string; readonly merchant_id: string },
): Promise<SharingWallet[]> {
  const { rows } = await sql<{ wallet: SharingWallet }>`
    select 'wechat' as wallet from channel_settings where service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id} and channel = 0
    union all select 'alipay' from channel_accounts where service_provider_id = ${service_provider_id} and merchant_id = ${merchant_id} and channel = 0`.execute(
    tx,
  );
  return rows.map(({ wallet }) => wallet);
}
/** Why nothing can be asked of a wallet's channel for a merchant. */
export const NO_KEYS: Readonly<Record<SharingWallet, string>> = {
  wechat: "商户还没有设置微信支付密钥，请先在商户管理的 APIv3密钥 里设置",
  alipay: "商户还没有设置支付宝密钥，请先在商户管理的收款通道里设置",
};
