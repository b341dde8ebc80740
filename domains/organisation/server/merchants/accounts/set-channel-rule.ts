import { implement } from "@zhangfang/server/calls/call.ts";
import { setChannelRule } from "../../../contract/index.ts";
import { whichMerchant } from "../which-merchant.ts";

/** 设置通道优先级: the whole order of one wallet, in place of what was there. */
export const setChannelRuleRoute = implement(setChannelRule, async (ctx, { merchantId, wallet, channels }) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, merchantId);
  const { service_provider_id, id: merchant_id } = merchant;
  // Two people at once: the second waits here and then replaces what the first one set.
  await ctx.tx
    .selectFrom("merchants")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", merchant_id)
    .forUpdate()
    .execute();
  await ctx.tx
    .deleteFrom("channel_rules")
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("wallet", "=", wallet)
    .execute();
  if (channels.length > 0)
    await ctx.tx
      .insertInto("channel_rules")
      .values(channels.map((channel, n) => ({ service_provider_id, merchant_id, wallet, channel, priority: n + 1 })))
      .execute();
  ctx.note({
    targetKind: "channel-rule",
    targetId: merchant_id,
    after: { wallet, channels },
    provider: service_provider_id,
    merchant: merchant_id,
  });
  return { ok: true as const };
});
