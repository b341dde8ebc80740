import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { deviceMoved } from "../../../level-config/server/index.ts";

interface Standing {
  readonly id: string;
  readonly sn: string;
  readonly store_id: string;
  readonly cashier_id: string | null;
  readonly cashier: string | null;
}
/** Somebody of a store who works at a device of it. */
interface Cashier {
  readonly service_provider_id: string;
  readonly store_id: string;
  readonly id: string;
}

/**
 * Puts a cashier at a device of the store and takes him from the one before; null takes him away.
 * @throws 404 where the device is out of sight or the cashier not at work, 409 where another works there or it stands elsewhere
 */
export async function placeCashier(ctx: Ctx, cashier: Cashier, device_id: string | null): Promise<void> {
  // Devices are held before the cashier, as everybody does who changes who works where.
  const { rows } = await sql<Standing>`
    select d.id, d.sn, d.store_id, d.cashier_id, (select c.name from cashiers c where c.service_provider_id = d.service_provider_id and c.id = d.cashier_id) as cashier
    from devices d where d.service_provider_id = ${cashier.service_provider_id} and (d.cashier_id = ${cashier.id} or d.id = ${device_id}::uuid)
      and d.state in ('active', 'disabled') and ${inScope(ctx.scope, "d", "store")} order by d.id for no key update of d`.execute(ctx.tx);
  const wanted = rows.find(({ id }) => id === device_id);
  if (device_id !== null && !wanted) throw notFound("设备");
  if (wanted && wanted.store_id !== cashier.store_id) throw conflict(`设备 ${wanted.sn} 不在收银员的门店`);
  if (wanted && wanted.cashier_id !== null && wanted.cashier_id !== cashier.id)
    throw conflict(`设备 ${wanted.sn} 由收银员${wanted.cashier ?? ""}使用，请先清除`);
  if (wanted) await mustBeAtWork(ctx, cashier.store_id, cashier.id);
  // He leaves the one before he stands at the other.
  for (const { id, cashier_id } of rows.toSorted((a, b) => Number(a === wanted) - Number(b === wanted))) {
    const stays = id === device_id ? cashier.id : null;
    if (cashier_id === stays) continue;
    await ctx.tx
      .updateTable("devices")
      .set({ cashier_id: stays, revision: sql`revision + 1` as never })
      .where("service_provider_id", "=", cashier.service_provider_id)
      .where("id", "=", id)
      .execute();
    await deviceMoved(ctx.tx, id);
  }
}

/** Holds a cashier who works in a store, so that nobody disables him meanwhile. @throws 404 */
async function mustBeAtWork(ctx: Ctx, store: string, cashier: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select c.name from cashiers c
    where c.id = ${cashier} and c.store_id = ${store} and c.state = 'active' and ${inScope(ctx.scope, "c", "store")} for share`.execute(
    ctx.tx,
  );
  if (!rows[0]) throw notFound("收银员");
  return rows[0].name;
}

/** Whether a cashier may be put at a device of a store from the device's own side. @throws 404, or 409 where he works at another */
export async function mustBeFree(ctx: Ctx, store: string, cashier: string, device: string): Promise<void> {
  const name = await mustBeAtWork(ctx, store, cashier);
  const { rows } = await sql<{ sn: string }>`select d.sn from devices d
    where d.store_id = ${store} and d.cashier_id = ${cashier} and d.id <> ${device} and ${inScope(ctx.scope, "d", "store")}`.execute(
    ctx.tx,
  );
  if (rows[0]) throw conflict(`收银员${name}已绑定设备 ${rows[0].sn}，请先在那台设备上清除`);
}
