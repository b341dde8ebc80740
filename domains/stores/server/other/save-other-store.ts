import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { saveOtherStore as endpoint } from "../../contract/index.ts";

/** Saves a platform's store and the own store it is mapped to; both must be of one merchant in sight. */
export const saveOtherStore = implement(endpoint, async (ctx, input) => {
  const storeId = input.storeId ?? null;
  const merchant = (
    await sql<{ service_provider_id: string }>`
    select m.service_provider_id from merchants m where m.id = ${input.merchantId} and ${inScope(ctx.scope, "m", "merchant")}
      and (${storeId}::uuid is null or exists (select 1 from stores s where s.service_provider_id = m.service_provider_id and s.merchant_id = m.id and s.id = ${storeId} and ${inScope(ctx.scope, "s", "store")}))`.execute(
      ctx.tx,
    )
  ).rows[0];
  if (!merchant) throw notFound("门店");
  const saved = { name: input.name, mapped_store_id: storeId, updated_at: ctx.now };
  const row = await ctx.tx
    .insertInto("other_stores")
    .values({
      service_provider_id: merchant.service_provider_id,
      id: ctx.services.ids.uuid(ctx.now_ms),
      merchant_id: input.merchantId,
      platform: input.platform,
      platform_store_id: input.platformStoreId,
      ...saved,
    })
    .onConflict((conflicting) =>
      conflicting.columns(["service_provider_id", "merchant_id", "platform", "platform_store_id"]).doUpdateSet(saved),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  ctx.note({
    targetKind: "other-store",
    targetId: row.id,
    after: { platform: input.platform, platformStoreId: input.platformStoreId, storeId },
    provider: merchant.service_provider_id,
    merchant: input.merchantId,
  });
  return { id: row.id };
});
