import { sql } from "kysely";
import { percent, RATE_ONE } from "@zhangfang/contract/money.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { setOver } from "@zhangfang/server/database/write-over.ts";
import { whyNo } from "../../../channels/contract.ts";
import { sharingChannelOf, type SharingWallet } from "../../../channels/server/index.ts";
import { askMaxRatio, setSharingRule, sharingWallet } from "../../contract/index.ts";
import { accountOf, beginCall, endCall, NO_KEYS, walletsOf } from "../sharing-calls.ts";
import { mostOf } from "./get-setup.ts";
import { whichMerchant } from "./which-merchant.ts";

/** The acquirers share nothing here: without a direct account there would never be anything to share. @throws 409 */
async function mustBeAbleToShare(tx: Transaction, merchant: Parameters<typeof walletsOf>[1]): Promise<readonly SharingWallet[]> {
  const wallets = await walletsOf(tx, merchant);
  if (wallets.length === 0)
    throw conflict("商户没有微信支付或支付宝直连账户，不能分账：只有直连的收款可以分账，收单机构的收款全额结算给商户");
  return wallets;
}

/** 修改分账规则: over the version that was read. It holds from the next payment on; what waits goes by the rule of its moment. */
export const setSharingRuleRoute = implement(
  setSharingRule,
  async (ctx, { merchantId, version, mode, timing, groupId, unfreeze, ratios }) => {
    const { tx } = ctx;
    const { service_provider_id, merchant_id } = await whichMerchant(tx, ctx.scope, merchantId);
    const { rows: receivers } = await sql<{ id: string; ratio: number; wallets: string[] }>`
      select r.id, r.ratio, array(select a.wallet from sharing_accounts a
        where a.service_provider_id = r.service_provider_id and a.receiver_id = r.id and a.bind_state <> 'removed') as wallets
      from sharing_receivers r where r.service_provider_id = ${service_provider_id} and r.merchant_id = ${merchant_id}
        and r.group_id = ${groupId} and r.state = 'active'`.execute(tx);
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
    const sumOf = (some: typeof receivers) => some.reduce((all, receiver) => all + (own[receiver.id] ?? receiver.ratio), 0);
    const sum = sumOf(receivers);
    const before = await tx
      .selectFrom("sharing_rules")
      .selectAll()
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .executeTakeFirst();
    if (mode !== "none" && sum > RATE_ONE) throw invalid("ratios", `接收方比例之和 ${percent(sum)}，超过 100%`);
    for (const wallet of mode === "none" ? [] : await mustBeAbleToShare(tx, { service_provider_id, merchant_id })) {
      const [asked, { maxRatio }] = [sumOf(receivers.filter(({ wallets }) => wallets.includes(wallet))), mostOf(before, wallet)];
      if (asked > maxRatio)
        throw invalid("ratios", `${sharingWallet.label(wallet)}接收方比例之和 ${percent(asked)}，超过通道允许的 ${percent(maxRatio)}`);
    }
    const values = {
      mode,
      timing,
      group_id: groupId,
      unfreeze,
      ratios: JSON.stringify(own),
      updated_at: ctx.now,
      updated_by_name: ctx.principal.name,
    };
    await setOver(tx, "sharing_rules", { service_provider_id, merchant_id }, version, values, "规则");
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
export const askMaxRatioRoute = implement(askMaxRatio, async (ctx, { merchantId, wallet }) => {
  const { services } = ctx;
  const asked = await ctx.transaction(async (tx) => {
    const merchant = await whichMerchant(tx, ctx.scope, merchantId);
    const { service_provider_id, merchant_id } = merchant;
    const account = await accountOf(tx, services, merchant, wallet);
    if (!account) throw conflict(NO_KEYS[wallet]);
    const call = await beginCall(tx, services, { service_provider_id, merchant_id }, "max-ratio", merchant_id);
    return { merchant, account, call };
  });
  const outcome = await sharingChannelOf(services).maxRatio(asked.account);
  return ctx.transaction(async (tx) => {
    await endCall(tx, services, asked.call, outcome);
    if (outcome.kind === "unknown") throw conflict("通道没有应答，请稍后再试");
    if (outcome.kind === "refused") throw conflict(`通道拒绝：${whyNo(outcome)}`);
    const { service_provider_id, merchant_id } = asked.merchant;
    const { ratio } = outcome.value;
    const values =
      wallet === "alipay" ? { alipay_max_ratio: ratio, alipay_max_ratio_at: ctx.now } : { max_ratio: ratio, max_ratio_at: ctx.now };
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
      after: { wallet, maxRatio: ratio },
    });
    return { maxRatio: ratio };
  });
});
