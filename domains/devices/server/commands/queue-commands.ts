import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { bumpVersions } from "../../../level-config/server/index.ts";
import { cancelCommand, COMMAND_GOOD_FOR_MS, commandKind, queueCommands } from "../../contract/index.ts";

/** 下发远程命令: to all that are named, or to none where one is out of sight. A device hears of it at once, if it is there. */
export const queueCommandsRoute = implement(queueCommands, async (ctx, { kind, ids }) => {
  const wanted = [...new Set(ids)];
  const made = wanted.map((device) => ({ device, id: ctx.services.ids.uuid(ctx.now_ms) }));
  const until = new Date(ctx.now_ms + COMMAND_GOOD_FOR_MS).toISOString();
  // Numbers are handed out under the device's row: none becomes visible after a higher one.
  const { rows } = await sql<{ device_id: string; sn: string }>`
    with held as (select d.service_provider_id, d.id from devices d where d.id = any(${`{${wanted.join(",")}}`}::uuid[])
        and d.state = 'active' and ${inScope(ctx.scope, "d", "store")} order by d.id for no key update),
      numbered as (update devices d set command_no = d.command_no + 1 from held h
        where d.service_provider_id = h.service_provider_id and d.id = h.id returning d.*),
      queued as (insert into device_commands (service_provider_id, id, merchant_id, store_id, device_id, number, kind, user_id, by_name, created_at, expires_at)
        select n.service_provider_id, g.id, n.merchant_id, n.store_id, n.id, n.command_no, ${kind}, ${ctx.principal.id}::uuid, ${ctx.principal.name},
          ${ctx.now}::timestamptz, ${until}::timestamptz
        from numbered n join jsonb_to_recordset(${JSON.stringify(made)}::jsonb) as g(device uuid, id uuid) on g.device = n.id returning device_id)
    select q.device_id, n.sn from queued q join numbered n on n.id = q.device_id order by n.sn`.execute(ctx.tx);
  if (rows.length < wanted.length) throw notFound("设备");
  await bumpVersions(ctx.tx, "device", wanted);
  ctx.note({
    targetKind: "device",
    targetId: wanted[0] ?? "",
    after: { 命令: commandKind.label(kind), 设备: rows.slice(0, 20).map(({ sn }) => sn), 数量: rows.length },
  });
  return { ok: true as const, queued: rows.length };
});

/** 取消远程命令. */
export const cancelCommandRoute = implement(cancelCommand, async (ctx, { id }) => {
  const { rows } = await sql<{
    service_provider_id: string;
    device_id: string;
  }>`select c.service_provider_id, c.device_id from device_commands c
    where c.id = ${id} and ${inScope(ctx.scope, "c", "store")}`.execute(ctx.tx);
  const [found] = rows;
  if (!found) throw notFound("命令");
  const changed = await ctx.tx
    .updateTable("device_commands")
    .set({ status: 4, finished_at: ctx.now })
    .where("service_provider_id", "=", found.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .executeTakeFirst();
  mustChange(changed, () => conflict("命令已送达设备或已结束，不能取消"));
  ctx.note({ targetKind: "device", targetId: found.device_id, after: { 命令: "已取消" } });
  return { ok: true as const };
});
