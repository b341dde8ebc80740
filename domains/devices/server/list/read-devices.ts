import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { getDevice, getDevices, summariseDevices } from "../../contract/index.ts";
import { deviceColumns, type DeviceRow, DEVICES_FROM, devicesWhere } from "./device-columns.ts";

/** 设备列表: the devices in use, each with its owner at every level. */
export const getDevicesRoute = implement(getDevices, async (ctx, input) => {
  const fits = devicesWhere(ctx.scope, ctx.now_ms, input);
  const { rows } = await sql<DeviceRow>`select ${deviceColumns(ctx.now_ms)} from ${DEVICES_FROM}
    where ${fits} and ${after(input.cursor, "d.created_at", "d.id", "timestamptz", true)} order by d.created_at desc, d.id desc limit ${sql.lit(input.pageSize + 1)}`.execute(
    ctx.tx,
  );
  return {
    ...page(rows, input.pageSize, (row) => ({ value: row.createdAt, id: row.id })),
    ...(input.withTotal && { total: await countRows(ctx.tx, sql`devices d where ${fits}`) }),
  };
});

export const summariseDevicesRoute = implement(summariseDevices, async (ctx, input) => {
  const fits = devicesWhere(ctx.scope, ctx.now_ms, input);
  const online = devicesWhere(ctx.scope, ctx.now_ms, { ...input, online: input.online ?? 1 });
  const { rows } = await sql<{ count: number; online: number }>`select (select count(*)::int from devices d where ${fits}) as count,
    ${input.online === 2 ? sql`0` : sql`(select count(*)::int from devices d where ${online})`} as online`.execute(ctx.tx);
  const [found] = rows;
  if (!found) throw new Error("a count without a row");
  return { ...found, offline: found.count - found.online };
});

/** 设备详情, with the cashiers who may work at it. */
export const getDeviceRoute = implement(getDevice, async (ctx, { id }) => {
  const { rows } =
    await sql<DeviceRow>`select ${deviceColumns(ctx.now_ms)} from ${DEVICES_FROM} where ${devicesWhere(ctx.scope, ctx.now_ms, {})} and d.id = ${id}`.execute(
      ctx.tx,
    );
  const [row] = rows;
  if (!row) throw notFound("设备");
  const cashiers = await ctx.tx
    .selectFrom("cashiers")
    .select(["id", "name"])
    .where("store_id", "=", row.storeId)
    .where("state", "=", "active")
    .orderBy("code")
    .limit(200)
    .execute();
  return { ...row, cashiers };
});
