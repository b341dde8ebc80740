import { percent, RATE_ONE } from "@zhangfang/contract/money.ts";
import { implement } from "@zhangfang/server/call.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/errors.ts";
import { SHARING_LIMITS, sharingChannelOf } from "../../../channels/server/index.ts";
import { askMaxRatio, setSharingRule } from "../../contract/index.ts";
import { accountOf, beginCall, endCall } from "../sharing-calls.ts";
import { whichMerchant } from "./which-merchant.ts";

/** Alipay and the acquirers share nothing here: without WeChat Pay there would never be anything to share. @throws 409 */
async function mustBeAbleToShare(...given: Parameters<typeof accountOf>): Promise<void> {
  if (!(await accountOf(...given)))
    throw conflict("商户没有微信支付直连账户，不能分账：只有微信支付直连的收款可以分账，支付宝和收单机构的收款全额结算给商户");
}

/** 修改分账规则: over the version that was read. It holds from the next payment on; what waits goes by the rule of its moment. */
export const setSharingRuleRoute = implement(
  setSharingRule,
  async (ctx, { merchantId, version, mode, timing, groupId, unfreeze, ratios }) => {
    const { tx } = ctx;
    const { service_provider_id, merchant_id } = await whichMerchant(tx, ctx.scope, merchantId);
    const receivers = await tx
      .selectFrom("sharing_receivers")
      .select(["id", "ratio"])
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("group_id", "=", groupId ?? service_provider_id)
      .where("state", "=", "active")
      .execute();
    if (groupId !== null) {
      const group = await tx
        .selectFrom("sharing_groups")
        .select("id")
        .where("service_provider_id", "=", service_provider_id)
        .where("merchant_id", "=", merchant_id)
        .where("id", "=", groupId)
        .executeTakeFirst();
      if (!group) throw notFound("接收方分组");
    }
    const own = Object.fromEntries(ratios.map((one) => [one.receiverId, one.ratio]));
    if (ratios.some((one) => !receivers.some(({ id }) => id === one.receiverId))) throw notFound("分账接收方");
    const sum = receivers.reduce((all, receiver) => all + (own[receiver.id] ?? receiver.ratio), 0);
    const before = await tx
      .selectFrom("sharing_rules")
      .selectAll()
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .executeTakeFirst();
    if (mode !== "none") await mustBeAbleToShare(tx, ctx.services, { service_provider_id, merchant_id });
    const most = before?.max_ratio ?? SHARING_LIMITS.defaultRatio;
    if (mode !== "none" && sum > RATE_ONE) throw invalid("ratios", `接收方比例之和 ${percent(sum)}，超过 100%`);
    if (mode !== "none" && sum > most) throw invalid("ratios", `接收方比例之和 ${percent(sum)}，超过渠道允许的 ${percent(most)}`);
    const values = {
      mode,
      timing,
      group_id: groupId,
      unfreeze,
      ratios: JSON.stringify(own),
      updated_at: ctx.now,
      updated_by_name: ctx.principal.name,
    };
    if (version === 0) {
      const added = await tx
        .insertInto("sharing_rules")
        .values({ service_provider_id, merchant_id, ...values })
        .onConflict((conflicting) => conflicting.columns(["service_provider_id", "merchant_id"]).doNothing())
        .executeTakeFirst();
      mustChange({ numUpdatedRows: added.numInsertedOrUpdatedRows ?? 0n }, () => conflict("规则已被其他人修改，请刷新后重试"));
    } else {
      const changed = await tx
        .updateTable("sharing_rules")
        .set({ ...values, version: version + 1 })
        .where("service_provider_id", "=", service_provider_id)
        .where("merchant_id", "=", merchant_id)
        .where("version", "=", version)
        .executeTakeFirst();
      mustChange(changed, () => conflict("规则已被其他人修改，请刷新后重试"));
    }
    ctx.note({
      targetKind: "sharing-rule",
      targetId: merchant_id,
      provider: service_provider_id,
      merchant: merchant_id,
      before: before && { mode: before.mode, timing: before.timing, ratios: before.ratios, unfreeze: before.unfreeze },
      after: { mode, timing, ratios: own, unfreeze },
    });
    return { ok: true as const };
  },
);

/** 查询最大分账比例: the channel's word is kept with the rule. */
export const askMaxRatioRoute = implement(askMaxRatio, async (ctx, { merchantId }) => {
  const { services } = ctx;
  const asked = await ctx.transaction(async (tx) => {
    const merchant = await whichMerchant(tx, ctx.scope, merchantId);
    const { service_provider_id, merchant_id } = merchant;
    const account = await accountOf(tx, services, merchant);
    if (!account) throw conflict("商户还没有设置微信支付密钥，请先在商户管理的 APIv3密钥 里设置");
    const call = await beginCall(tx, services, { service_provider_id, merchant_id }, "max-ratio", merchant_id);
    return { merchant, account, call };
  });
  const outcome = await sharingChannelOf(services).maxRatio(asked.account);
  return ctx.transaction(async (tx) => {
    await endCall(tx, services, asked.call, outcome);
    if (outcome.kind === "unknown") throw conflict("渠道没有应答，请稍后再试");
    if (outcome.kind === "refused") throw conflict(`渠道拒绝：${outcome.message || outcome.code}`);
    const { service_provider_id, merchant_id } = asked.merchant;
    const values = { max_ratio: outcome.value.ratio, max_ratio_at: ctx.now };
    await tx
      .insertInto("sharing_rules")
      .values({ service_provider_id, merchant_id, mode: "none", updated_at: ctx.now, updated_by_name: ctx.principal.name, ...values })
      .onConflict((conflicting) => conflicting.columns(["service_provider_id", "merchant_id"]).doUpdateSet(values))
      .execute();
    await ctx.audit(tx, {
      targetKind: "sharing-rule",
      targetId: merchant_id,
      provider: service_provider_id,
      merchant: merchant_id,
      after: { maxRatio: outcome.value.ratio },
    });
    return { maxRatio: outcome.value.ratio };
  });
});
