import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { manualLogin } from "../../contract/sign-in.ts";
import { sessionOf } from "../session/read-session.ts";
import { startSession } from "../session/start-session.ts";
import { isAbove } from "../users/account-rules.ts";
import { actorOf, readTargets } from "../users/read-target.ts";

/**
 * Log in as somebody strictly below, in the same tree, for half an hour. What is not allowed answers as what does not exist.
 * Both sides' audit logs get a row, and every write of the session carries both names.
 */
export const manualLoginRoute = implement(manualLogin, async (ctx, input) => {
  const [target] = await readTargets(ctx.tx, ctx.scope, [input.userId]);
  const named = (given: string | undefined, own: string | null) => !given || given === own;
  if (
    !target ||
    target.state !== "active" ||
    !isAbove(actorOf(ctx.principal), target) ||
    !named(input.serviceProviderId, target.provider) ||
    !named(input.businessTeamId, target.team)
  )
    throw notFound("账号");
  const token = await startSession(ctx.tx, ctx.services, {
    userId: target.id,
    limits: "acting",
    actorId: ctx.principal.id,
    madeBy: sessionOf(ctx.principal).session_id,
    ip: ctx.incoming.ip,
    device: ctx.incoming.headers["user-agent"],
  });
  const note = { targetKind: "user", targetId: target.id, after: { login: target.login, actor: ctx.principal.name } };
  ctx.note(note);
  await ctx.audit(ctx.tx, { ...note, provider: target.provider ?? undefined, merchant: target.merchant ?? undefined });
  return token;
});
