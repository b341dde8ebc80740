import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { endUserSessions } from "../../../contract/users.ts";
import { endSessions } from "../../session/end-sessions.ts";
import { mayAdminister } from "../account-rules.ts";
import { actorOf, readTargets } from "../read-target.ts";

/** Signs an account out everywhere at once; it may sign in again. */
export const endUserSessionsRoute = implement(endUserSessions, async (ctx, { id }) => {
  const [target] = await readTargets(ctx.tx, ctx.scope, [id]);
  if (!target || !mayAdminister(actorOf(ctx.principal), target)) throw notFound("账号");
  const ended = await endSessions(ctx.tx, ctx.services, { userIds: [id] }, "强制退出");
  ctx.note({
    targetKind: "user",
    targetId: id,
    after: { login: target.login, ended },
    provider: target.provider ?? undefined,
    merchant: target.merchant ?? undefined,
  });
  return { ended };
});
