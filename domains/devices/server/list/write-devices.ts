import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { deviceMoved } from "../../../level-config/server/index.ts";
import { cleanCashierId, unbindDevice, updateDeviceInfo } from "../../contract/index.ts";
import { STEPS, whyNot } from "../equipment/equipment-rules.ts";
import { leavePlace } from "../leave-place.ts";
import { pieceBySn, storeInSight } from "./bind-device.ts";
import { mustBeFree } from "./place-cashier.ts";
import { move, writeMoves } from "../equipment/move-equipment.ts";

interface Own {
  readonly id: string;
  readonly sn: string;
  readonly name: string;
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly cashier_mode: number;
  readonly cashier_id: string | null;
  readonly state: string;
  readonly revision: number;
}
/** A device in use that the caller sees, held until the transaction ends. @throws 404 */
async function holdDevice(ctx: Ctx, id: string): Promise<Own> {
  const { rows } =
    await sql<Own>`select d.id, d.sn, d.name, d.service_provider_id, d.merchant_id, d.store_id, d.cashier_mode, d.cashier_id, d.state, d.revision from devices d
    where d.id = ${id} and d.state in ('active', 'disabled') and ${inScope(ctx.scope, "d", "store")} for no key update`.execute(ctx.tx);
  if (!rows[0]) throw notFound("设备");
  return rows[0];
}
/** 修改设备: only what is named. Who goes to another store leaves its cashier behind. */
export const updateDeviceInfoRoute = implement(updateDeviceInfo, async (ctx, input) => {
  const device = await holdDevice(ctx, input.device_id);
  if (input.revision !== undefined && input.revision !== device.revision) throw conflict("设备已被别人修改，请重新打开后再改");
  const store = input.store_id === undefined || input.store_id === device.store_id ? undefined : await storeInSight(ctx, input.store_id);
  if (store && store.merchant_id !== device.merchant_id) throw conflict("设备只能在同一商户的门店之间移动，换商户请先解绑");
  const cashier_id = input.cashier_id === undefined ? (store ? null : device.cashier_id) : input.cashier_id;
  if (cashier_id !== null && (store || cashier_id !== device.cashier_id))
    await mustBeFree(ctx, store?.id ?? device.store_id, cashier_id, device.id);
  const after = {
    name: input.name ?? device.name,
    cashier_mode: input.cashier_mode ?? device.cashier_mode,
    cashier_id,
    store_id: store?.id ?? device.store_id,
    state: input.state ?? device.state,
  };
  if (store) await leavePlace(ctx.tx, device, ctx.now);
  const changed = await ctx.tx
    .updateTable("devices")
    .set({ ...after, ...(store && { placed_at: ctx.now }), revision: device.revision + 1 })
    .where("service_provider_id", "=", device.service_provider_id)
    .where("id", "=", device.id)
    .where("revision", "=", device.revision)
    .executeTakeFirst();
  mustChange(changed, () => conflict("设备已被别人修改，请重新打开后再改"));
  // The device hears of its name, its cashier and what its new store inherits.
  await deviceMoved(ctx.tx, device.id);
  noteOf(ctx, device, { before: pick(device), after });
  return { ok: true as const };
});
const pick = ({ name, cashier_mode, cashier_id, store_id, state }: Own) => ({ name, cashier_mode, cashier_id, store_id, state });

/** 清除收银员: nobody works at the device any more; asked again it is done already. */
export const cleanCashierIdRoute = implement(cleanCashierId, async (ctx, { device_id }) => {
  const device = await holdDevice(ctx, device_id);
  if (device.cashier_id === null) return { ok: true as const };
  const changed = await ctx.tx
    .updateTable("devices")
    .set({ cashier_id: null, revision: device.revision + 1 })
    .where("service_provider_id", "=", device.service_provider_id)
    .where("id", "=", device.id)
    .executeTakeFirst();
  mustChange(changed, () => notFound("设备"));
  await deviceMoved(ctx.tx, device.id);
  noteOf(ctx, device, { before: { cashier_id: device.cashier_id }, after: { cashier_id: null } });
  return { ok: true as const };
});

/** 解绑设备: back into the merchant's stock. Its key opens nothing any more, and its own values go. */
export const unbindDeviceRoute = implement(unbindDevice, async (ctx, { id }) => {
  const device = await holdDevice(ctx, id);
  const piece = await pieceBySn(ctx, device.sn);
  const why = whyNot("unbind", piece, ctx.scope);
  if (why !== undefined) throw conflict(why);
  await leavePlace(ctx.tx, device, ctx.now);
  const changed = await ctx.tx
    .updateTable("devices")
    .set({ state: "unbound", cashier_id: null, revision: device.revision + 1 })
    .where("service_provider_id", "=", device.service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(changed, () => notFound("设备"));
  await deviceMoved(ctx.tx, id, true);
  const to = { service_provider_id: device.service_provider_id, merchant_id: device.merchant_id };
  await move(ctx, STEPS.unbind[1], [{ piece, to }], null);
  await writeMoves(ctx, "unbind", [{ id: piece.id, from: to, to }], { storeId: device.store_id });
  noteOf(ctx, device, { before: { state: device.state }, after: { state: "unbound" } });
  return { ok: true as const };
});

function noteOf(ctx: Ctx, device: Own, said: { before?: object; after: object }): void {
  ctx.note({ targetKind: "device", targetId: device.id, provider: device.service_provider_id, merchant: device.merchant_id, ...said });
}
