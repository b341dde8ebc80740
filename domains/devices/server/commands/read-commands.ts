import { Readable } from "node:stream";
import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/call.ts";
import { notFound } from "@zhangfang/server/errors.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { getCommandFile, listCommands } from "../../contract/index.ts";

/** 远程命令记录 of one device, newest first. */
export const listCommandsRoute = implement(listCommands, async (ctx, { deviceId, cursor, pageSize }) => {
  const { rows } = await sql<RowOf<typeof listCommands>>`
    select c.id, c.number, c.kind, c.status, c.by_name as "byName", c.words, f.content_type as file, c.created_at as "createdAt",
      c.delivered_at as "deliveredAt", c.finished_at as "finishedAt"
    from device_commands c left join device_files f on f.service_provider_id = c.service_provider_id and f.command_id = c.id
    where c.device_id = ${deviceId} and ${inScope(ctx.scope, "c", "store")} and ${after(cursor, "c.number", "c.id", "bigint", true)}
    order by c.number desc, c.id desc limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  return page(rows, pageSize, (row) => ({ value: row.number, id: row.id }));
});

/** 查看设备截屏和日志. */
export const getCommandFileRoute = implement(getCommandFile, async (ctx, { id }) => {
  const { rows } = await sql<{ content_type: string; bytes: Buffer; sn: string }>`select f.content_type, f.bytes, d.sn from device_files f
    join device_commands c on c.service_provider_id = f.service_provider_id and c.id = f.command_id
    join devices d on d.service_provider_id = c.service_provider_id and d.id = c.device_id
    where f.command_id = ${id} and ${inScope(ctx.scope, "f", "store")}`.execute(ctx.tx);
  const [file] = rows;
  if (!file) throw notFound("文件");
  const end = file.content_type === "text/plain" ? "log" : file.content_type.slice("image/".length);
  return {
    stream: Readable.from([file.bytes]),
    fileName: `${file.sn}.${end}`,
    contentType: file.content_type === "text/plain" ? "text/plain; charset=utf-8" : file.content_type,
    size_bytes: file.bytes.length,
  };
});
