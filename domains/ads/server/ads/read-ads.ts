import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { getAdById, getAds, summariseAds } from "../../contract/index.ts";
import { adColumns, type AdRead, ADS_FROM, adsWhere, periodOf, shownAd } from "./ad-rows.ts";

/** 广告列表, the newest first. */
export const getAdsRoute = implement(getAds, async (ctx, input) => {
  const { items, ...rest } = await listPage<AdRead>(ctx.tx, input, {
    columns: adColumns(3),
    from: ADS_FROM,
    counted: sql`ads a`,
    where: adsWhere(ctx.scope, input, ctx.now_ms),
    order: "a.created_at",
  });
  return { items: items.map((row) => shownAd(ctx.services, row, ctx.now_ms)), ...rest };
});

/** How many are enabled, and in their period at this minute. */
export const summariseAdsRoute = implement(summariseAds, async (ctx, input) => {
  const { status: _status, ...others } = input;
  const { rows } = await sql<Pick<AdRead, "status" | "starts_on" | "ends_on" | "weekdays" | "periods">>`
    select a.status, a.starts_on, a.ends_on, a.weekdays, a.periods from ads a where ${adsWhere(ctx.scope, others, ctx.now_ms)} limit 10001`.execute(
    ctx.tx,
  );
  const enabled = rows.filter(({ status }) => status === 1);
  return {
    count: rows.length,
    enabled: enabled.length,
    paused: rows.length - enabled.length,
    in_period: enabled.filter((row) => periodOf(row, ctx.now_ms) === 1).length,
  };
});

/** An ad that the caller manages, with all its targets. @throws 404 */
export async function adOf(ctx: Pick<Ctx, "tx" | "scope" | "now_ms">, id: string): Promise<AdRead> {
  const { rows } =
    await sql<AdRead>`select ${adColumns()} from ${ADS_FROM} where ${adsWhere(ctx.scope, {}, ctx.now_ms)} and a.id = ${id}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("广告");
  return rows[0];
}

/** 广告详情, with what was done to it. */
export const getAdByIdRoute = implement(getAdById, async (ctx, { ad_id }) => {
  const ad = await adOf(ctx, ad_id);
  const { rows: region_names } = await sql<{ code: string; name: string }>`
    select r.code, case when q.code is null then r.name else q.short_name || ' ' || r.name end as name from divisions r left join divisions q on q.code = r.parent_code
    where r.code = any(${ad.regions}::text[]) order by r.code`.execute(ctx.tx);
  const { rows: history } = await sql<{ id: string; at: string; by: string; title: string; what: string }>`
    select l.id, l.at, coalesce(l.login, '—') as by, l.title, coalesce(l.detail #>> '{after,改动}', '') as what from audit_log l
    where l.target_kind = 'ad' and l.target_id = ${ad_id} and l.service_provider_id is not distinct from ${ad.service_provider_id}
    order by l.at desc, l.id desc limit 50`.execute(ctx.tx);
  return { ...shownAd(ctx.services, ad, ctx.now_ms), region_names, history: history as never };
});
