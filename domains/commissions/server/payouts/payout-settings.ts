import { createPrivateKey } from "node:crypto";
import { sql } from "kysely";
import type { OutputOf, ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { setOver } from "@zhangfang/server/database/write-over.ts";
import { proveSelf } from "../../../accounts/server/index.ts";
import { type ChannelAccount, isPublicKeyId, isRsa, platformKeysOf } from "../../../channels/server/index.ts";
import { getPayoutSettings, setPayoutSettings } from "../../contract/index.ts";
import { openFor, sealFor } from "./payee.ts";
import type { PayoutTerms } from "./withdrawal-rules.ts";

const WECHAT_PAY = "https://api.mch.weixin.qq.com";

/** A provider's terms of withdrawal, for whoever asks. */
export async function payoutTermsOf(tx: Transaction, provider: string): Promise<PayoutTerms> {
  const { rows } = await sql<PayoutTerms>`select * from app.payout_terms(${provider}::uuid)`.execute(tx);
  return rows[0]!;
}
/** What signs for a provider's own account at the channel; undefined where it has set none. */
export async function payoutAccountOf(
  tx: Transaction,
  services: Services,
  provider: string,
): Promise<{ account: ChannelAccount; sceneId: string; appSecret: string | undefined } | undefined> {
  const row = await tx.selectFrom("payout_settings").selectAll().where("service_provider_id", "=", provider).executeTakeFirst();
  if (!row?.private_key_sealed || !row.app_id || !row.mch_id || !row.cert_serial) return undefined;
  const account: ChannelAccount = {
    channel: 0,
    mode: "direct",
    appId: row.app_id,
    mchId: row.mch_id,
    certSerial: row.cert_serial,
    privateKeyPem: openFor(services, "payout_settings.private_key", provider, provider, row.private_key_sealed),
    // Without it no notification is asked for, and the query alone tells.
    apiV3Key:
      row.api_v3_key_sealed === null ? "" : openFor(services, "payout_settings.api_v3_key", provider, provider, row.api_v3_key_sealed),
    platformKeys: row.platform_keys as Record<string, string>,
    baseUrl: row.base_url ?? WECHAT_PAY,
  };
  const appSecret =
    row.app_secret_sealed === null ? undefined : openFor(services, "payout_settings.app_secret", provider, provider, row.app_secret_sealed);
  return { account, sceneId: row.scene_id ?? "1005", appSecret };
}

export interface GivenPayouts {
  readonly terms: Omit<PayoutTerms, "pays_wechat">;
  /** Left out, the account stays as it is. */
  readonly channel?: {
    readonly appId: string;
    readonly mchId: string;
    readonly sceneId: string;
    readonly certSerial: string;
    readonly privateKeyPem: string;
    readonly platformKeys: Readonly<Record<string, string>>;
    readonly apiV3Key?: string | undefined;
    readonly appSecret?: string | undefined;
    readonly baseUrl?: string;
  };
  readonly version: number;
  readonly by: string;
}
/**
 * A transfer is one merchant's: as long as any is on its way, the number that answers for it stays.
 * @throws 409 with how many there are
 */
async function keepsMerchant(tx: Transaction, provider: string, mchId: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from withdrawals w
    left join payout_settings s on s.service_provider_id = w.service_provider_id
    where w.service_provider_id = ${provider} and w.status = 2 and w.method = 'wechat' and coalesce(w.mch_id, s.mch_id) <> ${mchId}`.execute(
    tx,
  );
  const count = rows[0]?.count ?? 0;
  if (count > 0) throw conflict(`还有 ${count} 笔微信提现从原商户号打款中，全部有结果后才能更换商户号`, "payout.merchant-in-use");
}
/** Sets a provider's terms and its account, over the version that was read. @throws 409 where it is another by now, or transfers are on their way from another merchant number */
export async function givePayoutSettings(tx: Transaction, services: Services, provider: string, given: GivenPayouts): Promise<void> {
  const { terms, channel, version, by } = given;
  if (channel) await keepsMerchant(tx, provider, channel.mchId);
  const at = new Date(services.clock.now_ms()).toISOString();
  const sealOr = (column: "payout_settings.api_v3_key" | "payout_settings.app_secret", text: string | undefined) =>
    text === undefined ? null : sealFor(services, column, provider, provider, text);
  const keys = channel && {
    app_id: channel.appId,
    mch_id: channel.mchId,
    scene_id: channel.sceneId,
    cert_serial: channel.certSerial,
    private_key_sealed: sealFor(services, "payout_settings.private_key", provider, provider, channel.privateKeyPem),
    private_key_tail: channel.privateKeyPem.replaceAll(/-----[A-Z ]+-----|\s/g, "").slice(-6),
    platform_keys: JSON.stringify(channel.platformKeys),
    api_v3_key_sealed: sealOr("payout_settings.api_v3_key", channel.apiV3Key),
    app_secret_sealed: sealOr("payout_settings.app_secret", channel.appSecret),
    base_url: channel.baseUrl ?? WECHAT_PAY,
    secrets_at: at,
  };
  const values = { ...terms, weekdays: [...terms.weekdays], ...keys, set_by_name: by, updated_at: at };
  await setOver(tx, "payout_settings", { service_provider_id: provider }, version, values, "提现设置");
}

/** 提现设置: the terms, and what may be shown of the keys. */
export const getPayoutSettingsRoute = implement(getPayoutSettings, async (ctx) => {
  const provider = ctx.scope.provider;
  if (provider === undefined) throw forbidden();
  const terms = await payoutTermsOf(ctx.tx, provider);
  const row = await ctx.tx.selectFrom("payout_settings").selectAll().where("service_provider_id", "=", provider).executeTakeFirst();
  const serials = Object.keys((row?.platform_keys ?? {}) as object);
  const tail = (publicKey: boolean): string | null => serials.find((one) => isPublicKeyId(one) === publicKey)?.slice(-4) ?? null;
  const channel = row?.private_key_sealed && {
    appId: row.app_id ?? "",
    mchId: row.mch_id ?? "",
    sceneId: row.scene_id ?? "",
    certSerialTail: (row.cert_serial ?? "").slice(-6),
    privateKeyTail: row.private_key_tail ?? "",
    platformKeyTail: tail(true),
    platformCertTail: tail(false),
    secretsAt: row.secrets_at!,
    hearsNews: row.api_v3_key_sealed !== null,
    opensPage: row.app_secret_sealed !== null,
  };
  return {
    version: row?.version ?? 0,
    minCents: terms.min_cents,
    feeFixedCents: terms.fee_fixed_cents,
    feeRate: terms.fee_rate,
    freezeDays: terms.freeze_days,
    unapprovedUpToCents: terms.unapproved_up_to_cents,
    weekdays: [...terms.weekdays],
    fromHour: terms.from_hour,
    toHour: terms.to_hour,
    channel: channel || null,
    setByName: row?.set_by_name ?? null,
    updatedAt: row?.updated_at ?? null,
  } as OutputOf<typeof getPayoutSettings>;
});

/** 修改提现设置: with the caller's password; keys that can't be read are refused before they are sealed, and none stands in the audit log. */
export const setPayoutSettingsRoute = implement(setPayoutSettings, async (ctx, given) => {
  const provider = ctx.scope.provider;
  if (provider === undefined) throw forbidden();
  const channel = given.setChannel ? readChannel(given) : undefined;
  const proven = await proveSelf(ctx, given.password, "password", "登录密码错误");
  await ctx.transaction(async (tx) => {
    await proven.done(tx);
    const { minCents, feeFixedCents, feeRate, freezeDays, unapprovedUpToCents, weekdays, fromHour, toHour } = given;
    const before = await payoutTermsOf(tx, provider);
    const terms = {
      min_cents: minCents,
      fee_fixed_cents: feeFixedCents,
      fee_rate: feeRate,
      freeze_days: freezeDays,
      unapproved_up_to_cents: unapprovedUpToCents,
      weekdays,
      from_hour: fromHour,
      to_hour: toHour,
    };
    await givePayoutSettings(tx, ctx.services, provider, {
      terms,
      ...(channel && { channel }),
      version: given.version,
      by: ctx.principal.name,
    });
    const told = channel && { mchId: channel.mchId, appId: channel.appId, keys: "changed" };
    await ctx.audit(tx, { targetKind: "payout-settings", targetId: provider, before, after: { ...terms, ...told }, provider });
  });
  return { version: given.version + 1 };
});

function readChannel(given: ParsedOf<typeof setPayoutSettings>): NonNullable<GivenPayouts["channel"]> {
  const need = <K extends "appId" | "mchId" | "sceneId" | "certSerial" | "privateKeyPem">(field: K, what: string): string => {
    const value = given[field];
    if (!value) throw invalid(field, `请填写${what}`);
    return value;
  };
  const privateKeyPem = need("privateKeyPem", "商户私钥");
  if (!isRsa(() => createPrivateKey(privateKeyPem))) throw invalid("privateKeyPem", "私钥无法读取，须为未加密的 RSA 私钥");
  return {
    appId: need("appId", " AppID"),
    mchId: need("mchId", "商户号"),
    sceneId: need("sceneId", "转账场景 ID"),
    certSerial: need("certSerial", "证书序列号"),
    privateKeyPem,
    platformKeys: platformKeysOf({}, given),
    apiV3Key: given.apiV3Key,
    appSecret: given.appSecret,
  };
}
