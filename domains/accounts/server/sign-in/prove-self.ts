import type { AuditNote, Ctx } from "@zhangfang/server/calls/ctx.ts";
import { invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { sessionOf } from "../session/read-session.ts";
import { checkAttempt, countFailure, forgetFailures, owe, owes, settle, type Attempt } from "./guard-attempts.ts";
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
  const failed = () => {
    owe(tried.login, () => ctx.platform("own password", (tx) => countFailure(tx, tried, ctx.now_ms)));
    return settle(tried.login);
  };
  const hash = await takeTurns(tried.login, async () => {
    await settle(tried.login);
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

/** A secret that several people know. */
export interface SharedSecret {
  /** Whose it is. @example "refund-password 0199…" */
  readonly name: string;
  /** What the audit row of a wrong one says. */
  readonly note: AuditNote;
}

/**
 * Whether the caller knows a secret that several people know. Guesses are slowed like those at a sign-in, for each person alone, so that nobody
 * shuts out another. A wrong one is counted and recorded once the call has ended in its no: the caller throws. Until
 * that is written nothing more is looked at in this process: at most one for each server gets past the lock.
 * @param tx that of the call, or the handler's own
 * @throws 429 while it is locked
 */
export async function proveSecret(
  ctx: Pick<Ctx, "principal" | "now_ms" | "platform" | "audit" | "afterRefusal">,
  tx: Transaction,
  { name, note }: SharedSecret,
  look: () => Promise<boolean>,
): Promise<boolean> {
  const tried: Attempt = { login: `${name} ${ctx.principal.actorId ?? ctx.principal.id}`, network: "self", known: true };
  return takeTurns(tried.login, async () => {
    const count = () => settle(tried.login);
    // The lock that it sets may come any moment; this one would slip through before it. This call holds a connection, and counts at its end.
    if (owes(tried.login)) {
      ctx.afterRefusal(count);
      throw new Refusal(429, "busy", "尝试次数过多，请稍后再试", undefined, { "retry-after": "1" });
    }
    const { failures } = await checkAttempt(tx, tried, ctx.now_ms);
    if (await look()) {
      if (failures > 0) await forgetFailures(tx, tried.login);
      return true;
    }
    const write = async (own: Transaction) => {
      await countFailure(own, tried, ctx.now_ms);
      await ctx.audit(own, note);
    };
    owe(tried.login, () => ctx.platform("a wrong secret", write));
    ctx.afterRefusal(count);
    return false;
  });
}
