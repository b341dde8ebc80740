import type { Selectable } from "kysely";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { AcquirerChannel, AlipayAccount, AlipayCertificates, AcquirerAccount } from "../../channels/server/index.ts";
import { certificatesEnd } from "./merchants/accounts/read-certificates.ts";
import { openAccountSecrets, sealChannelSecret, tailOf } from "./channel-secrets.ts";

/** What a merchant's account at Alipay (channel 0) or at an acquirer needs; the keys in the clear. */
export interface NewChannelAccount {
  readonly serviceProviderId: string;
  readonly merchantId: string;
  readonly channel: 0 | AcquirerChannel;
  readonly mode: "direct" | "partner";
  readonly merchantNo: string;
  readonly appNo: string;
  readonly privateKey: string;
  readonly publicKey: string;
  /** Alipay in certificate mode; the public key is then Alipay's certificate's. */
  readonly certificates?: AlipayCertificates | undefined;
  /** Partner mode of Alipay: app_auth_token. */
  readonly authToken?: string | undefined;
  readonly baseUrl: string;
}

/**
 * Sets a merchant's account in place of what was there. Secrets are sealed for this row and never read back by a screen.
 * @returns the id that notifications carry
 */
export async function setChannelAccount(tx: Transaction, services: Services, given: NewChannelAccount): Promise<string> {
  const provider = given.serviceProviderId;
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const before = await tx
    .selectFrom("channel_accounts")
    .select("id")
    .where("service_provider_id", "=", provider)
    .where("merchant_id", "=", given.merchantId)
    .where("channel", "=", given.channel)
    .executeTakeFirst();
  const id = before?.id ?? services.ids.uuid(now_ms);
  const token = given.mode === "partner" ? given.authToken : undefined;
  const values = {
    mode: given.mode,
    merchant_no: given.merchantNo,
    app_no: given.appNo,
    public_key: given.publicKey,
    certificates: given.certificates ? JSON.stringify(given.certificates) : null,
    certificates_until: given.certificates ? certificatesEnd(given.certificates) || null : null,
    // All RSA keys of a length end alike, hence of its digest.
    public_key_tail: sha256(given.publicKey).toString("hex").slice(-4).toUpperCase(),
    private_key_sealed: sealChannelSecret(services, "account_key", provider, id, given.privateKey),
    private_key_tail: tailOf(given.privateKey),
    auth_token_sealed: token === undefined ? null : sealChannelSecret(services, "auth_token", provider, id, token),
    auth_token_tail: token === undefined ? null : token.slice(-4),
    secrets_at: now,
    // Whatever the channel said was about the keys before.
    verified_at: null,
    verify_outcome: null,
    verify_message: null,
    proved_at: null,
    base_url: given.baseUrl.replace(/\/$/, ""),
    updated_at: now,
  };
  await tx
    .insertInto("channel_accounts")
    .values({ service_provider_id: provider, id, merchant_id: given.merchantId, channel: given.channel, ...values, created_at: now })
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "id"]).doUpdateSet(values))
    .execute();
  return id;
}

/** What signs for the merchant of a row. @throws where the row was moved or changed by hand */
export function accountOfRow(services: Services, row: Selectable<DB["channel_accounts"]>): AlipayAccount | AcquirerAccount {
  const { privateKey, authToken } = openAccountSecrets(services, row);
  if (row.channel !== 0) {
    const { merchant_no: merchantNo, app_no: appNo, public_key: publicKey, base_url: baseUrl } = row;
    return { family: "acquirer", channel: row.channel as AcquirerChannel, merchantNo, appNo, privateKey, publicKey, baseUrl };
  }
  return {
    family: "alipay",
    channel: 0,
    mode: row.mode === "partner" ? "partner" : "direct",
    appId: row.app_no,
    sellerId: row.merchant_no,
    appAuthToken: authToken,
    privateKeyPem: privateKey,
    publicKeyPem: row.public_key,
    certificates: (row.certificates as AlipayCertificates | null) ?? undefined,
    baseUrl: row.base_url,
  };
}
