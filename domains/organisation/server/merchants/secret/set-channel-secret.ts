import { createPrivateKey } from "node:crypto";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { setChannelSecret } from "../../../contract/index.ts";
import { openChannelSecrets } from "../../channel-secrets.ts";
import { setChannelSettings } from "../../set-channel-settings.ts";
import { mustBeQuiet } from "../accounts/must-be-quiet.ts";
import { whichMerchant } from "../which-merchant.ts";
import { isRsa, platformKeysOf } from "../../../../channels/server/index.ts";
import { settingsOf } from "./settings-of.ts";

const WECHAT_PAY = "https://api.mch.weixin.qq.com";

/** 设置APIv3密钥: what is left out stays; a key that can't be read is refused before it is sealed, and none is written down in the audit log. */
export const setChannelSecretRoute = implement(setChannelSecret, async (ctx, given) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, given.merchantId);
  const before = await settingsOf(ctx.tx, merchant);
  const known = before && openChannelSecrets(ctx.services, before);
  const { privateKeyPem } = given;
  if (privateKeyPem !== undefined && !isRsa(() => createPrivateKey(privateKeyPem)))
    throw invalid("privateKeyPem", "私钥无法读取，须为未加密的 RSA 私钥");
  const subMchId = given.mode === "partner" ? given.subMchId : undefined;
  if (before && (before.mch_id !== given.mchId || before.sub_mch_id !== (subMchId ?? null)))
    await mustBeQuiet(ctx.tx, merchant, { channel: 0, alipay: false });
  const need = (field: keyof typeof given, value: string | undefined, what: string): string => {
    if (value === undefined) throw invalid(field, `请填写${what}`);
    return value;
  };
  const platformKeys = platformKeysOf((before?.platform_keys ?? {}) as Record<string, string>, given);
  await setChannelSettings(ctx.tx, ctx.services, {
    serviceProviderId: merchant.service_provider_id,
    merchantId: merchant.id,
    mode: given.mode,
    appId: given.appId,
    mchId: given.mchId,
    subMchId,
    certSerial: need("certSerial", given.certSerial ?? before?.cert_serial, "证书序列号"),
    privateKeyPem: need("privateKeyPem", given.privateKeyPem ?? known?.privateKeyPem, "商户私钥"),
    apiV3Key: need("apiV3Key", given.apiV3Key ?? known?.apiV3Key, " APIv3 密钥"),
    appSecret: given.appSecret,
    platformKeys,
    baseUrl: before?.base_url ?? WECHAT_PAY,
  });
  const changed = (
    ["certSerial", "privateKeyPem", "apiV3Key", "appSecret", "platformKeyPem", "platformCertPem", "dropPlatformCert"] as const
  ).filter((name) => given[name]);
  ctx.note({
    targetKind: "channel-secret",
    targetId: merchant.id,
    before: before && { mode: before.mode, mchId: before.mch_id, subMchId: before.sub_mch_id },
    after: { mode: given.mode, mchId: given.mchId, subMchId: given.subMchId, changed },
    provider: merchant.service_provider_id,
    merchant: merchant.id,
  });
  return { ok: true as const };
});
