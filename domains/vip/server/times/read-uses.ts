import { sql, type RawBuilder } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { memberSought, withMembers } from "../../../members/server/index.ts";
import type { StoreAtWork } from "../../../stores/server/index.ts";
import { listTimesUses, summariseTimesUses } from "../../contract/index.ts";
import { REVERSE_MS } from "./times-rules.ts";

export type UseRow = RowOf<typeof listTimesUses>;
const FROM = sql`times_uses u join members m on m.service_provider_id = u.service_provider_id and m.id = u.member_id
  join stores s on s.service_provider_id = u.service_provider_id and s.id = u.store_id
  join stores sold on sold.service_provider_id = u.service_provider_id and sold.id = u.sold_store_id`;
const COLUMNS = sql`u.id, u.card_id as "cardId", u.card_no as "cardNo", u.name, u.member_id as "memberId", m.no as "memberNo", u.store_id as "storeId", s.short_name as "storeName",
  sold.short_name as "soldStoreName", u.times, u.value_cents as "valueCents", u.by_name as "by", u.at,
  case when u.reversed_at is null then 'used' else 'reversed' end as state, u.reversed_at as "reversedAt", u.reversed_by as "reversedBy",
  case when u.reversed_at is null then u.at + ${REVERSE_MS / 1000} * interval '1 second' end as "reversibleUntil"`;
function usesWhere(
  services: Services | undefined,
  scope: Scope,
  { keyword, storeId, state, cardId, ...days }: ParsedOf<typeof summariseTimesUses>,
): RawBuilder<boolean> {
  return all([
    inScope(scope, "u", "store"),
    keyword && sql`u.card_no = ${keyword} or ${memberSought(services, scope, keyword)}`,
    is("u.store_id", storeId),
    is("u.card_id", cardId),
    state && (state === "used" ? sql`u.reversed_at is null` : sql`u.reversed_at is not null`),
    during(days, "u.at"),
  ]);
}
/** The list of uses, for screen and file: of a store what was used there, wherever the card was sold. */
export const usesListed = (scope: Scope, filter: ParsedOf<typeof summariseTimesUses>, _tx: Transaction, services?: Services): Listed => ({
  columns: COLUMNS,
  from: FROM,
  where: usesWhere(services, scope, filter),
  order: "u.at",
});
const shown =
  (now_ms: number) =>
  (use: UseRow): UseRow => ({
    ...use,
    reversibleUntil: use.reversibleUntil !== null && Date.parse(use.reversibleUntil) > now_ms ? use.reversibleUntil : null,
  });

/** 次卡核销. */
export const listTimesUsesRoute = implement(listTimesUses, async (ctx, input) => {
  const page = await listPage<UseRow>(ctx.tx, input, usesListed(ctx.scope, input, ctx.tx, ctx.services));
  return { ...page, items: await withMembers(ctx, page.items.map(shown(ctx.now_ms))) };
});
/** What was used and not taken back; by state without the filter's own state, for the tabs. */
export const summariseTimesUsesRoute = implement(summariseTimesUses, async (ctx, { state, ...rest }) => {
  const { rows } = await sql<{ state: "used" | "reversed"; count: number; times: number; value: number }>`
    select case when u.reversed_at is null then 'used' else 'reversed' end as state, count(*)::int as count, sum(u.times)::int as times,
      sum(u.value_cents)::bigint as value from ${FROM} where ${usesWhere(ctx.services, ctx.scope, rest)} group by 1`.execute(ctx.tx);
  const found = rows.filter((row) => state === undefined || row.state === state);
  const used = found.find((row) => row.state === "used");
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    times: used?.times ?? 0,
    valueCents: (used?.value ?? 0) as never,
    reversed: found.find((row) => row.state === "reversed")?.count ?? 0,
    byState: Object.fromEntries(rows.map((row) => [row.state, row.count])),
  };
});
/** The last uses of a card at the stores in sight. */
export async function lastUses(ctx: Ctx, cardId: string): Promise<UseRow[]> {
  const { rows } =
    await sql<UseRow>`select ${COLUMNS} from ${FROM} where ${usesWhere(ctx.services, ctx.scope, { cardId })} order by u.at desc, u.id desc limit 50`.execute(
      ctx.tx,
    );
  return rows;
}

/** What times were worth that were used at the stores in sight in a span, less those that were taken back in it, as rows by day. */
export function timesUsedRows(scope: Scope, span: { readonly from: string; readonly to: string }): RawBuilder<unknown> {
  const rows = (at: "at" | "reversed_at", cents: RawBuilder<unknown>) => sql`select u.service_provider_id, u.merchant_id, u.store_id,
    (${sql.ref(`u.${at}`)} at time zone 'Asia/Shanghai')::date as day, ${cents} as cents from times_uses u where ${during(span, `u.${at}`)} and ${inScope(scope, "u", "store")}`;
  return sql`${rows("at", sql`u.value_cents`)} union all ${rows("reversed_at", sql`-u.reversed_value_cents`)}`;
}

/** Uses of some days and what was taken back in them, in the shape of a platform's facts (domains/group-buy): a use's part of the card's price is what was paid. */
export function timesEntries(
  scope: Scope,
  span: { readonly from?: string | undefined; readonly to?: string | undefined },
): RawBuilder<unknown> {
  const rows = (
    kind: "verify" | "reverse",
    id: RawBuilder<unknown>,
    at: string,
    by: string,
    cents: string,
  ) => sql`select ${id} as id, u.service_provider_id, u.merchant_id,
      u.store_id, ${sql.lit(kind)}::text as kind, u.name || case when u.times > 1 then ' ' || u.times || ' 次' else '' end as title, u.card_no as certificate_id,
      (${sql.ref(at)} at time zone 'Asia/Shanghai')::date as day, ${sql.ref(at)} as happened_at, ${sql.ref(by)} as by_name, ${sql.ref(cents)} as face_cents,
      ${sql.ref(cents)} as pay_cents, 0::bigint as merchant_ticket_cents from times_uses u where ${all([inScope(scope, "u", "store"), during(span, at)])}`;
  return sql`${rows("verify", sql`u.id`, "u.at", "u.by_name", "u.value_cents")} union all
    ${rows("reverse", sql`overlay(overlay(md5('back' || u.id) placing '8' from 13) placing '8' from 17)::uuid`, "u.reversed_at", "u.reversed_by", "u.reversed_value_cents")} and u.reversed_at is not null`;
}

/** Uses of a store since a moment, and older ones that were taken back since, for its desk: the newest first. */
export async function timesUsesSince(tx: Transaction, { service_provider_id, merchant_id, store_id }: StoreAtWork, from: string) {
  const { rows } = await sql<
    Pick<UseRow, "id" | "times" | "at" | "reversedAt" | "reversibleUntil"> & { title: string; tail: string; byName: string }
  >`
    select u.id, u.name as title, right(u.card_no, 4) as tail, u.times, u.by_name as "byName", u.at, u.reversed_at as "reversedAt",
      case when u.reversed_at is null then u.at + ${REVERSE_MS / 1000} * interval '1 second' end as "reversibleUntil"
    from times_uses u where u.service_provider_id = ${service_provider_id} and u.merchant_id = ${merchant_id} and u.store_id = ${store_id}
      and (u.at >= ${from} or u.reversed_at >= ${from}) order by u.at desc, u.id desc limit 200`.execute(tx);
  return rows;
}
