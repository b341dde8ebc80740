import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { verifyChannelAccount } from "../../../contract/index.ts";
import { accountOfRow } from "../../channel-accounts.ts";
import { verifyKeys } from "../verify-keys.ts";
import { accountRow } from "./account-row.ts";

/** 验证收款通道: that number, application, private key and the channel's public key all fit. */
export const verifyChannelAccountRoute = implement(verifyChannelAccount, (ctx, { merchantId, channel }) =>
  verifyKeys(ctx, {
    merchantId,
    table: "channel_accounts",
    find: (tx, merchant) => accountRow(tx, merchant, channel),
    none: invalid("channel", "还没有设置此通道"),
    account: (row) => accountOfRow(ctx.services, row),
    accepted: "通道已认可商户号和密钥",
    targetKind: "channel-account",
    about: { channel },
  }),
);
