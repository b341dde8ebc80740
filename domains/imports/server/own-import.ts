import { sql } from "kysely";
import type { z } from "zod";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import type { getImport } from "../contract.ts";

const own = (tx: Transaction, ctx: Ctx, id: string) =>
  tx.selectFrom("imports").selectAll().where("owner_user_id", "=", ctx.principal.id).where("id", "=", id);

/** The caller's own import, held until the transaction ends. @throws Refusal 404 for anybody else's */
export async function holdImport(tx: Transaction, ctx: Ctx, id: string) {
  const row = await own(tx, ctx, id).forUpdate().executeTakeFirst();
  if (!row) throw notFound("导入记录");
  return row;
}
/** The caller's own import. @throws Refusal 404 for anybody else's */
export async function readImport(ctx: Ctx, id: string) {
  const row = await own(ctx.tx, ctx, id).executeTakeFirst();
  if (!row) throw notFound("导入记录");
  return row;
}
export type Import = Awaited<ReturnType<typeof readImport>>;
/** Its lines may be changed. @throws 409 while they are being imported, or when what the owner sees has changed */
export function mustRest(ctx: Ctx, found: Import): void {
  if (found.status === 1) throw conflict("正在导入，请等它完成或先停止");
  if (found.scope !== ctx.scope.text) throw conflict("账号的可见范围已变化，请重新上传");
}

/** How many lines stand where. */
export async function countLines(tx: Transaction, owner: string, id: string) {
  const { rows } = await sql<{ bad: number; ready: number; made: number; there: number; total: number }>`
    select count(*) filter (where status = 0)::int as bad, count(*) filter (where status = 1)::int as ready,
      count(*) filter (where status = 2)::int as made, count(*) filter (where status = 3)::int as there, count(*)::int as total
    from import_rows where owner_user_id = ${owner} and import_id = ${id}`.execute(tx);
  return rows[0]!;
}
/** As it is told. */
export async function shownImport(tx: Transaction, row: Import): Promise<z.input<typeof getImport.output>> {
  return {
    id: row.id,
    source: row.source,
    fileName: row.file_name,
    status: row.status as 0,
    counts: await countLines(tx, row.owner_user_id, row.id),
    failure: row.failure,
    createdAt: row.created_at as never,
    finishedAt: row.finished_at as never,
    expiresAt: row.expires_at as never,
  };
}
