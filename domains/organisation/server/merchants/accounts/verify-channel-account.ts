import { implement } from "@zhangfang/server/call.ts";
import { invalid } from "@zhangfang/server/errors.ts";
import { channelOf, NOT_FOUND, type Outcome } from "../../../../channels/server/index.ts";
import { verifyChannelAccount as endpoint } from "../../../contract/index.ts";
import { accountOfRow } from "../../channel-accounts.ts";
import { whichMerchant } from "../which-merchant.ts";
import { accountRow } from "./account-row.ts";

/**
 * 验证收款渠道: asks for an order that can't be there. "Never heard of it", signed by the channel's key, is a yes: number,
 * application, private key and the channel's public key all fit.
 */
export const verifyChannelAccount = implement(endpoint, async (ctx, { merchantId, channel }) => {
  const { merchant, row } = await ctx.transaction(
    async (tx) => {
      const found = await whichMerchant(tx, ctx.scope, merchantId);
      return { merchant: found, row: await accountRow(tx, found, channel) };
    },
    { readOnly: true },
  );
  if (!row) throw invalid("channel", "还没有设置此渠道");
  const account = accountOfRow(ctx.services, row);
  const said = told(await channelOf(ctx.services).query(account, { outTradeNo: `VERIFY${ctx.services.ids.digits(20)}` }));
  await ctx.transaction(async (tx) => {
    await tx
      .updateTable("channel_accounts")
      .set({ verified_at: ctx.now, verify_outcome: said.outcome, verify_message: said.message })
      .where("service_provider_id", "=", merchant.service_provider_id)
      .where("id", "=", row.id)
      // Keys that were changed meanwhile have not been asked about.
      .where("updated_at", "=", row.updated_at)
      .execute();
    await ctx.audit(tx, {
      targetKind: "channel-account",
      targetId: merchant.id,
      after: { channel, ...said },
      provider: merchant.service_provider_id,
      merchant: merchant.id,
    });
  });
  return said;
});

function told(outcome: Outcome<unknown>): { outcome: "ok" | "refused" | "unknown"; message: string } {
  if (outcome.kind === "ok" || (outcome.kind === "refused" && outcome.code === NOT_FOUND))
    return { outcome: "ok", message: "渠道已认可商户号和密钥" };
  if (outcome.kind === "refused") return { outcome: "refused", message: `${outcome.code}：${outcome.message}`.slice(0, 200) };
  return { outcome: "unknown", message: outcome.reason.slice(0, 200) };
}
