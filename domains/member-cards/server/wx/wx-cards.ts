import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import {
  createWxCard,
  deleteWxCard,
  getWxCard,
  listWxCards,
  summariseWxCards,
  syncWxCard,
  type WxApi,
  type WxCardState,
  type WxHolderState,
} from "../../contract/index.ts";
import { pictureAt } from "../cards/read-cards.ts";
import { holdCard, mustHold } from "../cards/rights.ts";

type Row = RowOf<typeof listWxCards>;
const FROM = sql`member_cards c join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id
  left join wx_cards w on w.service_provider_id = c.service_provider_id and w.card_id = c.id`;
const there = (
  which: RawBuilder<unknown>,
) => sql`(select count(*)::int from wx_holders x where x.service_provider_id = c.service_provider_id
  and x.card_id = c.id and ${which})`;
const HOLDERS = there(sql`x.status = 2`);
const WAITING = there(sql`x.sync <> 1`);
const COLUMNS = sql`c.id, c.name, c.tone, c.status, c.merchant_id as "merchantId", m.short_name as "merchantName", coalesce(w.status, 0) as state, w.api,
  w.wx_card_id as "wxCardId", w.sync, w.why, ${HOLDERS} as holders, ${WAITING} as waiting, w.sent_at as "syncedAt", c.created_at as "createdAt"`;
function wxWhere(scope: Scope, { keyword, state, serviceProviderId, merchantId }: ParsedOf<typeof summariseWxCards>): RawBuilder<boolean> {
  return all([
    inScope(scope, "c", "merchant"),
    keyword && sql`c.name ilike ${likeText(keyword)} or w.wx_card_id = ${keyword}`,
    state !== undefined && sql`coalesce(w.status, 0) = ${state}`,
    is("c.service_provider_id", serviceProviderId),
    is("c.merchant_id", merchantId),
  ]);
}
/** 微信会员卡. */
export const listWxCardsRoute = implement(listWxCards, (ctx, input) =>
  listPage<Row>(ctx.tx, input, { columns: COLUMNS, from: FROM, where: wxWhere(ctx.scope, input), order: "c.created_at" }),
);
export const summariseWxCardsRoute = implement(summariseWxCards, async (ctx, { state, ...rest }) => {
  const { rows } = await sql<{ state: WxCardState; count: number; holders: number; waiting: number }>`select coalesce(w.status, 0) as state,
      count(*)::int as count, sum(${HOLDERS})::int as holders, sum(${WAITING})::int as waiting
    from ${FROM} where ${wxWhere(ctx.scope, rest)} group by coalesce(w.status, 0)`.execute(ctx.tx);
  const shown = rows.filter((row) => state === undefined || row.state === state);
  const sum = (of: (row: (typeof rows)[number]) => number): number => shown.reduce((total, row) => total + of(row), 0);
  return {
    count: sum(({ count }) => count),
    holders: sum(({ holders }) => holders),
    waiting: sum(({ waiting }) => waiting),
    byState: Object.fromEntries(rows.map((row) => [row.state, row.count])),
  };
});
/** 微信会员卡详情: who has it there, and what WeChat refused. */
export const getWxCardRoute = implement(getWxCard, async ({ tx, scope }, { id }) => {
  type More = { notice: string; rights: string; phone: string; logo: string | null };
  const { rows } = await sql<Row & More>`select ${COLUMNS}, c.notice, c.rights, c.phone, ${pictureAt("c.logo_id")} as logo from ${FROM}
    where c.id = ${id} and ${inScope(scope, "c", "merchant")}`.execute(tx);
  const [card] = rows;
  if (!card) throw notFound("会员卡");
  const { rows: byState } = await sql<{
    state: WxHolderState;
    count: number;
  }>`select x.status as state, count(*)::int as count from wx_holders x
    where x.card_id = ${id} and ${inScope(scope, "x", "store")} group by x.status order by x.status`.execute(tx);
  const { rows: problems } = await sql<{
    id: string;
    code: string;
    memberNo: string;
    state: WxHolderState;
    sync: 0 | 1 | 2 | 3;
    why: string | null;
    sentAt: never;
  }>`select x.holder_id as id, h.code, m.no as "memberNo", x.status as state, x.sync, x.why, x.sent_at as "sentAt" from wx_holders x
      join card_holders h on h.service_provider_id = x.service_provider_id and h.id = x.holder_id
      join members m on m.service_provider_id = x.service_provider_id and m.id = x.member_id
    where x.card_id = ${id} and x.sync in (2, 3) and ${inScope(scope, "x", "store")} order by x.next_at desc, x.holder_id limit 20`.execute(
    tx,
  );
  return { ...card, byState, problems };
});

