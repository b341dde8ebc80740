import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { newToken } from "@zhangfang/server/crypto.ts";
import { mustChange } from "@zhangfang/server/db.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { openPayCodes, renewPayCode } from "../contract.ts";

type Poster = OutputOf<typeof renewPayCode>;
interface Place {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
}
/** 128 bits, as the first 22 letters of a token. */
const newCode = (): string => newToken().slice(0, 22);

async function addCode(ctx: Ctx, { service_provider_id, merchant_id, store_id }: Place): Promise<void> {
  await ctx.tx
    .insertInto("pay_codes")
    .values({
      service_provider_id,
      merchant_id,
      store_id,
      id: ctx.services.ids.uuid(ctx.now_ms),
      code: newCode(),
      created_at: ctx.now,
      created_by: ctx.principal.name,
    })
    // A rival has made one; it is as good.
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "store_id"]).where("state", "=", "active").doNothing())
    .execute();
}
/** Stores in sight, and the code that each has. */
async function placesOf(ctx: Ctx, storeIds: readonly string[]): Promise<(Place & { code_id: string | null })[]> {
  const found = await sql<Place & { code_id: string | null }>`
    select s.service_provider_id, s.merchant_id, s.id as store_id, c.id as code_id from stores s
    left join pay_codes c on c.service_provider_id = s.service_provider_id and c.store_id = s.id and c.state = 'active'
    where s.id = any(${`{${storeIds.join(",")}}`}::uuid[]) and ${inScope(ctx.scope, "s")}`.execute(ctx.tx);
  return found.rows;
}
async function postersOf(ctx: Ctx, storeIds: readonly string[]): Promise<Poster[]> {
  const base = ctx.services.config.public_url;
  const found = await sql<Omit<Poster, "url"> & { code: string }>`
    select c.id, c.store_id as "storeId", s.name as "storeName", s.number as "storeNumber", m.short_name as "merchantName",
      coalesce(p.brand_title, p.short_name) as "brandName", p.logo_url as "logoUrl", c.created_at as "createdAt", c.code
    from pay_codes c
    join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id
    join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id
    join service_providers p on p.id = c.service_provider_id
    where c.state = 'active' and c.store_id = any(${`{${storeIds.join(",")}}`}::uuid[]) and ${inScope(ctx.scope, "c", "store")}
    order by s.created_at, s.id`.execute(ctx.tx);
  return found.rows.map(({ code, ...row }) => ({ ...row, url: `${base}/pay/${code}` }));
}

/** 查看收款码: makes what is missing; a store has its code from the first look on. */
export const openPayCodesRoute = implement(openPayCodes, async (ctx, { storeIds }) => {
  for (const place of await placesOf(ctx, storeIds)) if (place.code_id === null) await addCode(ctx, place);
  const items = await postersOf(ctx, storeIds);
  ctx.note({ targetKind: "pay-code", after: { stores: items.length } });
  return { items };
});

/** 更换收款码: over the code that was seen, so that two people do not void each other's poster. */
export const renewPayCodeRoute = implement(renewPayCode, async (ctx, { id, storeId }) => {
  const [place] = await placesOf(ctx, [storeId]);
  const gone = () => conflict("收款码已被更换，请刷新后查看");
  if (place?.code_id !== id) throw gone();
  mustChange(
    await ctx.tx
      .updateTable("pay_codes")
      .set({ state: "revoked", revoked_at: ctx.now })
      .where("service_provider_id", "=", place.service_provider_id)
      .where("id", "=", id)
      .where("state", "=", "active")
      .executeTakeFirst(),
    gone,
  );
  await addCode(ctx, place);
  const [made] = await postersOf(ctx, [storeId]);
  if (!made) throw gone();
  ctx.note({ targetKind: "pay-code", targetId: made.id, before: { id }, after: { storeId } });
  return made;
});
