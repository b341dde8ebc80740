import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { storeChannelOf } from "../../../channels/server/index.ts";
import { linkWxStore, syncWxStore } from "../../contract/index.ts";
import { accountOf, beginStoreCall, endStoreCall, wordsOf } from "../channel/store-calls.ts";

/** 关联微信门店: the number is taken only after the channel has told of its store. */
export const linkWxStoreRoute = implement(linkWxStore, (ctx, { id, wxStoreId }) => look(ctx, id, wxStoreId));
/** 同步微信门店. */
export const syncWxStoreRoute = implement(syncWxStore, (ctx, { id }) => look(ctx, id, undefined));

async function look(ctx: Ctx, id: string, given: string | undefined) {
  const { store, account, wxStoreId, call } = await ctx.transaction(async (tx) => {
    const found = await sql<{ service_provider_id: string; merchant_id: string; wx_store_id: string | null; status: string | null }>`
      select s.service_provider_id, s.merchant_id, w.wx_store_id, w.status from stores s
      left join wx_stores w on w.service_provider_id = s.service_provider_id and w.store_id = s.id
      where s.id = ${id} and ${inScope(ctx.scope, "s")}`.execute(tx);
    const row = found.rows[0];
    if (!row) throw notFound("门店");
    const asked = given ?? row.wx_store_id;
    if (asked === null) throw conflict("门店还没有关联微信门店");
    if (given !== undefined && row.status === "creating") throw conflict("门店正在提交，请稍后再试");
    if (given !== undefined) await checkFree(tx, row, id, given);
    const about = { service_provider_id: row.service_provider_id, merchant_id: row.merchant_id, store_id: id };
    const signing = await accountOf(tx, ctx.services, about);
    return { store: about, account: signing, wxStoreId: asked, call: await beginStoreCall(tx, ctx.services, about, "find-store") };
  });
  const outcome = await storeChannelOf(ctx.services).findStore(account, wxStoreId);
  const now = new Date(ctx.services.clock.now_ms()).toISOString();
  await ctx.transaction((tx) => endStoreCall(tx, ctx.services, call, outcome));
  if (outcome.kind === "refused") throw invalid("wxStoreId", `微信没有确认这个门店：${wordsOf(outcome)}`);
  if (outcome.kind === "unknown") throw conflict("通道没有应答，请稍后再试");
  const { state, channelState, message } = outcome.value;
  return ctx.transaction(async (tx) => {
    const seen = sql`wx_store_id = ${wxStoreId}, channel_state = ${channelState}, message = ${message}, synced_at = ${now}, updated_at = ${now}`;
    // A new number is looked at first and then judged; what is known is judged alone.
    await sql`insert into wx_stores as w (service_provider_id, store_id, merchant_id, wx_store_id, status, created_at, updated_at)
      values (${store.service_provider_id}, ${id}, ${store.merchant_id}, ${wxStoreId}, 'auditing', ${now}, ${now})
      on conflict (service_provider_id, store_id) do update set status = 'auditing', ${seen}
      where w.status <> 'creating' and (w.wx_store_id is distinct from ${wxStoreId} or w.status in ('failed', 'unsure'))`.execute(tx);
    await sql`update wx_stores set status = ${state}, ${seen}
      where service_provider_id = ${store.service_provider_id} and store_id = ${id} and status in ('auditing', 'passed', 'rejected')`.execute(
      tx,
    );
    await ctx.audit(tx, {
      targetKind: "wx-store",
      targetId: id,
      after: { wxStoreId, status: state, message },
      provider: store.service_provider_id,
      merchant: store.merchant_id,
    });
    return { status: state, message };
  });
}

/** @throws 400 where another store of the merchant has the number */
async function checkFree(
  tx: Transaction,
  owner: { service_provider_id: string; merchant_id: string },
  id: string,
  wxStoreId: string,
): Promise<void> {
  const taken = await tx
    .selectFrom("wx_stores")
    .select("store_id")
    .where("service_provider_id", "=", owner.service_provider_id)
    .where("merchant_id", "=", owner.merchant_id)
    .where("wx_store_id", "=", wxStoreId)
    .where("store_id", "<>", id)
    .executeTakeFirst();
  if (taken) throw invalid("wxStoreId", "这个微信门店已关联到另一家门店");
}
