import type { AuditNote, Ctx } from "@zhangfang/server/calls/ctx.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { type Attempt, checkAttempt, countFailure, forgetFailures } from "./guard-attempts.ts";
import { takeTurns } from "./take-turns.ts";

/** A secret that several people know. */
export interface SharedSecret {
  /** Whose it is. @example "refund-password 0199…" */
  readonly name: string;
  /** What the audit row of a wrong one says. */
  readonly note: AuditNote;
}

/** Whose wrong one was found in this process and is being counted. */
const uncounted = new Set<string>();

/**
 * Whether the caller knows a secret that several people know. Guesses are slowed like those at a sign-in, for each person alone, so that nobody
 * shuts out another. A wrong one is counted and recorded once the call has ended in its no: the caller throws.
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
    // The lock that it sets may come any moment; this one would slip through before it.
    if (uncounted.has(tried.login)) throw new Refusal(429, "busy", "尝试次数过多，请稍后再试", undefined, { "retry-after": "1" });
    const { failures } = await checkAttempt(tx, tried, ctx.now_ms);
    if (await look()) {
      if (failures > 0) await forgetFailures(tx, tried.login);
      return true;
    }
    uncounted.add(tried.login);
    ctx.afterRefusal(() => count(ctx, tried, note));
    return false;
  });
}
async function count(ctx: Pick<Ctx, "now_ms" | "platform" | "audit">, tried: Attempt, note: AuditNote): Promise<void> {
  try {
    await ctx.platform("a wrong secret", async (tx) => {
      await countFailure(tx, tried, ctx.now_ms);
      await ctx.audit(tx, note);
    });
  } finally {
    uncounted.delete(tried.login);
  }
}
