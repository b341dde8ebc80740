import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listSessions } from "../../contract/sign-in.ts";
import { sessionOf } from "./read-session.ts";

/** The caller's live sessions, this one first, those in which somebody above acts for the caller included. */
export const listSessionsRoute = implement(listSessions, async (ctx) => {
  const { session_id } = sessionOf(ctx.principal);
  const rows = await ctx.tx
    .selectFrom("sessions")
    .select([
      "id",
      "ip",
      "device",
      "created_at",
      "seen_at",
      "expires_at",
      "remember",
      sql<string | null>`app.login_of(actor_user_id)`.as("actor_login"),
    ])
    .where("user_id", "=", ctx.principal.id)
    .where("ended_at", "is", null)
    .where("expires_at", ">", ctx.now)
    .where(sql<boolean>`seen_at + idle_ms * interval '1 millisecond' > ${ctx.now}`)
    .orderBy(sql`id = ${session_id}`, "desc")
    .orderBy("seen_at", "desc")
    .limit(100)
    .execute();
  return {
    items: rows.map((row) => ({
      id: row.id,
      current: row.id === session_id,
      ip: row.ip,
      device: row.device,
      createdAt: row.created_at as never,
      seenAt: row.seen_at as never,
      expiresAt: row.expires_at as never,
      remember: row.remember,
      actorLogin: row.actor_login,
    })),
  };
});
