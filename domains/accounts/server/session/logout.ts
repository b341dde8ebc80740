import { implement } from "@zhangfang/server/calls/call.ts";
import { logout } from "../../contract/sign-in.ts";
import { sessionOf } from "./read-session.ts";

/**
 * Ends the session that asks: the token is dead on the server, not only forgotten by the browser. Those that it made to act for
 * somebody end with it; they are looked for once it has ended, when nothing more can come of it.
 */
export const logoutRoute = implement(logout, async (ctx) => {
  const session = sessionOf(ctx.principal);
  await ctx.tx
    .updateTable("sessions")
    .set({ ended_at: ctx.now, ended_why: "退出登录" })
    .where("id", "=", session.session_id)
    .where("ended_at", "is", null)
    .execute();
  await ctx.tx
    .updateTable("sessions")
    .set({ ended_at: ctx.now, ended_why: "代管人退出登录" })
    .where("made_by", "=", session.session_id)
    .where("ended_at", "is", null)
    .execute();
  ctx.note({ targetKind: "session", targetId: session.session_id });
  return { ok: true as const };
});
