import { maskName } from "@zhangfang/contract/text.ts";
import { implement, type Ctx } from "@zhangfang/server/call.ts";
import { mustChange, type Transaction } from "@zhangfang/server/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { sharingChannelOf } from "../../../channels/server/index.ts";
import { addReceiver, addSharingGroup, bindReceiver, removeReceiver, updateReceiver } from "../../contract/index.ts";
import { endCall } from "../sharing-calls.ts";
import type { ReceiverRow } from "../rows.ts";
import { beginBinding, bind, wordsOf } from "./bind-receiver.ts";
import { sealReceiverName } from "./receiver-secrets.ts";
import { whichMerchant } from "./which-merchant.ts";

/** 新建接收方分组. */
export const addSharingGroupRoute = implement(addSharingGroup, async (ctx, { merchantId, name }) => {
  const { service_provider_id, merchant_id } = await whichMerchant(ctx.tx, ctx.scope, merchantId);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const added = await ctx.tx
    .insertInto("sharing_groups")
    .values({ service_provider_id, id, merchant_id, name, created_at: ctx.now })
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "merchant_id", "name"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("name", "已有同名的分组");
  ctx.note({ targetKind: "sharing-group", targetId: id, provider: service_provider_id, merchant: merchant_id, after: { name } });
  return { id };
});

async function checkGroup(
  tx: Transaction,
  { service_provider_id, merchant_id }: { service_provider_id: string; merchant_id: string },
  id: string,
) {
  const group = await tx
    .selectFrom("sharing_groups")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!group) throw notFound("接收方分组");
}
/** A receiver in the caller's sight, held. @throws 404 */
async function holdReceiver(ctx: Ctx, tx: Transaction, id: string): Promise<ReceiverRow> {
  const found = await tx
    .selectFrom("sharing_receivers as r")
    .selectAll("r")
    .where("r.id", "=", id)
    .where("r.state", "<>", "removed")
    .where(inScope(ctx.scope, "r", "merchant"))
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("分账接收方");
  return found;
}
const noteOf = (row: ReceiverRow) => ({
  targetKind: "sharing-receiver",
  targetId: row.id,
  provider: row.service_provider_id,
  merchant: row.merchant_id,
});
const shown = ({ alias, type, relation, ratio, state }: ReceiverRow) => ({ alias, type, relation, ratio, state });

/** 新建分账接收方: written down, committed, and then the channel is told. Its name is sealed and its mask is what is shown. */
export const addReceiverRoute = implement(addReceiver, async (ctx, { merchantId, groupId, name, customRelation, relation, ...given }) => {
  const binding = await ctx.transaction(async (tx) => {
    const merchant = await whichMerchant(tx, ctx.scope, merchantId);
    const { service_provider_id, merchant_id } = merchant;
    await checkGroup(tx, merchant, groupId);
    const id = ctx.services.ids.uuid(ctx.now_ms);
    const row = await tx
      .insertInto("sharing_receivers")
      .values({
        service_provider_id,
        id,
        merchant_id,
        group_id: groupId,
        ...given,
        relation,
        custom_relation: relation === "CUSTOM" ? (customRelation ?? null) : null,
        name_sealed: name ? sealReceiverName(ctx.services, { service_provider_id, id }, name) : null,
        name_masked: name ? maskName(name) : null,
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .onConflict((conflicting) =>
        conflicting.columns(["service_provider_id", "merchant_id", "type", "account"]).where("state", "<>", "removed").doNothing(),
      )
      .returningAll()
      .executeTakeFirst();
    if (!row) throw invalid("account", "这个账号已是接收方");
    await ctx.audit(tx, { ...noteOf(row), after: { ...shown(row), account: row.account } });
    return beginBinding(ctx, tx, row, "add-receiver");
  });
  return bind(ctx, binding);
});
/** 登记分账接收方: once more, where the channel said no or nothing. */
export const bindReceiverRoute = implement(bindReceiver, async (ctx, { id }) => {
  const binding = await ctx.transaction(async (tx) => {
    const row = await holdReceiver(ctx, tx, id);
    if (row.bind_state === "bound") throw conflict("已登记，无需再次登记");
    await ctx.audit(tx, { ...noteOf(row), after: { alias: row.alias, bind: "再次登记" } });
    return beginBinding(ctx, tx, row, "add-receiver");
  });
  return bind(ctx, binding);
});
/** 修改分账接收方: over the version that was read. What was shared before keeps what it was. */
export const updateReceiverRoute = implement(updateReceiver, async (ctx, { id, version, groupId, alias, ratio, state }) => {
  const row = await holdReceiver(ctx, ctx.tx, id);
  await checkGroup(ctx.tx, row, groupId);
  const changed = await ctx.tx
    .updateTable("sharing_receivers")
    .set({ group_id: groupId, alias, ratio, state, version: version + 1, updated_at: ctx.now })
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", id)
    .where("version", "=", version)
    .executeTakeFirst();
  mustChange(changed, () => conflict("接收方已被其他人修改，请刷新后重试"));
  ctx.note({ ...noteOf(row), before: shown(row), after: { alias, ratio, state } });
  return { ok: true as const };
});
/** 删除分账接收方: at the channel first; where it says no or nothing, it stays. */
export const removeReceiverRoute = implement(removeReceiver, async (ctx, { id }) => {
  const { receiver, account, call } = await ctx.transaction(async (tx) => {
    const row = await holdReceiver(ctx, tx, id);
    // Whatever comes of it, it gets nothing from now on.
    await tx
      .updateTable("sharing_receivers")
      .set({ state: "paused", version: row.version + 1, updated_at: ctx.now })
      .where("service_provider_id", "=", row.service_provider_id)
      .where("id", "=", id)
      .execute();
    return beginBinding(ctx, tx, row, "remove-receiver");
  });
  const outcome = await sharingChannelOf(ctx.services).removeReceiver(account, {
    type: receiver.type as "MERCHANT_ID",
    account: receiver.account,
  });
  await ctx.transaction(async (tx) => {
    await endCall(tx, ctx.services, call, outcome);
    if (outcome.kind === "ok")
      await tx
        .updateTable("sharing_receivers")
        .set({ state: "removed", updated_at: ctx.now })
        .where("service_provider_id", "=", receiver.service_provider_id)
        .where("id", "=", id)
        .execute();
    await ctx.audit(tx, { ...noteOf(receiver), before: shown(receiver), after: { removed: outcome.kind === "ok" } });
  });
  if (outcome.kind !== "ok") throw conflict(`渠道没有删除成功，已暂停：${wordsOf(outcome) ?? ""}`);
  return { ok: true as const };
});
