import { maskName } from "@zhangfang/contract/text.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import {
  addReceiver,
  addReceiverAccount,
  addSharingGroup,
  bindReceiver,
  type ReceiverType,
  removeReceiver,
  sharingWallet,
  updateReceiver,
  walletOfType,
} from "../../contract/index.ts";
import type { SharingWallet } from "../../../channels/server/index.ts";
import type { AccountRow, ReceiverRow } from "../rows.ts";
import { NO_KEYS } from "../sharing-calls.ts";
import { beginBinding, bind, type Binding, unbind } from "./bind-receiver.ts";
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
/** A receiver's accounts that the channels were told of. */
const accountsOf = (tx: Transaction, { service_provider_id, id }: ReceiverRow) =>
  tx
    .selectFrom("sharing_accounts")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("receiver_id", "=", id)
    .where("bind_state", "<>", "removed")
    .orderBy("wallet", "desc")
    .execute();
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
const shown = ({ alias, relation, ratio, state }: ReceiverRow) => ({ alias, relation, ratio, state });

/** Writes an account of a receiver's down, in place of one at the same wallet that the channel never took. @throws 400, 409 */
async function addAccount(
  ctx: Ctx,
  tx: Transaction,
  { service_provider_id, merchant_id, id }: ReceiverRow,
  type: ReceiverType,
  given: string,
) {
  const wallet = walletOfType(type);
  // A mail address in capitals is the same one.
  const account = type === "ALIPAY_LOGIN_NAME" ? given.toLowerCase() : given;
  const whose = { service_provider_id, receiver_id: id, wallet };
  const taken = await tx
    .selectFrom("sharing_accounts")
    .select("receiver_id")
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("type", "=", type)
    .where("account", "=", account)
    .where("bind_state", "<>", "removed")
    .where("receiver_id", "<>", id)
    .executeTakeFirst();
  if (taken) throw invalid("account", "这个账号已是接收方");
  const values = { type, account, bind_state: "binding", bind_message: null, bound_at: null, told_at: ctx.now };
  const row = await tx
    .insertInto("sharing_accounts")
    .values({ ...whose, merchant_id, ...values })
    .onConflict((conflicting) =>
      conflicting
        .columns(["service_provider_id", "receiver_id", "wallet"])
        .doUpdateSet(values)
        .where("sharing_accounts.bind_state", "in", ["failed", "removed"]),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) throw conflict(`已有${sharingWallet.label(wallet)}账号`);
  return row;
}
/** Writes down what the channel is about to hear. @throws 409 where the merchant has no keys there */
async function begin(
  { services }: Ctx,
  tx: Transaction,
  row: ReceiverRow,
  at: AccountRow,
  what: Parameters<typeof beginBinding>[4],
): Promise<Binding> {
  const binding = await beginBinding(services, tx, row, at, what);
  if (!binding) throw conflict(NO_KEYS[at.wallet as SharingWallet]);
  return binding;
}
/** What is kept of a name: sealed, and the mask that is shown. */
const nameOf = (services: Services, { service_provider_id, id }: Pick<ReceiverRow, "service_provider_id" | "id">, name: string) => ({
  name_sealed: sealReceiverName(services, { service_provider_id, id }, name),
  name_masked: maskName(name),
});

