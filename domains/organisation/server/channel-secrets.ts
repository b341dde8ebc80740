import type { Selectable } from "kysely";
import { derivedKey } from "@zhangfang/server/config.ts";
import { seal, unseal } from "@zhangfang/server/crypto.ts";
import type { DB } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ChannelAccount } from "../../channels/server/index.ts";

type SecretColumn = "private_key" | "api_v3_key" | "app_secret" | "account_key" | "auth_token";
const keyOf = (services: Services) => derivedKey(services.config.secret, "channel-settings");
const placeOf = (column: SecretColumn, provider: string, id: string) => `channel_settings.${column}:${provider}:${id}`;

/** Seals one secret of channel_settings for its own row. */
export const sealChannelSecret = (services: Services, column: SecretColumn, provider: string, id: string, secret: string): string =>
  seal(keyOf(services), placeOf(column, provider, id), secret);

/** Opens the secrets of a row of channel_settings. @throws where the row was moved or changed by hand */
export function openChannelSecrets(
  services: Services,
  row: { service_provider_id: string; id: string; private_key_sealed: string; api_v3_key_sealed: string },
): { privateKeyPem: string; apiV3Key: string } {
  const open = (column: SecretColumn, sealed: string) => unseal(keyOf(services), placeOf(column, row.service_provider_id, row.id), sealed);
  return { privateKeyPem: open("private_key", row.private_key_sealed), apiV3Key: open("api_v3_key", row.api_v3_key_sealed) };
}

/** What signs for a merchant at WeChat Pay, from its row of channel_settings. @throws where the row was moved or changed by hand */
export function wechatAccountOf(services: Services, row: Selectable<DB["channel_settings"]>): ChannelAccount {
  return {
    channel: 0,
    mode: row.mode === "direct" ? "direct" : "partner",
    appId: row.app_id,
    mchId: row.mch_id,
    subMchId: row.sub_mch_id ?? undefined,
    certSerial: row.cert_serial,
    ...openChannelSecrets(services, row),
    platformKeys: row.platform_keys as Record<string, string>,
    baseUrl: row.base_url,
  };
}

/** Opens the secrets of a row of channel_accounts. @throws where the row was moved or changed by hand */
export function openAccountSecrets(
  services: Services,
  row: { service_provider_id: string; id: string; private_key_sealed: string; auth_token_sealed: string | null },
): { privateKey: string; authToken: string | undefined } {
  const open = (column: SecretColumn, sealed: string) => unseal(keyOf(services), placeOf(column, row.service_provider_id, row.id), sealed);
  return {
    privateKey: open("account_key", row.private_key_sealed),
    authToken: row.auth_token_sealed === null ? undefined : open("auth_token", row.auth_token_sealed),
  };
}

/** The last four characters inside a PEM or a key in hex. */
export const tailOf = (key: string): string => key.replaceAll(/-----[^-]+-----|[\s=]/g, "").slice(-4);

/** The secret of the official account, where it was set. @throws where the row was moved or changed by hand */
export const openAppSecret = (
  services: Services,
  row: { service_provider_id: string; id: string; app_secret_sealed: string | null },
): string | undefined =>
  row.app_secret_sealed === null
    ? undefined
    : unseal(keyOf(services), placeOf("app_secret", row.service_provider_id, row.id), row.app_secret_sealed);
