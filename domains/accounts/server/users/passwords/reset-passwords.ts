import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { ONE_TIME_MS, resetPassword, resetPasswords } from "../../../contract/users.ts";
import { endSessions } from "../../session/end-sessions.ts";
import { forgetFailures } from "../../sign-in/guard-attempts.ts";
import { NO_TOTP } from "../../sign-in/totp-secret.ts";
import { hashPassword } from "../../sign-in/hash-password.ts";
import { mayAdminister } from "../account-rules.ts";
import { makeOneTime } from "./make-one-time.ts";
import { actorOf, readTargets } from "../read-target.ts";

/** Resets one account or several, all of them or none. */
export const resetPasswordsRoute = implement(resetPasswords, (ctx, { ids }) => reset(ctx, ids));
export const resetPasswordRoute = implement(resetPassword, async (ctx, { id }) => (await reset(ctx, [id]))[0]!);

/**
 * Gives one-time passwords: shown this once, good for a day, and only to choose a new one with. Sessions end, locks are
 * lifted, the second factor is off (whoever lost the phone comes this way), and whoever resets never learns what is chosen.
 */
async function reset(ctx: Ctx, given: readonly string[]): Promise<OutputOf<typeof resetPasswords>> {
  const ids = [...new Set(given)];
  const actor = actorOf(ctx.principal);
  const made: { id: string; password: string; hash: string }[] = [];
  const allowed = await ctx.transaction((tx) => readTargets(tx, ctx.scope, ids), { readOnly: true });
  if (allowed.length !== ids.length || !allowed.every((target) => mayAdminister(actor, target))) throw notFound("账号");
  for (const id of ids) {
    const password = makeOneTime();
    made.push({ id, password, hash: await hashPassword(password) });
  }
  const expiresAt = new Date(ctx.now_ms + ONE_TIME_MS).toISOString();
  return ctx.transaction(async (tx) => {
    const targets = new Map((await readTargets(tx, ctx.scope, ids)).map((target) => [target.id, target]));
    const answers: OutputOf<typeof resetPasswords> = [];
    for (const { id, password, hash } of made) {
      const target = targets.get(id);
      if (!target || !mayAdminister(actor, target)) throw notFound("账号");
      mustChange(
        await tx
          .updateTable("users")
          .set({ password_hash: hash, must_change_password: true, password_expires_at: expiresAt, ...NO_TOTP })
          .where("id", "=", id)
          .executeTakeFirst(),
        () => notFound("账号"),
      );
      await forgetFailures(tx, target.login);
      await ctx.audit(tx, {
        targetKind: "user",
        targetId: id,
        after: { login: target.login },
        provider: target.provider ?? undefined,
        merchant: target.merchant ?? undefined,
      });
      answers.push({ id, login: target.login, password, expiresAt: expiresAt as never });
    }
    await endSessions(tx, ctx.services, { userIds: ids }, "密码重置");
    return answers;
  });
}
