import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { verifyChannelSecret } from "../../../contract/index.ts";
import { wechatAccountOf } from "../../channel-secrets.ts";
import { verifyKeys } from "../verify-keys.ts";
import { settingsOf } from "./settings-of.ts";

/**
 * 验证APIv3密钥: that the channel takes number, certificate and private key. The APIv3 key itself is proved by the first
 * notification that opens.
 */
export const verifyChannelSecretRoute = implement(verifyChannelSecret, (ctx, { merchantId }) =>
  verifyKeys(ctx, {
    merchantId,
    table: "channel_settings",
    find: settingsOf,
    none: invalid("merchantId", "还没有设置密钥"),
    account: (row) => wechatAccountOf(ctx.services, row),
    accepted: "通道已认可商户号、证书和私钥",
    targetKind: "channel-secret",
  }),
);
