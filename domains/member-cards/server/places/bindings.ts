import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { type Listed, listPage, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addBinding, getBinding, listBindings, removeBinding, summariseBindings } from "../../contract/index.ts";
import { holdCard } from "../cards/rights.ts";

type Row = RowOf<typeof listBindings>;
const FROM = sql`card_bindings b join member_cards c on c.service_provider_id = b.service_provider_id and c.id = b.card_id
  left join stores s on b.kind = 'store' and s.service_provider_id = b.service_provider_id and s.id::text = b.target
  left join devices d on b.kind = 'device' and d.service_provider_id = b.service_provider_id and d.id::text = b.target`;
const NAME = sql`coalesce(s.short_name, d.name, nullif(b.title, ''), b.target)`;
function bindingsWhere(scope: Scope, { keyword, kind, cardId }: ParsedOf<typeof summariseBindings>): RawBuilder<boolean> {
  return all([
    inScope(scope, "b", "merchant"),
    keyword && sql`${NAME} ilike ${likeText(keyword)} or c.name ilike ${likeText(keyword)} or b.target = ${keyword}`,
    is("b.kind", kind),
    is("b.card_id", cardId),
  ]);
}
const listed = (scope: Scope, filter: ParsedOf<typeof summariseBindings>): Listed => ({
  columns: sql`b.id, b.kind, b.target, ${NAME} as "targetName", b.card_id as "cardId", c.name as "cardName", c.status as "cardStatus",
    b.by_name as by, b.created_at as "createdAt"`,
  from: FROM,
  where: bindingsWhere(scope, filter),
  order: "b.created_at",
});
/** 会员卡绑定. */
export const listBindingsRoute = implement(listBindings, ({ tx, scope }, input) => listPage<Row>(tx, input, listed(scope, input)));
export const getBindingRoute = implement(getBinding, ({ tx, scope }, { id }) => oneRow<Row>(tx, "绑定", id, listed(scope, {})));
export const summariseBindingsRoute = implement(summariseBindings, async (ctx, { kind, ...rest }) => {
  const { rows } = await sql<{ kind: string; count: number }>`select b.kind, count(*)::int as count from ${FROM}
    where ${bindingsWhere(ctx.scope, rest)} group by b.kind`.execute(ctx.tx);
  const { rows: cards } = await sql<{ id: string; name: string }>`select c.id, c.name from member_cards c
    where ${inScope(ctx.scope, "c", "merchant")} and c.status < 5 order by c.created_at, c.id limit 200`.execute(ctx.tx);
  const { rows: devices } = await sql<{ id: string; name: string }>`select d.id, d.name || ' · ' || s.short_name as name from devices d
    join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id
    where ${inScope(ctx.scope, "d", "store")} order by s.short_name, d.name, d.id limit 500`.execute(ctx.tx);
  return {
    count: rows.filter((row) => kind === undefined || row.kind === kind).reduce((sum, { count }) => sum + count, 0),
    byKind: Object.fromEntries(rows.map((row) => [row.kind, row.count])),
    cards,
    devices,
  };
});

/** What a binding is for, once it is seen. @throws 404, 400 at its field */
async function targetOf({ tx, scope }: Ctx, given: ParsedOf<typeof addBinding>): Promise<readonly [field: string, target: string]> {
  if (given.kind === "mini-program") return ["appId", given.appId!];
  const [field, id, what] =
    given.kind === "store" ? (["storeId", given.storeId!, "门店"] as const) : (["deviceId", given.deviceId!, "设备"] as const);
  const { rows } =
    given.kind === "store"
      ? await sql`select 1 from stores s where s.id = ${id} and s.state = 'active' and ${inScope(scope, "s")}`.execute(tx)
      : await sql`select 1 from devices d where d.id = ${id} and ${inScope(scope, "d", "store")}`.execute(tx);
  if (rows.length === 0) throw notFound(what);
  return [field, id];
}
/** 绑定会员卡: one place hands out one card. */
export const addBindingRoute = implement(addBinding, async (ctx, given) => {
  const card = await holdCard(ctx.tx, ctx.scope, given.cardId);
  if (card.status === 5) throw invalid("cardId", "会员卡已过期");
  const [field, target] = await targetOf(ctx, given);
  const own = { service_provider_id: card.service_provider_id, merchant_id: card.merchant_id, id: ctx.services.ids.uuid(ctx.now_ms) };
  const added = await ctx.tx
    .insertInto("card_bindings")
    .values({
      ...own,
      card_id: card.id,
      kind: given.kind,
      target,
      title: given.kind === "mini-program" ? given.title : "",
      by_name: askerOf(ctx).name,
      created_at: ctx.now,
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "kind", "target"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid(field, "已绑定会员卡，请先解绑");
  ctx.note({
    targetKind: "card_binding",
    targetId: own.id,
    provider: own.service_provider_id,
    merchant: own.merchant_id,
    after: { cardId: card.id, kind: given.kind, target },
  });
  return { ok: true as const };
});
/** 解绑会员卡: who joins there gets the merchant's own again. */
export const removeBindingRoute = implement(removeBinding, async (ctx, { id }) => {
  const { rows } = await sql<{ service_provider_id: string; merchant_id: string; card_id: string; kind: string; target: string }>`select
      b.service_provider_id, b.merchant_id, b.card_id, b.kind, b.target from card_bindings b
    where b.id = ${id} and ${inScope(ctx.scope, "b", "merchant")}`.execute(ctx.tx);
  const [binding] = rows;
  if (!binding) throw notFound("绑定");
  const gone = await ctx.tx
    .deleteFrom("card_bindings")
    .where("service_provider_id", "=", binding.service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(gone, () => notFound("绑定"));
  const { service_provider_id: provider, merchant_id: merchant, ...before } = binding;
  ctx.note({ targetKind: "card_binding", targetId: id, provider, merchant, before });
  return { ok: true as const };
});
