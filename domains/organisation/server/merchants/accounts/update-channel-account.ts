import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { accountForms, type AccountForm } from "../../../../channels/contract.ts";
import { addressOf, type AcquirerChannel, type AlipayCertificates } from "../../../../channels/server/index.ts";
import { updateChannelAccount } from "../../../contract/index.ts";
import { setChannelAccount } from "../../channel-accounts.ts";
import { openAccountSecrets } from "../../channel-secrets.ts";
import { mustBeQuiet } from "./must-be-quiet.ts";
import { whichMerchant } from "../which-merchant.ts";
import { accountRow } from "./account-row.ts";
import { readCertificates } from "./read-certificates.ts";
import { readRsaKey, readSm2Key } from "./read-key.ts";

/** 设置收款通道: what is left out stays; a key that can't be read is refused before it is sealed, and none is written down in the audit log. */
export const updateChannelAccountRoute = implement(updateChannelAccount, async (ctx, given) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, given.merchantId);
  const form = accountForms[given.channel];
  if (!form) throw invalid("channel", "暂不支持此通道");
  const before = await accountRow(ctx.tx, merchant, given.channel);
  const known = before && openAccountSecrets(ctx.services, before);
  if (before && before.merchant_no !== given.merchantNo) await mustBeQuiet(ctx.tx, merchant, { channel: given.channel, alipay: true });
  if (!form.merchantNoForm.test(given.merchantNo)) throw invalid("merchantNo", `${form.merchantNo}须为${form.merchantNoHint}`);
  if (form.appNo !== null && given.appNo === undefined) throw invalid("appNo", `请填写${form.appNo}`);
  if (given.mode === "partner" && !form.partner) throw invalid("mode", `${form.title}没有服务商模式`);
  const address = before?.base_url ?? addressOf(ctx.services, given.channel);
  if (address === undefined) throw invalid("channel", `${form.title}的接口地址尚未配置，请联系平台`);
  const authToken = given.mode === "partner" ? (given.authToken ?? known?.authToken) : undefined;
  if (given.mode === "partner" && authToken === undefined) throw invalid("authToken", "请填写商户授权令牌");
  if (given.keyMode === "certificate" && given.channel !== 0) throw invalid("keyMode", `${form.title}没有证书模式`);
  const privateKey = keyOf(form, "private", given.privateKey) ?? known?.privateKey ?? missing("privateKey", "私钥");
  const publicly =
    given.keyMode === "certificate"
      ? readCertificates(given, before?.certificates as AlipayCertificates | undefined, privateKey, new Date(ctx.now_ms))
      : { certificates: undefined, publicKey: publicKeyOf(form, given.publicKey, before) };
  await setChannelAccount(ctx.tx, ctx.services, {
    serviceProviderId: merchant.service_provider_id,
    merchantId: merchant.id,
    channel: given.channel as 0 | AcquirerChannel,
    mode: given.mode,
    merchantNo: given.merchantNo,
    appNo: form.appNo === null ? "" : (given.appNo ?? ""),
    privateKey,
    ...publicly,
    authToken,
    baseUrl: address,
  });
  const changed = (["privateKey", "publicKey", "authToken", "appCert", "alipayCert", "rootCert"] as const).filter(
    (name) => given[name] !== undefined,
  );
  ctx.note({
    targetKind: "channel-account",
    targetId: merchant.id,
    before: before && { mode: before.mode, merchantNo: before.merchant_no, appNo: before.app_no },
    after: { channel: given.channel, mode: given.mode, keyMode: given.keyMode, merchantNo: given.merchantNo, appNo: given.appNo, changed },
    provider: merchant.service_provider_id,
    merchant: merchant.id,
  });
  return { ok: true as const };
});

/** What was set for certificates is theirs, and no key that somebody gave. */
function publicKeyOf(form: AccountForm, given: string | undefined, before: Awaited<ReturnType<typeof accountRow>>): string {
  const kept = before?.certificates ? undefined : before?.public_key;
  return keyOf(form, "public", given) ?? kept ?? missing("publicKey", `${form.title}公钥`);
}
function keyOf({ title, keys }: AccountForm, kind: "private" | "public", given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const field = kind === "private" ? "privateKey" : "publicKey";
  if (keys === "SM2") {
    const key = readSm2Key(kind, given);
    if (key === undefined)
      throw invalid(field, kind === "private" ? "私钥无法读取，须为国密 SM2 私钥" : `公钥无法读取，须为${title}的国密 SM2 公钥`);
    return key;
  }
  const read = readRsaKey(kind, given);
  if (read === undefined)
    throw invalid(
      field,
      kind === "private" ? "私钥无法读取，须为 2048 位以上、未加密的 RSA 私钥" : `公钥无法读取，须为${title}的 2048 位 RSA 公钥`,
    );
  return read;
}
function missing(field: string, what: string): never {
  throw invalid(field, `请填写${what}`);
}
