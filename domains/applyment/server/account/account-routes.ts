import { createPrivateKey } from "node:crypto";
import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { setOver } from "@zhangfang/server/database/write-over.ts";
import { isRsa, platformKeysOf } from "../../../channels/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { getApplymentAccount, setApplymentAccount } from "../../contract/index.ts";
import { sealAccountKey } from "../dossiers/seals.ts";

const WECHAT_PAY = "https://api.mch.weixin.qq.com";

/** 进件账户: what may be shown of it. */
export const getApplymentAccountRoute = implement(getApplymentAccount, async ({ tx, scope }) => {
  const { provider } = scope;
  if (provider === undefined) throw forbidden();
  const row = await tx.selectFrom("applyment_accounts").selectAll().where("service_provider_id", "=", provider).executeTakeFirst();
  return {
    version: row?.version ?? 0,
    appId: row?.app_id ?? "",
    mchId: row?.mch_id ?? "",
    certSerialTail: (row?.cert_serial ?? "").slice(-6),
    privateKeyTail: row?.private_key_tail ?? "",
    platformKeyTails: Object.keys((row?.platform_keys ?? {}) as object).map((serial) => serial.slice(-4)),
    micro: row?.micro ?? false,
    byName: row?.by_name ?? "",
    updatedAt: (row?.updated_at ?? null) as never,
  };
});

/** 设置进件账户: keys that can't be read are refused before they are sealed, and none stands in the audit log. The number stays while applications are on their way under it. */
export const setApplymentAccountRoute = implement(setApplymentAccount, async (ctx, given) => {
  const { tx, scope, services, now } = ctx;
  const { provider } = scope;
  if (provider === undefined) throw forbidden();
  const { version, appId, mchId, certSerial, privateKeyPem, apiV3Key } = given;
  const before = await tx.selectFrom("applyment_accounts").selectAll().where("service_provider_id", "=", provider).executeTakeFirst();
  if (!before && certSerial === undefined) throw invalid("certSerial", "请填写证书序列号");
  if (!before && privateKeyPem === undefined) throw invalid("privateKeyPem", "请填写商户私钥");
  if (!before && apiV3Key === undefined) throw invalid("apiV3Key", "请填写 APIv3 密钥");
  if (privateKeyPem !== undefined && !isRsa(() => createPrivateKey(privateKeyPem)))
    throw invalid("privateKeyPem", "私钥无法读取，须为未加密的 RSA 私钥");
  if (before && before.mch_id !== mchId) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from applyments a where a.service_provider_id = ${provider}
      and a.mch_id = ${before.mch_id} and a.state not in ('FINISHED', 'CANCELED')`.execute(tx);
    if (rows[0]!.n > 0) throw conflict(`还有 ${rows[0]!.n} 份进件在原商户号下，全部有结果后才能更换商户号`, "applyment.account-in-use");
  }
  const platformKeys = platformKeysOf((before?.platform_keys ?? {}) as Record<string, string>, given);
  const keys = {
    ...(privateKeyPem !== undefined && {
      private_key_sealed: sealAccountKey(services, provider, "private_key", privateKeyPem),
      private_key_tail: privateKeyPem.replaceAll(/-----[A-Z ]+-----|\s/g, "").slice(-6),
    }),
    ...(apiV3Key !== undefined && { api_v3_key_sealed: sealAccountKey(services, provider, "api_v3_key", apiV3Key) }),
  };
  const values = {
    app_id: appId,
    mch_id: mchId,
    cert_serial: certSerial ?? before!.cert_serial,
    platform_keys: JSON.stringify(platformKeys),
    base_url: before?.base_url ?? WECHAT_PAY,
    micro: given.micro ?? before?.micro ?? false,
    ...keys,
    by_name: askerOf(ctx).name,
    updated_at: now,
  };
  await setOver(tx, "applyment_accounts", { service_provider_id: provider }, version, values, "进件账户");
  ctx.note({
    targetKind: "applyment_account",
    targetId: provider,
    provider,
    after: { appId, mchId, keys: Object.keys(keys).length > 0 ? "changed" : "kept" },
  });
  return { version: version + 1 };
});
