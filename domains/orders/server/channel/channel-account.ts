import type { Transaction } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { walletOfTool, type PayAccount } from "../../../channels/server/index.ts";
import { accountOfRow, wechatAccountOf } from "../../../organisation/server/index.ts";

export interface Settings {
  readonly id: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly active: boolean;
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

function settings(row: { id: string; service_provider_id: string; merchant_id: string; state: string }, account: PayAccount): Settings {
  const { id, service_provider_id, merchant_id } = row;
  return { id, service_provider_id, merchant_id, active: row.state === "active", account };
}
/** Where the channel tells about this setting's payments and refunds. */
export const notifyUrl = (services: Services, { id, account }: Settings): string =>
  `${services.config.public_url}/notify/${"family" in account ? account.family : "wechat-pay"}/${id}`;
