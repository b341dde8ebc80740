import type { Selectable } from "kysely";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { walletOfTool, type PayAccount } from "../../../channels/server/index.ts";
import { accountOfRow, wechatAccountOf } from "../../../organisation/server/index.ts";

export interface Settings {
  readonly id: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly active: boolean;
  /** An answer of the channel was opened with these keys; before that its word at our door is only a reason to ask. */
  readonly proved: boolean;
  /** When the keys were set. */
  readonly secrets_at: string | null;
  readonly account: PayAccount;
}

/** What signs for the merchant of an order where it is paid. A disabled setting still asks about and refunds what was paid through it. */
export async function settingsOf(
  tx: Transaction,
  services: Services,
  order: { service_provider_id: string; merchant_id: string; channel: number; tool: number },
): Promise<Settings | undefined> {
  // Two of them are the direct channel: WeChat Pay's own table, and Alipay's row beside the acquirers'.
  if (order.channel !== 0 || walletOfTool(order.tool) === "alipay") {
    const row = await tx
      .selectFrom("channel_accounts")
      .selectAll()
      .where("service_provider_id", "=", order.service_provider_id)
      .where("merchant_id", "=", order.merchant_id)
      .where("channel", "=", order.channel)
      .executeTakeFirst();
    return row && settings(row, accountOfRow(services, row));
  }
  const row = await tx
    .selectFrom("channel_settings")
    .selectAll()
    .where("service_provider_id", "=", order.service_provider_id)
    .where("merchant_id", "=", order.merchant_id)
    .where("channel", "=", order.channel)
    .executeTakeFirst();
  return row && settings(row, wechatAccountOf(services, row));
}
/** The setting that the address of a WeChat Pay notification names. */
export async function settingsById(tx: Transaction, services: Services, id: string): Promise<Settings | undefined> {
  const row = await tx.selectFrom("channel_settings").selectAll().where("id", "=", id).executeTakeFirst();
  return row && settings(row, wechatAccountOf(services, row));
}
/** The setting that the address of another channel's notification names. */
export async function accountById(
  tx: Transaction,
  services: Services,
  family: "alipay" | "acquirer",
  id: string,
): Promise<Settings | undefined> {
  const row = await tx.selectFrom("channel_accounts").selectAll().where("id", "=", id).executeTakeFirst();
  return row && (row.channel === 0) === (family === "alipay") ? settings(row, accountOfRow(services, row)) : undefined;
}

type Row = Pick<Selectable<DB["channel_settings"]>, "id" | "service_provider_id" | "merchant_id" | "state" | "proved_at" | "secrets_at">;
function settings({ state, proved_at, ...row }: Row, account: PayAccount): Settings {
  const { id, service_provider_id, merchant_id, secrets_at } = row;
  return { id, service_provider_id, merchant_id, active: state === "active", proved: proved_at !== null, secrets_at, account };
}
/** The channel gave a yes that the public key of this setting opened, over the connection to its own host: the key is the channel's. */
export async function markProved(tx: Transaction, services: Services, settings: Settings): Promise<void> {
  if (settings.proved) return;
  await tx
    .updateTable("family" in settings.account ? "channel_accounts" : "channel_settings")
    .set({ proved_at: new Date(services.clock.now_ms()).toISOString() })
    .where("service_provider_id", "=", settings.service_provider_id)
    .where("id", "=", settings.id)
    // Keys that were set meanwhile have proved nothing.
    .where("secrets_at", "is not distinct from", settings.secrets_at)
    .where("proved_at", "is", null)
    .execute();
}
/** Where the channel tells about this setting's payments and refunds. */
export const notifyUrl = (services: Services, { id, account }: Settings): string =>
  `${services.config.public_url}/notify/${"family" in account ? account.family : "wechat-pay"}/${id}`;
