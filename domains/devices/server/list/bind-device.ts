import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import type { AuditNote } from "@zhangfang/server/calls/ctx.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { newToken } from "@zhangfang/server/crypto.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { assertQuota } from "../../../accounts/server/index.ts";
import { bindDevice } from "../../contract/index.ts";
import { sealDeviceKey } from "../device-key.ts";
import { STEPS, whyNot } from "../equipment/equipment-rules.ts";
import { type Held, holdPieces, move, type Moving, writeMoves } from "../equipment/move-equipment.ts";

interface StoreOf {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
}
export async function storeInSight(ctx: Moving, id: string): Promise<StoreOf> {
  const { rows } =
    await sql<StoreOf>`select s.service_provider_id, s.merchant_id, s.id from stores s where s.id = ${id} and s.state = 'active' and ${inScope(ctx.scope, "s", "store")}`.execute(
      ctx.tx,
    );
  if (!rows[0]) throw notFound("门店");
  return rows[0];
}

/** 绑定设备: out of the stock of the provider or the merchant, to one store; what it had set as a device elsewhere is gone. */
export const bindDeviceRoute = implement(bindDevice, async (ctx, given) => {
  const { id, key, told } = await bindPiece(ctx, given);
  ctx.note(told);
  return { id, key };
});

/** The same for a call and for an import. @throws 404 where thing or store is out of sight, 409 where it can't be bound there */
export async function bindPiece(ctx: Moving, { sn, storeId, name, cashierMode }: ParsedOf<typeof bindDevice>) {
  const store = await storeInSight(ctx, storeId);
  const piece = await pieceBySn(ctx, sn);
  const why = whyNot("bind", piece, ctx.scope);
  if (why !== undefined) throw conflict(why);
  if (piece.service_provider_id !== store.service_provider_id || (piece.merchant_id !== null && piece.merchant_id !== store.merchant_id))
    throw conflict(`${sn} 在别的商户名下，请先退回`);
  await assertQuota(ctx.tx, store.service_provider_id, "device");
  const before = await ctx.tx
    .selectFrom("devices")
    .select("id")
    .where("service_provider_id", "=", store.service_provider_id)
    .where("sn", "=", sn)
    .where("state", "=", "unbound")
    .executeTakeFirst();
  const id = before?.id ?? ctx.services.ids.uuid(ctx.now_ms);
  const key = newToken();
  const values = {
    merchant_id: store.merchant_id,
    store_id: store.id,
    name,
    cashier_mode: cashierMode,
    cashier_id: null,
    key_sealed: sealDeviceKey(ctx.services, store.service_provider_id, id, key),
    last_seen_at: null,
    version: null,
    placed_at: ctx.now,
    state: "active",
  };
  if (before)
    mustChange(
      await ctx.tx
        .updateTable("devices")
        .set(values)
        .where("service_provider_id", "=", store.service_provider_id)
        .where("id", "=", id)
        .where("state", "=", "unbound")
        .executeTakeFirst(),
      () => conflict(`${sn} 刚被别人绑定`),
    );
  else
    await ctx.tx
      .insertInto("devices")
      .values({ ...values, service_provider_id: store.service_provider_id, id, sn, model: piece.model, created_at: ctx.now })
      .execute();
  const to = { service_provider_id: store.service_provider_id, merchant_id: store.merchant_id };
  await move(ctx, STEPS.bind[1], [{ piece, to }], id);
  await writeMoves(ctx, "bind", [{ id: piece.id, from: piece, to }], { storeId: store.id });
  const told: AuditNote = {
    targetKind: "device",
    targetId: id,
    provider: store.service_provider_id,
    merchant: store.merchant_id,
    after: { sn, name, 门店: store.id },
  };
  return { id, key, told };
}
export async function pieceBySn(ctx: Moving, sn: string): Promise<Held> {
  const found = await ctx.tx.selectFrom("equipment").select("id").where("sn", "=", sn).executeTakeFirst();
  if (!found) throw notFound("这个编号的设备");
  const [piece] = await holdPieces(ctx, [found.id]);
  if (!piece) throw notFound("这个编号的设备");
  return piece;
}
