import { sql, type Selectable } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { HardwareKind, Vendor } from "../../contract/index.ts";
import type { HardwarePlace } from "./add-hardware.ts";

export type HardwareRow = Selectable<DB["store_hardware"]> & { readonly store_name: string };

/** A device that is bound and in sight. @throws 404 */
export async function findHardware(tx: Transaction, scope: Scope, kind: HardwareKind, id: string): Promise<HardwareRow> {
  const found = await sql<HardwareRow>`
    select h.*, s.short_name as store_name from store_hardware h
    join stores s on s.service_provider_id = h.service_provider_id and s.id = h.store_id
    where h.id = ${id} and h.kind = ${kind} and h.state = 'bound' and ${inScope(scope, "h", "store")}`.execute(tx);
  const row = found.rows[0];
  if (!row) throw notFound(kind === "printer" ? "打印机" : "云喇叭");
  return row;
}
/** The store that a device is to stand in. @throws 404, 409 where it is closed */
export async function findPlace(tx: Transaction, scope: Scope, storeId: string): Promise<HardwarePlace> {
  const found = await sql<HardwarePlace & { state: string }>`
    select s.service_provider_id, s.merchant_id, s.id as store_id, s.state from stores s
    where s.id = ${storeId} and ${inScope(scope, "s")}`.execute(tx);
  const store = found.rows[0];
  if (!store) throw notFound("门店");
  if (store.state !== "active") throw conflict("门店已停用，不能绑定设备");
  return store;
}
/** Refuses what stands in a store already, whosever it is, without saying where. @throws 409 */
export async function refuseBound(ctx: Ctx, vendor: Vendor, sn: string): Promise<void> {
  const bound = await ctx.platform("is the device bound elsewhere", (tx) =>
    tx
      .selectFrom("store_hardware")
      .select("id")
      .where("vendor", "=", vendor)
      .where("sn", "=", sn)
      .where("state", "=", "bound")
      .executeTakeFirst(),
  );
  if (bound) throw conflict("该设备已绑定到门店，请先在原门店解绑", "hardware.bound");
}
