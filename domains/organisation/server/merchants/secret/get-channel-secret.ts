import { implement } from "@zhangfang/server/calls/call.ts";
import { getChannelSecret } from "../../../contract/index.ts";
import { whichMerchant } from "../which-merchant.ts";
import { isPublicKeyId } from "../../../../channels/server/index.ts";
import { settingsOf } from "./settings-of.ts";

/** APIv3密钥: the ends of the keys, when they were set, and what the channel said of them. */
export const getChannelSecretRoute = implement(getChannelSecret, async (ctx, { merchantId }) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, merchantId);
  const row = await settingsOf(ctx.tx, merchant);
  return {
    merchantId: merchant.id,
    merchantName: merchant.short_name,
    known: row
      ? {
          mode: row.mode as "direct" | "partner",
          appId: row.app_id,
          mchId: row.mch_id,
          subMchId: row.sub_mch_id,
          certSerialTail: row.cert_serial.slice(-4),
          apiV3KeyTail: row.api_v3_key_tail,
          privateKeyTail: row.private_key_tail,
          appSecretTail: row.app_secret_tail,
          ...tailsOf(Object.keys(row.platform_keys as object)),
          secretsAt: row.secrets_at as never,
          verifiedAt: row.verified_at as never,
          verifyOutcome: row.verify_outcome as "ok" | null,
          verifyMessage: row.verify_message,
        }
      : null,
  };
});

/** The ends of the channel's own two keys. */
function tailsOf(serials: readonly string[]) {
  const tail = (publicKey: boolean): string | null => serials.find((one) => isPublicKeyId(one) === publicKey)?.slice(-4) ?? null;
  return { platformKeyTail: tail(true), platformCertTail: tail(false) };
}
