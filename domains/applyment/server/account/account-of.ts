import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ChannelAccount } from "../../../channels/server/index.ts";
import { openAccountKey, sealAccountKey } from "../dossiers/seals.ts";

/** What submits for a provider's merchants; undefined where nobody has set it. */
export async function accountOf(tx: Transaction, services: Services, provider: string): Promise<ChannelAccount | undefined> {
  const row = await tx.selectFrom("applyment_accounts").selectAll().where("service_provider_id", "=", provider).executeTakeFirst();
  return (
    row && {
      channel: 0,
      mode: "partner",
      appId: row.app_id,
      mchId: row.mch_id,
      certSerial: row.cert_serial,
      privateKeyPem: openAccountKey(services, provider, "private_key", row.private_key_sealed),
      apiV3Key: openAccountKey(services, provider, "api_v3_key", row.api_v3_key_sealed),
      platformKeys: row.platform_keys as Record<string, string>,
      baseUrl: row.base_url,
    }
  );
}
/** Gives a provider its 进件账户 as it stands, for a world that is made: nobody's audit row is written. */
export async function giveApplymentAccount(
  tx: Transaction,
  services: Services,
  provider: string,
  account: Omit<ChannelAccount, "subMchId">,
): Promise<void> {
  await tx
    .insertInto("applyment_accounts")
    .values({
      service_provider_id: provider,
      app_id: account.appId,
      mch_id: account.mchId,
      cert_serial: account.certSerial,
      private_key_sealed: sealAccountKey(services, provider, "private_key", account.privateKeyPem),
      private_key_tail: account.privateKeyPem.replaceAll(/-----[A-Z ]+-----|\s/g, "").slice(-6),
      api_v3_key_sealed: sealAccountKey(services, provider, "api_v3_key", account.apiV3Key),
      platform_keys: JSON.stringify(account.platformKeys),
      base_url: account.baseUrl,
      by_name: "演示数据",
      updated_at: new Date(services.clock.now_ms()).toISOString(),
    })
    .execute();
}
