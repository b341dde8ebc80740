import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { once } from "@zhangfang/server/calls/idempotency.ts";
import { ONE_TIME_MS } from "../../../accounts/contract/index.ts";
import { addUser, hashPassword, makeOneTime } from "../../../accounts/server/index.ts";

/** The first account of a node that is being made. */
export interface FirstAccount {
  add(tx: Transaction, user: Parameters<typeof addUser>[2]): Promise<void>;
}

/**
 * Adds a node with its first account. The password is made here, kept as its hash alone and told in the first answer; the same
 * request again finds what it made and no password. Hashing holds no connection.
 * @param make adds the node and its account
 * @throws what `make` throws; 409 at the same request number with another content
 */
export async function addWithAccount<T extends { readonly id: string; readonly login: string }>(
  ctx: Ctx,
  endpoint: Endpoint,
  requestId: string,
  given: object,
  make: (tx: Transaction, account: FirstAccount) => Promise<T>,
): Promise<T & { readonly password: string | null; readonly expiresAt: never }> {
  const password = makeOneTime();
  const hash = await hashPassword(password);
  const expiresAt = new Date(ctx.now_ms + ONE_TIME_MS).toISOString();
  return ctx.transaction(async (tx) => {
    let fresh = false;
    const asked = { actor: `user:${ctx.principal.id}`, key: requestId, endpoint: endpoint.path, input: given, now: ctx.now };
    const add: FirstAccount["add"] = async (own, user) =>
      void (await addUser(own, ctx.services, user, hash, { createdBy: ctx.principal.id, oneTimeUntil: expiresAt }));
    const made = await once(tx, asked, async () => {
      fresh = true;
      return { ...(await make(tx, { add })), expiresAt };
    });
    return { ...made, expiresAt: made.expiresAt as never, password: fresh ? password : null };
  });
}
