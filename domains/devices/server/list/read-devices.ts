import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Instant } from "@zhangfang/contract/fields.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { getDevice, getDevices, summariseDevices } from "../../contract/index.ts";
import { deviceColumns, type DeviceRow, DEVICES_FROM, devicesWhere, isOnline } from "./device-columns.ts";

/** The list of devices as of a moment, for screen and file. */
export const devicesListed = (scope: Scope, now_ms: number, filter: ParsedOf<typeof summariseDevices>): Listed => ({
  columns: deviceColumns(now_ms),
  from: DEVICES_FROM,
  counted: sql`devices d`,
  where: devicesWhere(scope, now_ms, filter),
  order: "d.created_at",
});

/** 设备列表: the devices in use, each with its owner at every level. */
export const getDevicesRoute = implement(getDevices, (ctx, input) =>
  listPage<DeviceRow>(ctx.tx, input, devicesListed(ctx.scope, ctx.now_ms, input)),
);

export const summariseDevicesRoute = implement(summariseDevices, async (ctx, input) => {
  const fits = devicesWhere(ctx.scope, ctx.now_ms, input);
  const { rows } = await sql<{ count: number; online: number; offline: number; never: number }>`select count(*)::int as count,
    count(*) filter (where ${isOnline(ctx.now_ms, 1)})::int as online, count(*) filter (where ${isOnline(ctx.now_ms, 2)})::int as offline,
    count(*) filter (where ${isOnline(ctx.now_ms, 3)})::int as never from devices d where ${fits}`.execute(ctx.tx);
  if (!rows[0]) throw new Error("a count without a row");
  return rows[0];
});

/** 设备详情, with the cashiers who may work at it. */
export const getDeviceRoute = implement(getDevice, async (ctx, { id }) => {
  const { rows } =
    await sql<DeviceRow>`select ${deviceColumns(ctx.now_ms)} from ${DEVICES_FROM} where ${devicesWhere(ctx.scope, ctx.now_ms, {})} and d.id = ${id}`.execute(
      ctx.tx,
    );
  const [row] = rows;
  if (!row) throw notFound("设备");
  const { rows: cashiers } = await sql<{ id: string; name: string }>`select c.id, c.name from devices d
    join cashiers c on c.service_provider_id = d.service_provider_id and c.store_id = d.store_id and c.state = 'active'
    where d.id = ${id} and ${inScope(ctx.scope, "d", "store")} order by c.code limit 200`.execute(ctx.tx);
  const { rows: outages } = await sql<{
    since: Instant;
    endedAt: Instant | null;
  }>`select o.since, o.ended_at as "endedAt" from device_outages o
    where o.device_id = ${id} and ${inScope(ctx.scope, "o", "store")} order by o.since desc limit 5`.execute(ctx.tx);
  return { ...row, cashiers, outages };
});
