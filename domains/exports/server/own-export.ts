import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";

/** The caller's own export, held until the transaction ends. @throws Refusal 404 for anybody else's */
export async function ownExport(ctx: Ctx, id: string) {
  const row = await ctx.tx
    .selectFrom("export_files")
    .selectAll()
    .where("owner_user_id", "=", ctx.principal.id)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound("导出记录");
  return row;
}
