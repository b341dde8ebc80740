import { implement, type Ctx } from "@zhangfang/server/call.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { forbidden } from "@zhangfang/server/errors.ts";
import { once } from "@zhangfang/server/idempotency.ts";
import { levelCreates, ONE_TIME_MS, type Level } from "../../../accounts/contract/index.ts";
import { addUser, hashPassword, makeOneTime } from "../../../accounts/server/index.ts";
import { addAgentAccount as endpoint } from "../../contract/index.ts";
import { addAgent } from "../add/add-agent.ts";

/**
 * 新建代理商 with its first account. The password is made here, kept as its hash alone and told in the first answer; the
 * same request again finds what it made and no password.
 */
export const addAgentAccount = implement(endpoint, async (ctx, { requestId, ...given }) => {
  const password = makeOneTime();
  const hash = await hashPassword(password);
  return ctx.transaction(async (tx) => {
    let fresh = false;
    const asked = { actor: `user:${ctx.principal.id}`, key: requestId, endpoint: endpoint.path, input: given, now: ctx.now };
    const made = await once(tx, asked, async () => {
      fresh = true;
      return makeAgent(ctx, tx, given, hash);
    });
    return { ...made, expiresAt: made.expiresAt as never, password: fresh ? password : null };
  });
});

async function makeAgent(ctx: Ctx, tx: Transaction, given: Omit<ParsedOf<typeof endpoint>, "requestId">, passwordHash: string) {
  const { provider, level } = ctx.scope;
  if (provider === undefined || !levelCreates[level as Level].includes("AG")) throw forbidden();
  const { login, ...facts } = given;
  const id = await addAgent(tx, ctx.services, { ...facts, serviceProviderId: provider });
  const expiresAt = new Date(ctx.now_ms + ONE_TIME_MS).toISOString();
  await addUser(
    tx,
    ctx.services,
    { login, firstName: given.contactName, level: "AG", serviceProviderId: provider, nodeId: id },
    passwordHash,
    { createdBy: ctx.principal.id, oneTimeUntil: expiresAt },
  );
  const { contactName: _name, contactPhone: _phone, ...told } = given;
  await ctx.audit(tx, { targetKind: "agent", targetId: id, after: told, provider });
  return { id, login, expiresAt };
}
