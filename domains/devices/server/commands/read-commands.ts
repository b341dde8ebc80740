import { Readable } from "node:stream";
import { sql } from "kysely";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getCommandFile, listCommands } from "../../contract/index.ts";

/** 远程命令记录 of one device, newest first. */
export const listCommandsRoute = implement(listCommands, (ctx, { withTotal: _untold, ...input }) =>
  listPage<RowOf<typeof listCommands>>(ctx.tx, input, {
    columns: sql`c.id, c.number, c.kind, c.status, c.by_name as "byName", c.words, f.content_type as file, c.created_at as "createdAt",
      c.delivered_at as "deliveredAt", c.finished_at as "finishedAt"`,
    from: sql`device_commands c left join device_files f on f.service_provider_id = c.service_provider_id and f.command_id = c.id`,
    where: sql`c.device_id = ${input.deviceId} and ${inScope(ctx.scope, "c", "store")}`,
    order: "c.number",
    type: "bigint",
  }),
);

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
