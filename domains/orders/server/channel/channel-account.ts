import type { Selectable } from "kysely";
import type { DB, Transaction } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ChannelAccount } from "../../../channels/server/index.ts";
import { openChannelSecrets } from "../../../organisation/server/index.ts";

export interface Settings {
  readonly id: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly active: boolean;
  readonly account: ChannelAccount;
}

/** What signs for a merchant at a channel. A disabled setting still asks about and refunds what was paid through it. */
export async function settingsOf(
  tx: Transaction,
  services: Services,
  order: { service_provider_id: string; merchant_id: string; channel: number },
): Promise<Settings | undefined> {
  const row = await tx
    .selectFrom("channel_settings")
    .selectAll()
    .where("service_provider_id", "=", order.service_provider_id)
    .where("merchant_id", "=", order.merchant_id)
    .where("channel", "=", order.channel)
    .executeTakeFirst();
  return row && read(services, row);
}
/** The setting that a notification's address names. */
export async function settingsById(tx: Transaction, services: Services, id: string): Promise<Settings | undefined> {
  const row = await tx.selectFrom("channel_settings").selectAll().where("id", "=", id).executeTakeFirst();
  return row && read(services, row);
}

function read(services: Services, row: Selectable<DB["channel_settings"]>): Settings {
  const { privateKeyPem, apiV3Key } = openChannelSecrets(services, row);
  const account: ChannelAccount = {
    channel: 0,
    mode: row.mode === "direct" ? "direct" : "partner",
    appId: row.app_id,
    mchId: row.mch_id,
    subMchId: row.sub_mch_id ?? undefined,
    certSerial: row.cert_serial,
    privateKeyPem,
    apiV3Key,
    platformKeys: row.platform_keys as Record<string, string>,
    baseUrl: row.base_url,
  };
  return {
    id: row.id,
    service_provider_id: row.service_provider_id,
    merchant_id: row.merchant_id,
    active: row.state === "active",
    account,
  };
}
/** Where the channel tells about this setting's payments and refunds. */
export const notifyUrl = (services: Services, settings: Settings): string =>
  `${services.config.public_url}/notify/wechat-pay/${settings.id}`;
