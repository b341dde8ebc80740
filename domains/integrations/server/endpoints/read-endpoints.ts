import { sql, type RawBuilder } from "kysely";
import type { ItemPath, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { all, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { BODIES_KEPT_DAYS, FAILING_DAYS, getPushEndpoint, listPushEndpoints, updatePushEndpoint } from "../../contract/index.ts";

type Row = RowOf<typeof listPushEndpoints>;
/** No page counts further. */
const COUNT_MOST = 100_000;
const ORIGIN = sql`substring(e.url from '^https?://[^/?#]+')`;
/** Everything behind the origin may be a key, a part of the path too: where it leads is shown, and by which end it is known. */
export const MASKED_URL = sql`${ORIGIN} || case when length(e.url) <= length(${ORIGIN}) + 1 then ''
  when length(e.url) <= length(${ORIGIN}) + 8 then '/…' else '/…' || right(e.url, 4) end`;
/** Whether somebody is shown a provider's addresses whole: who may write them. */
export const seesWhole = ({ scope, principal }: Pick<Ctx, "scope" | "principal">): boolean =>
  scope.level === "SP" && principal.actorId === undefined && principal.holds([updatePushEndpoint.access as ItemPath]);
const columns = (
  now: string,
  url: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`e.id, e.service_provider_id as "serviceProviderId", p.name as "serviceProviderName", e.name, ${url} as url,
  e.events, (select json_agg(json_build_object('id', m.id, 'name', m.short_name) order by m.number) from merchants m
    where m.service_provider_id = e.service_provider_id and m.id = any(e.merchant_ids)) as merchants,
  e.state, e.off_why as "offWhy", e.off_at as "offAt", e.failing_since as "failingSince",
  e.failing_since + ${FAILING_DAYS} * interval '1 day' as "offDueAt",
  case when e.old_until > ${now}::timestamptz then e.old_until end as "oldUntil", e.secret_shown_at as "secretShownAt",
  (select json_build_object('count', count(*), 'succeeded', count(*) filter (where d.state = 'succeeded')) from push_deliveries d
    where d.service_provider_id = e.service_provider_id and d.endpoint_id = e.id and d.created_at > ${now}::timestamptz - interval '1 day') as day,
  (select count(*)::int from (select from push_deliveries d where d.service_provider_id = e.service_provider_id and d.endpoint_id = e.id
    and d.state = 'abandoned' and d.type <> 'push.test' and d.created_at > ${now}::timestamptz - ${BODIES_KEPT_DAYS} * interval '1 day'
    limit ${COUNT_MOST}) as given_up) as abandoned,
  (select count(*)::int from (select from push_deliveries d where d.service_provider_id = e.service_provider_id and d.endpoint_id = e.id
    and d.settled_at is null limit ${COUNT_MOST}) as left_over) as waiting,
  e.revision, e.by_name as "byName", e.created_at as "createdAt"`;
const FROM = sql`push_endpoints e join service_providers p on p.id = e.service_provider_id`;

/** 推送地址. */
export const listPushEndpointsRoute = implement(listPushEndpoints, ({ tx, scope, now }, input) =>
  listPage<Row>(tx, input, {
    columns: columns(now, MASKED_URL),
    from: FROM,
    where: all([
      inScope(scope, "e", "provider"),
      narrowed({ serviceProviderId: input.serviceProviderId }, "e"),
      sql`e.state <> 'removed'`,
      is("e.state", input.state),
      input.keyword !== undefined && sql`e.name ilike ${likeText(input.keyword)} or ${MASKED_URL} ilike ${likeText(input.keyword)}`,
    ]),
    order: "e.created_at",
  }),
);
export const getPushEndpointRoute = implement(getPushEndpoint, async (ctx, { id }) => {
  const { tx, scope, now } = ctx;
  const { rows } =
    await sql<Row>`select ${columns(now, seesWhole(ctx) ? sql`e.url` : MASKED_URL)} from ${FROM} where e.id = ${id} and e.state <> 'removed' and ${inScope(scope, "e", "provider")}`.execute(
      tx,
    );
  if (!rows[0]) throw notFound("推送地址");
  return rows[0];
});

const inSight = ({ tx, scope }: Pick<Ctx, "tx" | "scope">, id: string) =>
  tx
    .selectFrom("push_endpoints as e")
    .selectAll("e")
    .where("e.id", "=", id)
    .where("e.state", "<>", "removed")
    .where(inScope(scope, "e", "provider"));
/** An endpoint in sight. @throws 404 */
export async function findEndpoint(ctx: Pick<Ctx, "tx" | "scope">, id: string) {
  const found = await inSight(ctx, id).executeTakeFirst();
  if (!found) throw notFound("推送地址");
  return found;
}
/** An endpoint in sight, held. @throws 404 */
export async function holdEndpoint(ctx: Pick<Ctx, "tx" | "scope">, id: string) {
  const found = await inSight(ctx, id).forNoKeyUpdate().executeTakeFirst();
  if (!found) throw notFound("推送地址");
  return found;
}
