import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { newToken } from "@zhangfang/server/crypto.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { openCashierCodes, openPayCodes, renewCashierCode, renewPayCode } from "../contract.ts";

type Poster = OutputOf<typeof renewPayCode>;
/** Where a code stands: a store, or a cashier of it. */
interface Place {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly cashier_id: string | null;
}
type Of = "stores" | "cashiers";
/** 128 bits, as the first 22 letters of a token. */
const newCode = (): string => newToken().slice(0, 22);

async function addCode(ctx: Ctx, place: Place): Promise<void> {
  const { service_provider_id, merchant_id, store_id, cashier_id } = place;
  await ctx.tx
    .insertInto("pay_codes")
    .values({
      service_provider_id,
      merchant_id,
      store_id,
      cashier_id,
      id: ctx.services.ids.uuid(ctx.now_ms),
      code: newCode(),
      created_at: ctx.now,
      created_by: ctx.principal.name,
    })
    // A rival has made one; it is as good.
    .onConflict((conflicting) => conflicting.doNothing())
    .execute();
}
const among = (ids: readonly string[]) => sql`any(${`{${ids.join(",")}}`}::uuid[])`;
/** Stores or cashiers in sight, and the code that each has. */
async function placesOf(ctx: Ctx, of: Of, ids: readonly string[]): Promise<(Place & { code_id: string | null })[]> {
  const place =
    of === "stores"
      ? sql`select s.service_provider_id, s.merchant_id, s.id as store_id, null::uuid as cashier_id from stores s where s.id = ${among(ids)} and ${inScope(ctx.scope, "s")}`
      : sql`select s.service_provider_id, s.merchant_id, s.store_id, s.id as cashier_id from cashiers s where s.id = ${among(ids)} and ${inScope(ctx.scope, "s", "store")}`;
  const found = await sql<Place & { code_id: string | null }>`
    select p.*, c.id as code_id from (${place}) p
    left join pay_codes c on c.service_provider_id = p.service_provider_id and c.store_id = p.store_id and c.state = 'active'
      and c.cashier_id is not distinct from p.cashier_id`.execute(ctx.tx);
  return found.rows;
}
async function postersOf(ctx: Ctx, of: Of, ids: readonly string[]): Promise<Poster[]> {
  const base = ctx.services.config.public_url;
  const wanted = of === "stores" ? sql`c.cashier_id is null and c.store_id = ${among(ids)}` : sql`c.cashier_id = ${among(ids)}`;
  const found = await sql<Omit<Poster, "url"> & { code: string }>`
    select c.id, c.store_id as "storeId", s.name as "storeName", s.number as "storeNumber", m.short_name as "merchantName",
      coalesce(p.brand_title, p.short_name) as "brandName", p.logo_url as "logoUrl", c.created_at as "createdAt", c.code,
      c.cashier_id as "cashierId", w.name as "cashierName", w.code as "cashierCode"
    from pay_codes c
    join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id
    join merchants m on m.service_provider_id = c.service_provider_id and m.id = c.merchant_id
    join service_providers p on p.id = c.service_provider_id
    left join cashiers w on w.service_provider_id = c.service_provider_id and w.id = c.cashier_id
    where c.state = 'active' and ${wanted} and ${inScope(ctx.scope, "c", "store")}
    order by s.created_at, s.id, w.code`.execute(ctx.tx);
  return found.rows.map(({ code, ...row }) => ({ ...row, url: `${base}/pay/${code}` }));
}

/** Makes what is missing; whoever has been looked at has a code. */
async function open(ctx: Ctx, of: Of, ids: readonly string[]): Promise<{ items: Poster[] }> {
  for (const place of await placesOf(ctx, of, ids)) if (place.code_id === null) await addCode(ctx, place);
  const items = await postersOf(ctx, of, ids);
  ctx.note({ targetKind: "pay-code", after: { [of]: items.length } });
  return { items };
}
/** 查看收款码. */
export const openPayCodesRoute = implement(openPayCodes, (ctx, { storeIds }) => open(ctx, "stores", storeIds));
/** 查看收银员收款码. */
export const openCashierCodesRoute = implement(openCashierCodes, (ctx, { cashierIds }) => open(ctx, "cashiers", cashierIds));

/** Over the code that was seen, so that two people do not void each other's poster. */
async function renew(ctx: Ctx, of: Of, id: string, whose: string): Promise<Poster> {
  const [place] = await placesOf(ctx, of, [whose]);
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
  const [made] = await postersOf(ctx, of, [whose]);
  if (!made) throw gone();
  ctx.note({ targetKind: "pay-code", targetId: made.id, before: { id }, after: { storeId: made.storeId, cashierId: made.cashierId } });
  return made;
}
/** 更换收款码. */
export const renewPayCodeRoute = implement(renewPayCode, (ctx, { id, storeId }) => renew(ctx, "stores", id, storeId));
/** 更换收银员收款码. */
export const renewCashierCodeRoute = implement(renewCashierCode, (ctx, { id, cashierId }) => renew(ctx, "cashiers", id, cashierId));
