import { sql } from "kysely";
import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { channelSettings } from "../contract/index.ts";
import { sealChannelSecret, tailOf } from "./channel-secrets.ts";

/** Holds a merchant, so that its channel settings are read and written by one at a time. */
export const holdMerchant = (
  tx: Transaction,
  { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string },
): Promise<unknown> =>
  sql`select 1 from merchants m where m.service_provider_id = ${service_provider_id} and m.id = ${id} for no key update of m`.execute(tx);

/**
 * Sets what a merchant's channel needs, in place of what was there. Secrets are sealed for this row and never read back
 * by a screen. @returns the id that notifications carry @throws 400 at a wrong field
 */
export async function setChannelSettings(tx: Transaction, services: Services, given: z.input<typeof channelSettings>): Promise<string> {
  const settings = checkGiven(channelSettings, given);
  const provider = settings.serviceProviderId;
  await holdMerchant(tx, { service_provider_id: provider, id: settings.merchantId });
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const before = await tx
    .selectFrom("channel_settings")
    .select(["id", "app_id"])
    .where("service_provider_id", "=", provider)
    .where("merchant_id", "=", settings.merchantId)
    .where("channel", "=", settings.channel)
    .executeTakeFirst();
  const id = before?.id ?? services.ids.uuid(now_ms);
  const values = {
    mode: settings.mode,
    app_id: settings.appId,
    mch_id: settings.mchId,
    sub_mch_id: settings.subMchId ?? null,
    cert_serial: settings.certSerial,
    private_key_sealed: sealChannelSecret(services, "private_key", provider, id, settings.privateKeyPem),
    api_v3_key_sealed: sealChannelSecret(services, "api_v3_key", provider, id, settings.apiV3Key),
    // Left out it stays: it belongs to the application, not to the keys of payment. Another application has none of it.
    ...(before !== undefined && before.app_id !== settings.appId && { app_secret_sealed: null, app_secret_tail: null }),
    ...(settings.appSecret !== undefined && {
      app_secret_sealed: sealChannelSecret(services, "app_secret", provider, id, settings.appSecret),
      app_secret_tail: settings.appSecret.slice(-4),
    }),
    // What the screens show of them; whatever the channel said was about the keys before.
    private_key_tail: tailOf(settings.privateKeyPem),
    api_v3_key_tail: settings.apiV3Key.slice(-4),
    secrets_at: now,
    verified_at: null,
    verify_outcome: null,
    verify_message: null,
    proved_at: null,
    platform_keys: JSON.stringify(settings.platformKeys),
    base_url: settings.baseUrl.replace(/\/$/, ""),
    updated_at: now,
  };
  await tx
    .insertInto("channel_settings")
    .values({ service_provider_id: provider, id, merchant_id: settings.merchantId, channel: settings.channel, ...values, created_at: now })
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "id"]).doUpdateSet(values))
    .execute();
  return id;
}
