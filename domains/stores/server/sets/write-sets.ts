import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { addArea } from "../../../organisation/server/index.ts";
import { addStoreArea, addStoreGroup, removeArea, removeStoreGroup, renameArea, renameStoreGroup } from "../../contract/index.ts";
import { merchantForStores } from "../stores/open-store.ts";
import { addGroup } from "./add-group.ts";
import { AREA, GROUP, holdSet, type SetKind, storesOfSet } from "./set-kind.ts";

/** @throws 400 at `name` where the merchant has a set of that name */
async function checkName(ctx: Ctx, kind: SetKind, merchantId: string, name: string, but?: string): Promise<void> {
  const found = await sql<{ id: string }>`select x.id from ${sql.table(kind.table)} x
    where ${inScope(ctx.scope, "x", "merchant")} and x.merchant_id = ${merchantId} and x.name = ${name} and x.id <> ${but ?? merchantId}`.execute(
    ctx.tx,
  );
  if (found.rows[0]) throw invalid("name", `${kind.what}名称已存在`);
}
/** @throws 404 where one of the stores is not the merchant's or not in sight */
async function checkStores(ctx: Ctx, merchantId: string, storeIds: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(storeIds)];
  const found = await sql<{ n: number }>`select count(*)::int as n from stores s
    where s.id = any(${`{${wanted.join(",")}}`}::uuid[]) and s.merchant_id = ${merchantId} and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  if (found.rows[0]?.n !== wanted.length) throw notFound("门店");
  return wanted;
}

async function add(ctx: Ctx, kind: SetKind, { name, storeIds }: ParsedOf<typeof addStoreGroup>): Promise<{ id: string }> {
  const merchant = await merchantForStores(ctx, ctx.tx, undefined);
  await checkName(ctx, kind, merchant.id, name);
  const stores = await checkStores(ctx, merchant.id, storeIds);
  const given = { serviceProviderId: merchant.service_provider_id, merchantId: merchant.id, name, storeIds: stores };
  const id = await (kind.target === "area" ? addArea : addGroup)(ctx.tx, ctx.services, given);
  ctx.note({
    targetKind: kind.target,
    targetId: id,
    after: { name, storeCount: stores.length },
    provider: merchant.service_provider_id,
    merchant: merchant.id,
  });
  return { id };
}

async function rename(ctx: Ctx, kind: SetKind, { id, name }: { id: string; name: string }) {
  await merchantForStores(ctx, ctx.tx, undefined);
  const set = await holdSet(ctx.tx, ctx.scope, kind, id);
  await checkName(ctx, kind, set.merchant_id, name, id);
  await kind.rename(ctx.tx, set, name);
  ctx.note({
    targetKind: kind.target,
    targetId: id,
    before: { name: set.name },
    after: { name },
    provider: set.service_provider_id,
    merchant: set.merchant_id,
  });
  return { ok: true as const };
}

/** Its stores stay as they are. An area whose manager would see nothing any more stays too. */
async function remove(ctx: Ctx, kind: SetKind, id: string) {
  await merchantForStores(ctx, ctx.tx, undefined);
  const set = await holdSet(ctx.tx, ctx.scope, kind, id);
  const provider = set.service_provider_id;
  if (kind.target === "area") {
    const managers = await ctx.tx
      .selectFrom("user_areas")
      .select("user_id")
      .where("service_provider_id", "=", provider)
      .where("area_id", "=", id)
      .execute();
    if (managers.length > 0) throw conflict(`区域还有 ${managers.length} 位区域经理，请先移除`);
  }
  const stores = await storesOfSet(ctx.tx, kind, set);
  await kind.remove(ctx.tx, set);
  ctx.note({
    targetKind: kind.target,
    targetId: id,
    before: { name: set.name, storeCount: stores.length },
    provider,
    merchant: set.merchant_id,
  });
  return { ok: true as const };
}

export const addStoreGroupRoute = implement(addStoreGroup, (ctx, input) => add(ctx, GROUP, input));
export const addStoreAreaRoute = implement(addStoreArea, (ctx, input) => add(ctx, AREA, input));
export const renameStoreGroupRoute = implement(renameStoreGroup, (ctx, input) => rename(ctx, GROUP, input));
export const renameAreaRoute = implement(renameArea, (ctx, input) => rename(ctx, AREA, input));
export const removeStoreGroupRoute = implement(removeStoreGroup, (ctx, { id }) => remove(ctx, GROUP, id));
export const removeAreaRoute = implement(removeArea, (ctx, { id }) => remove(ctx, AREA, id));
