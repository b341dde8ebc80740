import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { setChannelAccountState } from "../../../contract/index.ts";
import { whichMerchant } from "../which-merchant.ts";

/** 启停收款通道. */
export const setChannelAccountStateRoute = implement(setChannelAccountState, async (ctx, { merchantId, channel, state }) => {
  const merchant = await whichMerchant(ctx.tx, ctx.scope, merchantId);
  const changed = await ctx.tx
    .updateTable("channel_accounts")
    .set({ state, updated_at: ctx.now })
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.id)
    .where("channel", "=", channel)
    .executeTakeFirst();
  mustChange(changed, () => invalid("channel", "还没有设置此通道"));
  ctx.note({
    targetKind: "channel-account",
    targetId: merchant.id,
    after: { channel, state },
    provider: merchant.service_provider_id,
    merchant: merchant.id,
  });
  return { ok: true as const };
});
