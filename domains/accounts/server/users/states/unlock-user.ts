import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { unlockUser } from "../../../contract/users.ts";
import { forgetFailures } from "../../sign-in/guard-attempts.ts";
import { mayAdminister } from "../account-rules.ts";
import { actorOf, readTargets } from "../read-target.ts";

/** Forgets the failed sign-ins of an account, so that it may try again at once; its password stays as it is. */
export const unlockUserRoute = implement(unlockUser, async (ctx, { id }) => {
  const [target] = await readTargets(ctx.tx, ctx.scope, [id]);
  if (!target || !mayAdminister(actorOf(ctx.principal), target)) throw notFound("账号");
  await forgetFailures(ctx.tx, target.login);
  ctx.note({
    targetKind: "user",
    targetId: id,
    after: { login: target.login },
    provider: target.provider ?? undefined,
    merchant: target.merchant ?? undefined,
  });
  return { ok: true as const };
});
