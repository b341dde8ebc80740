import { type Selectable, sql } from "kysely";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import {
  type AlipayAccount,
  hasOpenCall as isOpen,
  type No,
  type Outcome,
  said,
  standingNo as stands,
  type SharingAccount,
  type SharingWallet,
} from "../../channels/server/index.ts";
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
    .set({ ended_at: new Date(services.clock.now_ms()).toISOString(), ...said(outcome) })
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
const asked = (call: OpenCall, operation: Operation) => ({
  table: "sharing_calls" as const,
  call,
  number: { number: call.number },
  operation,
  query: operation === "share-return" ? "query-return" : "query-share",
});
/** Whether another call with this number may still have its effect. */
export const hasOpenCall = (tx: Transaction, call: OpenCall, operation: Operation): Promise<boolean> =>
  isOpen(tx, { ...asked(call, operation), paysTwice: true });
/** The channel's no to the latest sending, where nobody has asked about it since. */
export const standingNo = (tx: Transaction, call: OpenCall, operation: Operation): Promise<No | undefined> =>
  stands(tx, asked(call, operation));

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
