import { sql } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getArea, getStoreGroup, listAreas, listStoreGroups } from "../../contract/index.ts";
import { AREA, GROUP, type SetKind } from "./set-kind.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

type Row = RowOf<typeof listStoreGroups>;
type Details = OutputOf<typeof getStoreGroup>;

const managersOf = ({ target }: SetKind) =>
  target === "area"
    ? sql`(select coalesce(json_agg(json_build_object('id', u.id, 'login', u.login, 'name', u.first_name) order by u.login), '[]') from user_areas ua
        join users u on u.id = ua.user_id where ua.service_provider_id = x.service_provider_id and ua.area_id = x.id)`
    : sql`'[]'::json`;
/** The row of a set `x`; of its stores those in sight count. */
const columns = (ctx: Ctx, kind: SetKind) => sql`x.id, x.name, x.created_at as "createdAt", ${managersOf(kind)} as managers,
  (select count(*)::int from ${sql.table(kind.members)} y where y.service_provider_id = x.service_provider_id
    and ${sql.ref(`y.${kind.key}`)} = x.id and ${inScope(ctx.scope, "y", "store")}) as "storeCount"`;

const list = (ctx: Ctx, kind: SetKind, { keyword, ...input }: ParsedOf<typeof listStoreGroups>) =>
  listPage<Row>(ctx.tx, input, {
    columns: columns(ctx, kind),
    from: sql`${sql.table(kind.table)} x`,
    where: sql`${inScope(ctx.scope, "x", "merchant")} and lower(x.name) like ${likeText((keyword ?? "").toLowerCase())}`,
    order: "x.created_at",
    most: Infinity,
  });
async function get(ctx: Ctx, kind: SetKind, id: string): Promise<Details> {
  const found = await sql<Details>`select ${columns(ctx, kind)},
      (select coalesce(json_agg(z.*), '[]') from (select s.id, s.number, s.short_name as name, s.city, s.state from ${sql.table(kind.members)} y
        join stores s on s.service_provider_id = y.service_provider_id and s.id = y.store_id
        where y.service_provider_id = x.service_provider_id and ${sql.ref(`y.${kind.key}`)} = x.id and ${inScope(ctx.scope, "s")}
        order by s.created_at, s.id limit 200) z) as stores,
      ${
        kind.target === "area"
          ? sql`(select count(*)::int from sessions e join user_areas ua on ua.user_id = e.user_id
              where ua.service_provider_id = x.service_provider_id and ua.area_id = x.id and e.ended_at is null and e.expires_at > ${ctx.now})`
          : sql`0`
      } as "sessionCount"
    from ${sql.table(kind.table)} x where x.id = ${id} and ${inScope(ctx.scope, "x", "merchant")}`.execute(ctx.tx);
  if (!found.rows[0]) throw notFound(kind.what);
  return found.rows[0];
}

export const listStoreGroupsRoute = implement(listStoreGroups, (ctx, input) => list(ctx, GROUP, input));
export const listAreasRoute = implement(listAreas, (ctx, input) => list(ctx, AREA, input));
export const getStoreGroupRoute = implement(getStoreGroup, (ctx, { id }) => get(ctx, GROUP, id));
export const getAreaRoute = implement(getArea, (ctx, { id }) => get(ctx, AREA, id));
