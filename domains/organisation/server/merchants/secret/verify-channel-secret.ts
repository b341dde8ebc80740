import { implement } from "@zhangfang/server/call.ts";
import { invalid } from "@zhangfang/server/errors.ts";
import { channelOf, NOT_FOUND, type Outcome } from "../../../../channels/server/index.ts";
import { verifyChannelSecret as endpoint } from "../../../contract/index.ts";
import { wechatAccountOf } from "../../channel-secrets.ts";
import { whichMerchant } from "../which-merchant.ts";
import { settingsOf } from "./settings-of.ts";

/**
 * 验证APIv3密钥: asks for an order that can't be there. "Never heard of it" is a yes: the channel took number, certificate and
 * private key. The APIv3 key itself is proved by the first notification that opens.
 */
export const verifyChannelSecret = implement(endpoint, async (ctx, { merchantId }) => {
  const { merchant, row } = await ctx.transaction(
    async (tx) => {
      const found = await whichMerchant(tx, ctx.scope, merchantId);
      return { merchant: found, row: await settingsOf(tx, found) };
    },
    { readOnly: true },
  );
  if (!row) throw invalid("merchantId", "还没有设置密钥");
  const account = wechatAccountOf(ctx.services, row);
  const said = told(await channelOf(ctx.services).query(account, { outTradeNo: `VERIFY${ctx.services.ids.digits(20)}` }));
  await ctx.transaction(async (tx) => {
    await tx
      .updateTable("channel_settings")
      .set({ verified_at: ctx.now, verify_outcome: said.outcome, verify_message: said.message })
      .where("service_provider_id", "=", merchant.service_provider_id)
      .where("id", "=", row.id)
      // Keys that were changed meanwhile have not been asked about.
      .where("updated_at", "=", row.updated_at)
      .execute();
    await ctx.audit(tx, {
      targetKind: "channel-secret",
      targetId: merchant.id,
      after: said,
      provider: merchant.service_provider_id,
      merchant: merchant.id,
    });
  });
  return said;
});

function told(outcome: Outcome<unknown>): { outcome: "ok" | "refused" | "unknown"; message: string } {
  if (outcome.kind === "ok" || (outcome.kind === "refused" && outcome.code === NOT_FOUND))
    return { outcome: "ok", message: "渠道已认可商户号、证书和私钥" };
  if (outcome.kind === "refused") return { outcome: "refused", message: `${outcome.code}：${outcome.message}`.slice(0, 200) };
  return { outcome: "unknown", message: outcome.reason.slice(0, 200) };
}
