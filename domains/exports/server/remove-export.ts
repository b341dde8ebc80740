import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { removeExport } from "../contract.ts";
import { deleteFile } from "./download/delete-file.ts";
import { ownExport } from "./own-export.ts";

/** The record stays as 已删除; the file goes after the commit. A download that has begun still ends. */
export const removeExportRoute: Route = implement(removeExport, async (ctx, { id }) => {
  const row = await ownExport(ctx, id);
  const changed = await ctx.tx
    .updateTable("export_files")
    .set({ status: 3, file_key: null })
    .where("owner_user_id", "=", row.owner_user_id)
    .where("id", "=", id)
    .where("status", "in", [1, 2])
    .executeTakeFirst();
  mustChange(changed, () => conflict(row.status === 0 ? "正在生成，请先取消" : "已经删除"));
  if (row.file_key) await ctx.services.jobs.enqueue(ctx.tx, deleteFile, { fileKey: row.file_key });
  ctx.note({ targetKind: "export_file", targetId: id, before: { name: row.name } });
  return { ok: true as const };
});
