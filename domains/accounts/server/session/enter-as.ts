import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { startSession } from "./start-session.ts";

/** The session of somebody who was let in without a password, in the transaction that let them in; its audit row names them. */
export async function enterAs(ctx: Ctx, tx: Transaction, userId: string, rememberMe: boolean | undefined): Promise<string> {
  const token = await startSession(tx, ctx.services, {
    userId,
    limits: rememberMe ? "remembered" : "normal",
    ip: ctx.incoming.ip,
    device: ctx.incoming.headers["user-agent"],
  });
  const user = await tx
    .selectFrom("users")
    .select(["login", "service_provider_id", "merchant_id"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  await ctx.audit(tx, {
    userId,
    login: user.login,
    provider: user.service_provider_id ?? undefined,
    merchant: user.merchant_id ?? undefined,
    targetKind: "user",
    targetId: userId,
  });
  return token;
}
