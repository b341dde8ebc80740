import { sql, type RawBuilder } from "kysely";
import type { OutputOf, ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { firstFence, type Scope } from "@zhangfang/server/database/scope.ts";
import { equipmentState, getEquipment, listEquipment, summariseEquipment } from "../../contract/index.ts";
import { mayNow } from "./equipment-rules.ts";

/** The first fence over equipment `e`: what the caller's level holds, or those below it. */
export function equipmentInScope(scope: Scope): RawBuilder<boolean> {
  if (!firstFence.on || scope.level === "PLATFORM" || scope.level === "ADMIN") return sql<boolean>`true`;
  if (scope.level === "SP") return sql<boolean>`e.service_provider_id = ${scope.provider ?? null}`;
  if (scope.level !== "MCH" || scope.stores !== undefined) return sql<boolean>`false`;
  return sql<boolean>`e.service_provider_id = ${scope.provider ?? null} and e.merchant_id = ${scope.merchant ?? null}`;
}
export const EQUIPMENT_FROM = sql`equipment e left join service_providers p on p.id = e.service_provider_id
  left join merchants m on m.service_provider_id = e.service_provider_id and m.id = e.merchant_id
  left join devices d on d.service_provider_id = e.service_provider_id and d.id = e.device_id
  left join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id`;
export const EQUIPMENT_COLUMNS = sql`e.id, e.sn, e.model, e.batch, e.state, e.service_provider_id, e.merchant_id, p.short_name as "providerName", m.short_name as "merchantName",
  s.short_name as "storeName", e.device_id as "deviceId", e.created_at as "createdAt", e.moved_at as "movedAt"`;
export type EquipmentRead = Omit<RowOf<typeof listEquipment>, "may"> & { service_provider_id: string | null; merchant_id: string | null };

export function equipmentWhere(
  scope: Scope,
  { keyword, state, model, holder, ...levels }: ParsedOf<typeof summariseEquipment>,
): RawBuilder<boolean> {
  const like = keyword && likeText(keyword);
  const held = {
    4: sql`e.service_provider_id is null`,
    3: sql`e.service_provider_id is not null and e.merchant_id is null`,
    2: sql`e.merchant_id is not null`,
  };
  return all([
    equipmentInScope(scope),
    like && sql`e.sn ilike ${like} or e.batch ilike ${like}`,
    is("e.state", state),
    is("e.model", model),
    holder && held[holder],
    narrowed(levels, "e"),
  ]);
}
const shown = (ctx: Ctx, { service_provider_id, merchant_id, ...row }: EquipmentRead) => ({
  ...row,
  may: mayNow({ sn: row.sn, state: row.state, service_provider_id, merchant_id }, ctx.scope),
});

/** The list of equipment, for screen and file. */
export const equipmentListed = (scope: Scope, filter: ParsedOf<typeof summariseEquipment>): Listed => ({
  columns: EQUIPMENT_COLUMNS,
  from: EQUIPMENT_FROM,
  counted: sql`equipment e`,
  where: equipmentWhere(scope, filter),
  order: "e.created_at",
});

/** 设备台账: what one's own level holds and what lies below it. */
export const listEquipmentRoute = implement(listEquipment, async (ctx, input) => {
  const { items, ...rest } = await listPage<EquipmentRead>(ctx.tx, input, equipmentListed(ctx.scope, input));
  return { items: items.map((row) => shown(ctx, row)), ...rest };
});

export const summariseEquipmentRoute = implement(summariseEquipment, async (ctx, input) => {
  const { rows } = await sql<{
    state: number;
    n: number;
  }>`select e.state, count(*)::int as n from equipment e where ${equipmentWhere(ctx.scope, { ...input, state: undefined })} group by e.state`.execute(
    ctx.tx,
  );
  const byState = Object.fromEntries(
    equipmentState.values.map((state) => [String(state), rows.find((row) => row.state === state)?.n ?? 0]),
  );
  return { count: rows.reduce((sum, { state, n }) => sum + (input.state === undefined || input.state === state ? n : 0), 0), byState };
});

/** 设备台账详情: with every move that one's own level was a part of. */
export const getEquipmentRoute = implement(getEquipment, async (ctx, { id }) => {
  const { rows } =
    await sql<EquipmentRead>`select ${EQUIPMENT_COLUMNS} from ${EQUIPMENT_FROM} where ${equipmentInScope(ctx.scope)} and e.id = ${id}`.execute(
      ctx.tx,
    );
  const [row] = rows;
  if (!row) throw notFound("设备");
  const own = {
    SP: sql`${ctx.scope.provider ?? null} in (v.from_provider_id, v.to_provider_id)`,
    MCH: sql`${ctx.scope.merchant ?? null} in (v.from_merchant_id, v.to_merchant_id)`,
  };
  const seen = firstFence.on ? (own[ctx.scope.level as "SP"] ?? sql`true`) : sql`true`;
  const moves = await sql<OutputOf<typeof getEquipment>["moves"][number]>`
    select v.id, v.kind, coalesce(fm.short_name, fp.short_name, case when v.kind = 'intake' then '新设备' else '平台库存' end) as "from",
      coalesce(tm.short_name, tp.short_name, '平台库存') as "to", s.short_name as "storeName", v.note, v.by_name as "byName", v.at
    from equipment_moves v left join service_providers fp on fp.id = v.from_provider_id left join service_providers tp on tp.id = v.to_provider_id
      left join merchants fm on fm.service_provider_id = v.from_provider_id and fm.id = v.from_merchant_id
      left join merchants tm on tm.service_provider_id = v.to_provider_id and tm.id = v.to_merchant_id
      left join stores s on s.id = v.store_id
    where v.equipment_id = ${id} and ${seen} order by v.at desc, v.id desc limit 200`.execute(ctx.tx);
  return { ...shown(ctx, row), moves: moves.rows };
});
