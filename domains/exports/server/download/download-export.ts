import { implement, type Ctx, type Route } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { FileAnswer } from "@zhangfang/server/files/file-answer.ts";
import { openFiles } from "@zhangfang/server/files/files.ts";
import { absentUser } from "../../../accounts/server/index.ts";
import { downloadExport } from "../../contract.ts";

const CONTENT_TYPE: Readonly<Record<string, string>> = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
};
const gone = () => new Refusal(410, "export.link-gone", "下载链接已失效，请回到导出记录重新下载");

/** Spends the ticket and answers the file; each download is in the audit log under its user's name. */
export const downloadExportRoute: Route = implement(downloadExport, async (ctx, { ticket }): Promise<FileAnswer> => {
  const found = await ctx.platform("download-export", (tx) => spendTicket(ctx, tx, ticket));
  const { stream, size_bytes } = await openFiles(ctx.services.config)
    .read(found.file_key)
    .catch(() => {
      throw gone();
    });
  return { stream, size_bytes, fileName: found.name, contentType: CONTENT_TYPE[found.format] ?? "application/octet-stream" };
});

async function spendTicket(ctx: Ctx, tx: Ctx["tx"], ticket: string) {
  const spent = await tx
    .updateTable("export_tickets")
    .set({ used_at: ctx.now })
    .where("ticket_hash", "=", sha256(ticket))
    .where("used_at", "is", null)
    .where("expires_at", ">", ctx.now)
    .returning(["owner_user_id", "export_id", "actor_user_id"])
    .executeTakeFirst();
  if (!spent) throw gone();
  const file = await tx
    .selectFrom("export_files as f")
    .innerJoin("users as u", "u.id", "f.owner_user_id")
    .select(["f.name", "f.format", "f.file_key", "f.scope", "f.service_provider_id", "u.login", "u.merchant_id"])
    .where("f.owner_user_id", "=", spent.owner_user_id)
    .where("f.id", "=", spent.export_id)
    .where("f.status", "=", 1)
    .executeTakeFirst();
  // Between the link and the click the account may have been closed or narrowed.
  const maker = await absentUser(tx, spent.owner_user_id);
  if (!file?.file_key || maker?.scope.text !== file.scope) throw gone();
  await ctx.audit(tx, {
    targetKind: "export_file",
    targetId: spent.export_id,
    after: { name: file.name, ...(spent.actor_user_id && { actorUserId: spent.actor_user_id }) },
    userId: spent.owner_user_id,
    login: file.login,
    provider: file.service_provider_id ?? undefined,
    merchant: file.merchant_id ?? undefined,
  });
  return { name: file.name, format: file.format, file_key: file.file_key };
}
