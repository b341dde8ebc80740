import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getStore } from "../../contract/index.ts";
import { type FoundStore, shownStore, storeColumns, storeNames } from "./list/store-columns.ts";

type Details = Omit<OutputOf<typeof getStore>, keyof FoundStore | "hours"> & FoundStore;
const MOST = 50;
const time = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** 门店详情: the row with its devices, cashiers and people, and how many a closing would put out. */
export const getStoreRoute = implement(getStore, async (ctx, { id }) => {
  const of = (alias: string) =>
    sql`${sql.ref(`${alias}.service_provider_id`)} = s.service_provider_id and ${sql.ref(`${alias}.store_id`)} = s.id`;
  // A salesman stands above no account, and a store's people see their own.
  const seen = ctx.scope.level === "SM" ? sql`false` : ctx.scope.level === "AE" ? sql`u.id = ${ctx.scope.user ?? null}` : sql`true`;
  const people = sql`users u where u.service_provider_id = s.service_provider_id and ${seen}
    and (u.id in (select x.user_id from user_stores x where ${of("x")})
      or u.id in (select y.user_id from user_areas y join area_stores z on z.service_provider_id = y.service_provider_id and z.area_id = y.area_id where ${of("z")}))`;
  const found = await sql<Details>`
    select ${storeColumns}, s.latitude, s.longitude, s.version, m.state as "merchantState",
      (select coalesce(json_agg(x.*), '[]') from (select d.id, d.sn, d.name, d.model, d.state, ${time("d.last_seen_at")} as "lastSeenAt"
        from devices d where ${of("d")} and d.state in ('active', 'disabled') order by d.created_at, d.id limit ${sql.lit(MOST)}) x) as devices,
      (select coalesce(json_agg(x.*), '[]') from (select c.id, c.code, c.name, c.state
        from cashiers c where ${of("c")} order by c.code limit ${sql.lit(MOST)}) x) as cashiers,
      (select coalesce(json_agg(x.*), '[]') from (select u.id, u.login, u.first_name as name, u.role, u.state
        from ${people} order by u.role, u.login limit ${sql.lit(MOST)}) x) as employees,
      (select count(*)::int from cashiers c where ${of("c")}) as "cashierCount",
      (select count(*)::int from devices d where ${of("d")} and d.state = 'active') as "openDeviceCount",
      (select count(*)::int from ${people} and u.state = 'active') as "accountCount",
      (select count(*)::int from sessions e where e.ended_at is null and e.expires_at > ${ctx.now}
        and e.user_id in (select u.id from ${people})) as "sessionCount"
    from stores s ${storeNames(ctx.scope, ctx.now_ms)} where s.id = ${id} and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  const row = found.rows[0];
  if (!row) throw notFound("门店");
  return { ...row, ...shownStore(row), opening: row.opening ? [...row.opening] : null };
});