const told = (ctx: Ctx, card: { id: string; service_provider_id: string; merchant_id: string }, after: object) =>
  ctx.note({ targetKind: "wx_card", targetId: card.id, provider: card.service_provider_id, merchant: card.merchant_id, after });
/** 创建微信会员卡: recorded here, sent by a round; who holds it already is told once WeChat has approved. */
export const createWxCardRoute = implement(createWxCard, async (ctx, { id, api }: { id: string; api: WxApi }) => {
  const card = await holdCard(ctx.tx, ctx.scope, id);
  mustHold(ctx.scope, card, "face");
  if (card.status === 0 || card.status === 5) throw conflict(card.status === 0 ? "请先在「会员卡」里确认创建" : "会员卡已过期");
  const { service_provider_id, merchant_id } = card;
  const { rows } = await sql<{ state: number }>`insert into wx_cards (service_provider_id, card_id, merchant_id, api, next_at, created_at)
    values (${service_provider_id}, ${id}, ${merchant_id}, ${api}, ${ctx.now}, ${ctx.now})
    on conflict (service_provider_id, card_id) do update set api = excluded.api, status = 1, wx_card_id = null, rev = wx_cards.rev + 1, sync = 0, tries = 0,
      next_at = excluded.next_at, why = null where wx_cards.status = 4 and wx_cards.sync = 1
    returning status as state`.execute(ctx.tx);
  if (rows.length !== 1) throw conflict("这张卡已在微信创建，或还在删除");
  await sql`insert into wx_holders (service_provider_id, holder_id, merchant_id, store_id, card_id, member_id, next_at)
    select h.service_provider_id, h.id, h.merchant_id, h.store_id, h.card_id, h.member_id, ${ctx.now} from card_holders h
    where h.service_provider_id = ${service_provider_id} and h.card_id = ${id}
    on conflict (service_provider_id, holder_id) do update set status = 1, points = null, stored_cents = null, rev = wx_holders.rev + 1, sync = 0,
      tries = 0, next_at = excluded.next_at, why = null`.execute(ctx.tx);
  told(ctx, card, { api });
  return { ok: true as const };
});
/** 同步微信会员卡: what waits goes now, what was refused goes once more. */
export const syncWxCardRoute = implement(syncWxCard, async (ctx, { id }) => {
  const card = await holdCard(ctx.tx, ctx.scope, id);
  const again = sql`rev = rev + 1, sync = case sync when 3 then 3 else 0 end, tries = 0, next_at = ${ctx.now}`;
  const { numAffectedRows } = await sql`update wx_cards set ${again}, status = case status when 3 then 1 else status end
    where service_provider_id = ${card.service_provider_id} and card_id = ${id}`.execute(ctx.tx);
  if (numAffectedRows !== 1n) throw conflict("这张卡还没有在微信创建");
  await sql`update wx_holders set ${again} where service_provider_id = ${card.service_provider_id} and card_id = ${id} and sync <> 1`.execute(
    ctx.tx,
  );
  told(ctx, card, { again: true });
  return { ok: true as const };
});
/** 删除微信会员卡: WeChat's alone; ours and whoever holds it stay. */
export const deleteWxCardRoute = implement(deleteWxCard, async (ctx, { id }) => {
  const card = await holdCard(ctx.tx, ctx.scope, id);
  mustHold(ctx.scope, card, "face");
  const gone = await ctx.tx
    .updateTable("wx_cards")
    .set((column) => ({
      status: 4,
      rev: column("rev", "+", 1),
      sync: sql`case sync when 3 then 3 else 0 end`,
      tries: 0,
      next_at: ctx.now,
    }))
    .where("service_provider_id", "=", card.service_provider_id)
    .where("card_id", "=", id)
    .where("status", "<", 4)
    .executeTakeFirst();
  mustChange(gone, () => conflict("这张卡不在微信里"));
  told(ctx, card, { state: 4 });
  return { ok: true as const };
});