/** 新建分账接收方: written down, committed, and then the channel is told. Its name is sealed and its mask is what is shown. */
export const addReceiverRoute = implement(addReceiver, async (ctx, given) => {
  const { merchantId, groupId, name, customRelation, relation, alias, ratio, type, account } = given;
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
        alias,
        ratio,
        relation,
        custom_relation: relation === "CUSTOM" ? (customRelation ?? null) : null,
        ...(name && nameOf(ctx.services, { service_provider_id, id }, name)),
        created_at: ctx.now,
        updated_at: ctx.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const at = await addAccount(ctx, tx, row, type, account);
    await ctx.audit(tx, { ...noteOf(row), after: { ...shown(row), type, account } });
    return begin(ctx, tx, row, at, "add-receiver");
  });
  return bind(ctx.services, (work) => ctx.transaction(work), binding);
});
/** 添加接收方账号: at the other wallet, so that payments by it are shared with the receiver as well. */
export const addReceiverAccountRoute = implement(addReceiverAccount, async (ctx, { id, type, account, name }) => {
  const binding = await ctx.transaction(async (tx) => {
    const held = await holdReceiver(ctx, tx, id);
    if (!name && held.name_sealed === null && (type === "MERCHANT_ID" || type === "ALIPAY_LOGIN_NAME"))
      throw invalid("name", "请填写全称或姓名：商户号和支付宝登录号须与账号核对");
    const row = await tx
      .updateTable("sharing_receivers")
      .set({ updated_at: ctx.now, version: held.version + 1, ...(name && nameOf(ctx.services, held, name)) })
      .where("service_provider_id", "=", held.service_provider_id)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const at = await addAccount(ctx, tx, row, type, account);
    await ctx.audit(tx, { ...noteOf(row), after: { alias: row.alias, type, account } });
    return begin(ctx, tx, row, at, "add-receiver");
  });
  return bind(ctx.services, (work) => ctx.transaction(work), binding);
});
/** 登记分账接收方: once more, where the channel said no or nothing. */
export const bindReceiverRoute = implement(bindReceiver, async (ctx, { id, wallet }) => {
  const binding = await ctx.transaction(async (tx) => {
    const row = await holdReceiver(ctx, tx, id);
    const at = (await accountsOf(tx, row)).find((one) => one.wallet === wallet);
    if (!at) throw notFound("接收方账号");
    if (at.bind_state === "bound") throw conflict("已登记，无需再次登记");
    await ctx.audit(tx, { ...noteOf(row), after: { alias: row.alias, bind: `再次登记${sharingWallet.label(wallet)}账号` } });
    return begin(ctx, tx, row, { ...at, told_at: ctx.now }, "add-receiver");
  });
  return bind(ctx.services, (work) => ctx.transaction(work), binding);
});
/** 修改分账接收方: over the version that was read. What was shared before keeps what it was. */
export const updateReceiverRoute = implement(updateReceiver, async (ctx, { id, version, groupId, alias, ratio, state }) => {
  const row = await holdReceiver(ctx, ctx.tx, id);
  await checkGroup(ctx.tx, row, groupId);
  const values = { group_id: groupId, alias, ratio, state, updated_at: ctx.now };
  await writeOver(ctx.tx, "sharing_receivers", { service_provider_id: row.service_provider_id, id }, version, values, "接收方");
  ctx.note({ ...noteOf(row), before: shown(row), after: { alias, ratio, state } });
  return { ok: true as const };
});
/** 删除分账接收方: at its channels first; where one says no or nothing, it stays. */
export const removeReceiverRoute = implement(removeReceiver, async (ctx, { id }) => {
  const [receiver, bindings] = await ctx.transaction(async (tx) => {
    const row = await holdReceiver(ctx, tx, id);
    // Whatever comes of it, it gets nothing from now on.
    await tx
      .updateTable("sharing_receivers")
      .set({ state: "paused", version: row.version + 1, updated_at: ctx.now })
      .where("service_provider_id", "=", row.service_provider_id)
      .where("id", "=", id)
      .execute();
    const begun: Binding[] = [];
    for (const at of await accountsOf(tx, row)) begun.push(await begin(ctx, tx, row, at, "remove-receiver"));
    return [row, begun] as const;
  });
  const refusals: string[] = [];
  for (const binding of bindings) {
    const refusal = await unbind(ctx, binding);
    if (refusal !== null) refusals.push(refusal);
  }
  await ctx.transaction(async (tx) => {
    if (refusals.length === 0)
      await tx
        .updateTable("sharing_receivers")
        .set({ state: "removed", updated_at: ctx.now })
        .where("service_provider_id", "=", receiver.service_provider_id)
        .where("id", "=", id)
        .execute();
    await ctx.audit(tx, { ...noteOf(receiver), before: shown(receiver), after: { removed: refusals.length === 0 } });
  });
  if (refusals.length > 0) throw conflict(`通道没有删除成功，已暂停：${refusals.join("、")}`);
  return { ok: true as const };
});
