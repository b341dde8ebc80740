import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { sessionOf } from "../session/read-session.ts";
import { checkAttempt, countFailure, forgetFailures, type Attempt } from "./guard-attempts.ts";
import { verifyPassword } from "./hash-password.ts";
import { takeTurns } from "./take-turns.ts";

/** Somebody who has just shown that they know the password of their session's account. */
export interface Proven {
  /** Of the password that was shown, for the guard of whatever is changed. */
  readonly hash: string;
  /** Counts a failure of what else they have to know. */
  failed(): Promise<void>;
  /** Forgets the failures, in the transaction of what is done. */
  done(tx: Parameters<typeof forgetFailures>[0]): Promise<void>;
}

/**
 * Asks for the account's own password before something that a stolen session must not do. Guesses are slowed like a sign-in,
 * and held apart from the sign-ins, which they must not lock either.
 * @throws 400 at `field`, 429 while it is locked
 */
export async function proveSelf(ctx: Ctx, password: string, field: string, message: string): Promise<Proven> {
  const tried: Attempt = { login: `password-change ${sessionOf(ctx.principal).login}`, network: "self", known: true };
  const failed = async () => void (await ctx.platform("own password", (tx) => countFailure(tx, tried, ctx.now_ms)));
  const hash = await takeTurns(tried.login, async () => {
    await ctx.platform("own password", (tx) => checkAttempt(tx, tried, ctx.now_ms));
    const user = await ctx.transaction(
      (tx) => tx.selectFrom("users").select("password_hash").where("id", "=", ctx.principal.id).executeTakeFirstOrThrow(),
      { readOnly: true },
    );
    if (await verifyPassword(user.password_hash, password)) return user.password_hash;
    await failed();
    throw invalid(field, message);
  });
  return { hash, failed, done: (tx) => forgetFailures(tx, tried.login) };
}
