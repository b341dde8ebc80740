import { implement } from "@zhangfang/server/call.ts";
import { endOtherSessions as endpoint } from "../../contract/sign-in.ts";
import { sessionOf } from "./read-session.ts";

/** Ends every session of the caller but this one, those that act for the caller or in the caller's name included. */
export const endOtherSessions = implement(endpoint, async (ctx) => {
  const session = sessionOf(ctx.principal);
  const me = ctx.principal.id;
  const ended = await ctx.tx
    .updateTable("sessions")
    .set({ ended_at: ctx.now, ended_why: "退出其他设备" })
    .where((where) => where.or([where("user_id", "=", me), where("actor_user_id", "=", me)]))
    .where("id", "<>", session.session_id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  ctx.note({ targetKind: "user", targetId: me, after: { ended: Number(ended.numUpdatedRows) } });
  return { ended: Number(ended.numUpdatedRows) };
});
