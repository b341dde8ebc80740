import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { setAreaStores } from "../../../organisation/server/index.ts";
import { changeAreaStores, changeStoreGroup, MOST_CHANGED } from "../../contract/index.ts";
import { storesWhere } from "../stores/list/store-filter.ts";
import { merchantForStores } from "../stores/open-store.ts";
import { AREA, GROUP, holdSet, type SetKind, storesOfSet } from "./set-kind.ts";

/**
 * Puts stores into a set or takes them out. Another area's stores are another scope for its managers, so that their
 * sessions end; a group opens nothing to anybody.
 */
async function change(ctx: Ctx, kind: SetKind, { id, act, ids, filter }: ParsedOf<typeof changeStoreGroup>) {
  await merchantForStores(ctx, ctx.tx, undefined);
  const set = await holdSet(ctx.tx, ctx.scope, kind, id);
  const chosen = await readStores(ctx, set.merchant_id, ids, filter);
  const before = await storesOfSet(ctx.tx, kind, set);
  const named = new Set(chosen);
  const after = act === "add" ? [...new Set([...before, ...chosen])] : before.filter((store) => !named.has(store));
  const count = Math.abs(after.length - before.length);
  if (count > 0)
    await write(ctx, kind, set, act === "add" ? after.slice(before.length) : before.filter((store) => named.has(store)), act, after);
  ctx.note({
    targetKind: kind.target,
    targetId: id,
    before: { storeCount: before.length },
    after: { name: set.name, act, storeCount: after.length, ...(ids && { storeIds: ids }) },
    provider: set.service_provider_id,
    merchant: set.merchant_id,
  });
  return { count };
}

type Set1 = Awaited<ReturnType<typeof holdSet>>;
async function write(
  ctx: Ctx,
  kind: SetKind,
  set: Set1,
  moved: readonly string[],
  act: "add" | "remove",
  after: readonly string[],
): Promise<void> {
  const provider = set.service_provider_id;
  if (kind.target === "area") return setAreaStores(ctx.tx, ctx.services, { serviceProviderId: provider, id: set.id }, after);
  const stores = sql`any(${`{${moved.join(",")}}`}::uuid[])`;
  if (act === "add")
    await sql`insert into store_group_members (service_provider_id, group_id, merchant_id, store_id)
      select s.service_provider_id, ${set.id}, s.merchant_id, s.id from stores s
      where s.service_provider_id = ${provider} and s.id = ${stores} on conflict do nothing`.execute(ctx.tx);
  else
    await sql`delete from store_group_members where service_provider_id = ${provider} and group_id = ${set.id} and store_id = ${stores}`.execute(
      ctx.tx,
    );
}

/** Stores of the set's merchant, each in sight. @throws 404 where one is not, 409 where they are too many */
async function readStores(
  ctx: Ctx,
  merchantId: string,
  ids: readonly string[] | undefined,
  filter: ParsedOf<typeof changeStoreGroup>["filter"],
) {
  const wanted = [...new Set(ids)];
  const where = filter ? await storesWhere(ctx.tx, ctx.scope, filter) : sql`s.id = any(${`{${wanted.join(",")}}`}::uuid[])`;
  const found = await sql<{
    id: string;
  }>`select s.id from stores s where ${inScope(ctx.scope, "s")} and s.merchant_id = ${merchantId} and ${where}
    order by s.id limit ${sql.lit(MOST_CHANGED + 1)}`.execute(ctx.tx);
  if (found.rows.length > MOST_CHANGED) throw conflict(`一次最多调整 ${MOST_CHANGED} 家，请缩小筛选范围`);
  if (filter === undefined && found.rows.length !== wanted.length) throw notFound("门店");
  return found.rows.map((row) => row.id);
}

export const changeStoreGroupRoute = implement(changeStoreGroup, (ctx, input) => change(ctx, GROUP, input));
export const changeAreaStoresRoute = implement(changeAreaStores, (ctx, input) => change(ctx, AREA, input));
