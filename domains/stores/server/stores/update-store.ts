import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { openingWords, updateStore, type Opening } from "../../contract/index.ts";
import { searchWords } from "@zhangfang/server/pinyin.ts";
import { maskStorePhone } from "./list/store-columns.ts";

/** 修改门店: over the version that was read, so that nobody overwrites what they did not see. */
export const updateStoreRoute = implement(updateStore, async (ctx, { id, version, ...given }) => {
  const before = await ctx.tx
    .selectFrom("stores as s")
    .selectAll("s")
    .where("s.id", "=", id)
    .where(inScope(ctx.scope, "s"))
    .executeTakeFirst();
  if (!before) throw notFound("门店");
  const opening = given.opening ?? null;
  const values = {
    name: given.name,
    short_name: given.shortName,
    pinyin: searchWords(given.shortName, given.name),
    province: given.province || null,
    city: given.city || null,
    district: given.district || null,
    address: given.address || null,
    phone: given.phone ?? before.phone,
    latitude: given.latitude ?? null,
    longitude: given.longitude ?? null,
  };
  const key = { service_provider_id: before.service_provider_id, id };
  await writeOver(ctx.tx, "stores", key, version, { ...values, opening: opening && JSON.stringify(opening) }, "门店资料");
  const told = (row: typeof values, week: Opening | null) => ({
    name: row.name,
    shortName: row.short_name,
    province: row.province,
    city: row.city,
    district: row.district,
    address: row.address,
    phone: row.phone && maskStorePhone(row.phone),
    hours: openingWords(week),
    latitude: row.latitude,
    longitude: row.longitude,
  });
  ctx.note({
    targetKind: "store",
    targetId: id,
    before: told(before, before.opening as Opening | null),
    after: told(values, opening),
    provider: before.service_provider_id,
    merchant: before.merchant_id,
  });
  return { ok: true as const };
});
