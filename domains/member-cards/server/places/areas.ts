import { sql } from "kysely";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { type CardRight, getCardPlaces, listCardAreas, setCardPlaces, summariseCardAreas } from "../../contract/index.ts";
import { cardsWhere, placeNames } from "../cards/read-cards.ts";
import { actorOf, holdCard, holds, mustHold, rightsIn } from "../cards/rights.ts";

type Row = RowOf<typeof listCardAreas>;
const countOf = (kind: "area" | "store") => sql`case when c.everywhere then 0 else (select count(*) from card_places p
  where p.service_provider_id = c.service_provider_id and p.card_id = c.id and p.kind = ${kind}) end::int`;

/** 区域会员卡. */
export const listCardAreasRoute = implement(listCardAreas, (ctx, input) =>
  listPage<Row>(ctx.tx, input, {
    columns: sql`c.id, c.name, c.tone, c.status, c.everywhere, ${countOf("area")} as areas, ${countOf("store")} as stores,
      ${placeNames("c")} as "placeNames", c.revision, ${rightsIn(ctx.scope, "c")} as may, c.created_at as "createdAt"`,
    from: sql`member_cards c`,
    where: sql`${inScope(ctx.scope, "c", "merchant")} and ${cardsWhere(input)}`,
    order: "c.created_at",
  }),
);
export const summariseCardAreasRoute = implement(summariseCardAreas, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number; narrowed: number }>`select c.status, count(*)::int as count,
      count(*) filter (where not c.everywhere)::int as narrowed
    from member_cards c where ${inScope(ctx.scope, "c", "merchant")} and ${cardsWhere(rest)} group by c.status`.execute(ctx.tx);
  const shown = rows.filter((row) => status === undefined || row.status === status);
  return {
    count: shown.reduce((sum, { count }) => sum + count, 0),
    narrowed: shown.reduce((sum, { narrowed }) => sum + narrowed, 0),
    byStatus: Object.fromEntries(rows.map((row) => [row.status, row.count])),
  };
});

interface Places {
  readonly id: string;
  readonly name: string;
  readonly everywhere: boolean;
  readonly revision: number;
  readonly may: CardRight[];
}
/** 会员卡适用范围, with what may be chosen from. */
export const getCardPlacesRoute = implement(getCardPlaces, async ({ tx, scope }, { id }) => {
  const { rows } = await sql<Places>`select c.id, c.name, c.everywhere, c.revision, ${rightsIn(scope, "c")} as may from member_cards c
    where c.id = ${id} and ${inScope(scope, "c", "merchant")}`.execute(tx);
  const [card] = rows;
  if (!card) throw notFound("会员卡");
  const { rows: places } = await sql<{ kind: "area" | "store"; id: string }>`select p.kind, p.place_id as id from card_places p
    where p.card_id = ${id} and ${inScope(scope, "p", "merchant")}`.execute(tx);
  const { rows: areas } = await sql<{
    id: string;
    name: string;
    stores: number;
  }>`select a.id, a.name, (select count(*)::int from area_stores s
      where s.service_provider_id = a.service_provider_id and s.area_id = a.id) as stores
    from areas a where ${inScope(scope, "a", "merchant")} order by a.name, a.id limit 200`.execute(tx);
  const { rows: stores } = await sql<{ id: string; name: string }>`select s.id, s.short_name as name from stores s
    where ${inScope(scope, "s")} and s.state = 'active' ${scope.stores ? sql`and s.id = any(${`{${scope.stores.join(",")}}`}::uuid[])` : sql``}
    order by s.short_name, s.id limit 500`.execute(tx);
  const narrowed = actorOf(scope) === "AE";
  const chosen = places.filter(({ kind, id: store }) => kind === "store" && (!narrowed || scope.stores?.includes(store)));
  return {
    ...card,
    areaIds: places.filter(({ kind }) => kind === "area").map((one) => one.id),
    storeIds: chosen.map((one) => one.id),
    areas,
    stores,
    narrowed,
  };
});

/** 设置适用范围. Who runs some stores takes those in and out alone; all else stays as it is. */
export const setCardPlacesRoute = implement(setCardPlaces, async (ctx, { id, revision, everywhere, areaIds, storeIds }) => {
  const own = await holdCard(ctx.tx, ctx.scope, id);
  mustHold(ctx.scope, own, "stores");
  if (own.status === 5) throw conflict("会员卡已过期，不能再修改");
  const mine = ctx.scope.stores;
  if (mine && own.everywhere) throw new Refusal(403, "card.right", "这张卡适用全部门店，只有商户能改");
  if (mine && everywhere) throw new Refusal(403, "card.right", "只有商户能设为全部门店");
  const wanted = [...new Set(storeIds)];
  await check(ctx, areaIds, wanted);
  if (!mine && !everywhere && areaIds.length === 0 && wanted.length === 0) throw invalid("storeIds", "请选择区域或门店");
  const changed = await ctx.tx
    .updateTable("member_cards")
    .set({ everywhere, revision: revision + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("status", "<", 5)
    .where(holds(ctx.scope, "member_cards", "stores"))
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员卡已被别人修改，请重新打开后再改"));
  const at = { service_provider_id: own.service_provider_id, merchant_id: own.merchant_id, card_id: id };
  const gone = ctx.tx.deleteFrom("card_places").where("service_provider_id", "=", at.service_provider_id).where("card_id", "=", id);
  if (mine) {
    if (mine.length > 0)
      await gone
        .where("kind", "=", "store")
        .where("place_id", "in", [...mine])
        .execute();
  } else await gone.execute();
  const rows = [
    ...(mine || everywhere ? [] : [...new Set(areaIds)].map((place_id) => ({ ...at, kind: "area", place_id }))),
    ...(everywhere ? [] : wanted.map((place_id) => ({ ...at, kind: "store", place_id }))),
  ];
  if (rows.length > 0) await ctx.tx.insertInto("card_places").values(rows).execute();
  ctx.note({
    targetKind: "member_card",
    targetId: id,
    provider: own.service_provider_id,
    merchant: own.merchant_id,
    after: { everywhere, areaIds, storeIds },
  });
  return { ok: true as const };
});
/** @throws 404 where one of them is out of sight */
async function check({ tx, scope }: Ctx, areaIds: ParsedOf<typeof setCardPlaces>["areaIds"], storeIds: readonly string[]): Promise<void> {
  const arrayOf = (ids: readonly string[]) => sql`${`{${ids.join(",")}}`}::uuid[]`;
  if (areaIds.length > 0) {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from areas a where a.id = any(${arrayOf(areaIds)})
      and ${inScope(scope, "a", "merchant")}`.execute(tx);
    if (rows[0]?.n !== new Set(areaIds).size) throw notFound("区域");
  }
  if (storeIds.length === 0) return;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from stores s where s.id = any(${arrayOf(storeIds)})
    and ${inScope(scope, "s")} ${scope.stores ? sql`and s.id = any(${arrayOf(scope.stores)})` : sql``}`.execute(tx);
  if (rows[0]?.n !== storeIds.length) throw notFound("门店");
}
