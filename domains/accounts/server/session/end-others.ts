import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { sessionOf } from "./read-session.ts";

/**
 * Ends every session of the caller but this one, those that act for the caller or in the caller's name included.
 * @returns how many
 */
export async function endOthers(tx: Transaction, { principal, now }: Pick<Ctx, "principal" | "now">, why: string): Promise<number> {
  const ended = await tx
    .updateTable("sessions")
    .set({ ended_at: now, ended_why: why })
    .where((where) => where.or([where("user_id", "=", principal.id), where("actor_user_id", "=", principal.id)]))
    .where("id", "<>", sessionOf(principal).session_id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}
