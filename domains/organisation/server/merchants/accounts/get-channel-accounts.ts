import { implement } from "@zhangfang/server/calls/call.ts";
import { wallet } from "../../../../channels/contract.ts";
import type { AlipayCertificates } from "../../../../channels/server/index.ts";
import { getChannelAccounts } from "../../../contract/index.ts";
import { whichMerchant } from "../which-merchant.ts";
import { certificatesEnd } from "./read-certificates.ts";

const shownOf = (found: AlipayCertificates | null) =>
  found && { appSn: found.appSn, alipaySn: found.alipaySn, rootSn: found.rootSn, expiresAt: certificatesEnd(found) as never };

/** 收款通道: the ends of the keys, when they were set, what the channel said of them, and which goes first. */
export const getChannelAccountsRoute = implement(getChannelAccounts, async (ctx, { merchantId }) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, merchantId);
  const { service_provider_id, id } = merchant;
  const wechat = await ctx.tx
    .selectFrom("channel_settings")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", id)
    .where("state", "=", "active")
    .executeTakeFirst();
  const accounts = await ctx.tx
    .selectFrom("channel_accounts")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", id)
    .orderBy("channel")
    .execute();
  const rules = await ctx.tx
    .selectFrom("channel_rules")
    .select(["wallet", "channel"])
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", id)
    .orderBy("priority")
    .execute();
  return {
    merchantId: id,
    merchantName: merchant.short_name,
    wechat: wechat !== undefined,
    accounts: accounts.map((row) => ({
      channel: row.channel as 0,
      mode: row.mode as "direct" | "partner",
      merchantNo: row.merchant_no,
      gatewayUrl: row.channel === 0 ? `${ctx.services.config.public_url}/notify/alipay/${row.id}` : null,
      appNo: row.app_no,
      publicKeyTail: row.public_key_tail,
      privateKeyTail: row.private_key_tail,
      authTokenTail: row.auth_token_tail,
      keyMode: row.certificates ? ("certificate" as const) : ("key" as const),
      certificates: shownOf(row.certificates as AlipayCertificates | null),
      state: row.state as "active" | "disabled",
      secretsAt: row.secrets_at as never,
      verifiedAt: row.verified_at as never,
      verifyOutcome: row.verify_outcome as "ok" | null,
      verifyMessage: row.verify_message,
    })),
    rules: wallet.values.map((one) => ({
      wallet: one,
      channels: rules.filter((row) => row.wallet === one).map((row) => row.channel as 0),
    })),
  };
});
