import { sql } from "kysely";
import type { z } from "zod";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { all, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { type Listed, listPage, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import {
  type abnormalFilter,
  abnormalStatus,
  getAbnormalLimits,
  getAbnormalStore,
  handleAbnormalStores,
  listAbnormalStores,
  reopenAbnormalStore,
  setAbnormalLimits,
  summariseAbnormalStores,
} from "../../contract/abnormal.ts";

type Filter = z.output<z.ZodObject<typeof abnormalFilter>>;
const FROM = sql`abnormal_stores a
  join stores s on s.service_provider_id = a.service_provider_id and s.id = a.store_id
  join merchants m on m.service_provider_id = a.service_provider_id and m.id = a.merchant_id
  join service_providers p on p.id = a.service_provider_id
  left join salesmen w on w.service_provider_id = m.service_provider_id and w.id = m.salesman_id`;
const NO_FACTS = {
  days: null,
  lastDay: null,
  weekCents: null,
  meanCents: null,
  refunds: null,
  orders: null,
  offline: null,
  devices: null,
};

function where(scope: Scope, filter: Omit<Filter, "status"> & { status?: Filter["status"] }) {
  const { agentId, businessTeamId, reason, status, keyword, ...own } = filter;
  return all([
    inScope(scope, "a", "store"),
    narrowed(own, "a"),
    narrowed({ agentId, businessTeamId }, "m"),
    is("a.reason", reason),
    is("a.status", status),
    keyword && sql`strpos(lower(s.name), lower(${keyword})) > 0`,
  ]);
}

type Row = RowOf<typeof listAbnormalStores>;
/** The list of findings, for screen and file. */
export const listed = (scope: Scope, filter: Filter): Listed => ({
  columns: sql`a.id, a.store_id as "storeId", s.short_name as "storeName", m.short_name as "merchantName", p.short_name as "serviceProviderName",
    w.name as "salesmanName", a.reason, a.facts, a.since, a.status, a.found_at as "foundAt", a.handled_at as "handledAt",
    a.handled_by as "handledBy", a.note`,
  from: FROM,
  where: where(scope, filter),
  order: "a.found_at",
});
export const withFacts = (row: Row): Row => ({ ...row, facts: { ...NO_FACTS, ...row.facts } });
export const listAbnormalStoresRoute = implement(listAbnormalStores, async (ctx, input) => {
  const { items, ...rest } = await listPage<Row>(ctx.tx, input, listed(ctx.scope, input));
  return { items: items.map(withFacts), ...rest };
});
export const getAbnormalStoreRoute = implement(getAbnormalStore, async ({ tx, scope }, { id }) =>
  withFacts(await oneRow<Row>(tx, "异常门店", id, listed(scope, {}))),
);
export const summariseAbnormalStoresRoute = implement(summariseAbnormalStores, async (ctx, { status: _tabs, ...filter }) => {
  const { rows } = await sql<{ status: 0 | 1 | 2; count: number }>`
    select a.status, count(*)::int as count from ${FROM} where ${where(ctx.scope, filter)} group by a.status order by a.status`.execute(
    ctx.tx,
  );
  return { perStatus: abnormalStatus.values.map((status) => rows.find((row) => row.status === status) ?? { status, count: 0 }) };
});

/** All of them or none: whoever saw them as waiting must not find later that somebody else's note stands there. */
export const handleAbnormalStoresRoute = implement(handleAbnormalStores, async (ctx, { ids: given, note }) => {
  const ids = [...new Set(given)];
  const { rows } = await sql<{ status: number }>`
    select a.status from abnormal_stores a where a.id = any(${ids}::uuid[]) and ${inScope(ctx.scope, "a", "store")}
    order by a.id for update of a`.execute(ctx.tx);
  if (rows.length !== ids.length) throw notFound("异常门店");
  if (rows.some(({ status }) => status !== 0)) throw conflict("其中有的已处理或已恢复，请刷新后再选");
  const changed = await sql`
    update abnormal_stores a set status = 1, handled_at = ${ctx.now}, handled_by = ${ctx.principal.name}, note = ${note}
    where a.id = any(${ids}::uuid[]) and a.status = 0 and ${inScope(ctx.scope, "a", "store")}`.execute(ctx.tx);
  if (Number(changed.numAffectedRows) !== ids.length) throw conflict("其中有的已处理或已恢复，请刷新后再选");
  ctx.note({ targetKind: "abnormal_stores", after: { ids, note } });
  return { handled: ids.length };
});
export const reopenAbnormalStoreRoute = implement(reopenAbnormalStore, async (ctx, { id }) => {
  const { rows } = await sql<{ status: number; provider: string; merchant: string; note: string }>`
    select a.status, a.service_provider_id as provider, a.merchant_id as merchant, a.note from abnormal_stores a where a.id = ${id} and ${inScope(ctx.scope, "a", "store")}
    for update of a`.execute(ctx.tx);
  const before = rows[0];
  if (!before) throw notFound("异常门店");
  if (before.status !== 1) throw conflict("只有已处理的可以撤销");
  mustChange(
    await ctx.tx
      .updateTable("abnormal_stores")
      .set({ status: 0 })
      .where("service_provider_id", "=", before.provider)
      .where("id", "=", id)
      .where("status", "=", 1)
      .executeTakeFirst(),
    () => conflict("状态已变化，请刷新后查看"),
  );
  ctx.note({ targetKind: "abnormal_store", targetId: id, merchant: before.merchant, before: { note: before.note } });
  return { ok: true as const };
});

const DEFAULTS = { silentDays: 7, dropPercent: 50, refundPercent: 20, offlineHours: 24, version: 0 };
const whose = (scope: Scope, named: string | undefined): string => {
  const provider = scope.provider ?? named;
  if (provider === undefined) throw invalid("serviceProviderId", "请选择服务商");
  if (named !== undefined && named !== provider) throw notFound("服务商");
  return provider;
};
export const getAbnormalLimitsRoute = implement(getAbnormalLimits, async (ctx, { serviceProviderId }) => {
  const provider = whose(ctx.scope, serviceProviderId);
  const { rows } = await sql<typeof DEFAULTS>`
    select silent_days as "silentDays", drop_percent as "dropPercent", refund_percent as "refundPercent",
      offline_hours as "offlineHours", version from abnormal_limits where service_provider_id = ${provider}`.execute(ctx.tx);
  if (rows[0]) return rows[0];
  await mustExist(ctx.tx, provider);
  return DEFAULTS;
});

async function mustExist(tx: Transaction, provider: string): Promise<void> {
  const known = await tx.selectFrom("service_providers").select("id").where("id", "=", provider).executeTakeFirst();
  if (!known) throw notFound("服务商");
}

/** Who did not see the newest limits is told so instead of overwriting them. */
export const setAbnormalLimitsRoute = implement(setAbnormalLimits, async (ctx, { serviceProviderId, version, ...given }) => {
  const provider = whose(ctx.scope, serviceProviderId);
  await mustExist(ctx.tx, provider);
  const values = {
    silent_days: given.silentDays,
    drop_percent: given.dropPercent,
    refund_percent: given.refundPercent,
    offline_hours: given.offlineHours,
    updated_at: ctx.now,
  };
  const changed =
    version === 0
      ? await ctx.tx
          .insertInto("abnormal_limits")
          .values({ service_provider_id: provider, ...values })
          .onConflict((twice) => twice.column("service_provider_id").doNothing())
          .executeTakeFirst()
      : await ctx.tx
          .updateTable("abnormal_limits")
          .set({ ...values, version: version + 1 })
          .where("service_provider_id", "=", provider)
          .where("version", "=", version)
          .executeTakeFirst();
  const rows = "numUpdatedRows" in changed ? changed.numUpdatedRows : changed.numInsertedOrUpdatedRows;
  if (rows !== 1n) throw conflict("条件已被别人修改，请重新打开后再改");
  ctx.note({ targetKind: "abnormal_limits", targetId: provider, provider, after: given });
  return { ok: true as const };
});
