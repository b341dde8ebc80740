import { implement, type Ctx } from "@zhangfang/server/call.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { forbidden } from "@zhangfang/server/errors.ts";
import { once } from "@zhangfang/server/idempotency.ts";
import { levelCreates, ONE_TIME_MS, type Level } from "../../../accounts/contract/index.ts";
import { addUser, hashPassword, makeOneTime } from "../../../accounts/server/index.ts";
import { addProviderAccount as endpoint } from "../../contract/index.ts";
import { addServiceProvider } from "../add/add-service-provider.ts";
import { checkTerm, noteStep } from "./contract/contract-steps.ts";
import { quotaColumns } from "./quota-columns.ts";

/**
 * 新建服务商 with its first account. The password is made here, kept as its hash alone and told in the first answer; the
 * same request again finds what it made and no password.
 */
export const addProviderAccount = implement(endpoint, async (ctx, { requestId, ...given }) => {
  const password = makeOneTime();
  const hash = await hashPassword(password);
  return ctx.transaction(async (tx) => {
    let fresh = false;
    const asked = { actor: `user:${ctx.principal.id}`, key: requestId, endpoint: endpoint.path, input: given, now: ctx.now };
    const made = await once(tx, asked, async () => {
      fresh = true;
      return makeProvider(ctx, tx, given, hash);
    });
    return { ...made, expiresAt: made.expiresAt as never, password: fresh ? password : null };
  });
});

async function makeProvider(ctx: Ctx, tx: Transaction, given: Omit<ParsedOf<typeof endpoint>, "requestId">, passwordHash: string) {
  if (!levelCreates[ctx.scope.level as Level].includes("SP")) throw forbidden();
  const { login, start, contractFrom, contractUntil, quotas, ...facts } = given;
  if (start === "signed") checkTerm(contractUntil, ctx.now_ms);
  const contract = { contract_state: start, contract_from: contractFrom, contract_until: contractUntil };
  const id = await addServiceProvider(tx, ctx.services, facts, { ...contract, ...quotaColumns(quotas) });
  await noteStep(tx, { provider: id, ...contract, by: ctx.principal.name, at: ctx.now });
  const expiresAt = new Date(ctx.now_ms + ONE_TIME_MS).toISOString();
  await addUser(tx, ctx.services, { login, firstName: given.contactName, level: "SP", serviceProviderId: id }, passwordHash, {
    createdBy: ctx.principal.id,
    oneTimeUntil: expiresAt,
  });
  const { contactName: _name, contactPhone: _phone, ...told } = given;
  await ctx.audit(tx, { targetKind: "provider", targetId: id, after: told, provider: id });
  return { id, login, expiresAt };
}
