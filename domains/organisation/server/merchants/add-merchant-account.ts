import { z } from "zod";
import { type Author, implement } from "@zhangfang/server/call.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { forbidden, invalid } from "@zhangfang/server/errors.ts";
import { once } from "@zhangfang/server/idempotency.ts";
import { levelCreates, ONE_TIME_MS, type Level } from "../../../accounts/contract/index.ts";
import { addUser, hashPassword, makeOneTime } from "../../../accounts/server/index.ts";
import { addMerchantAccount as endpoint, type newMerchantFacts } from "../../contract/index.ts";
import { addMerchant } from "../add/add-merchant.ts";
import { checkNodes } from "../assignments/check-nodes.ts";

export type NewMerchant = z.output<typeof newMerchantFacts>;

/**
 * 新建商户 with its first account. The password is made here, kept as its hash alone and told in the first answer; the same
 * request again finds what it made and no password.
 */
export const addMerchantAccount = implement(endpoint, async (ctx, { requestId, ...given }) => {
  const password = makeOneTime();
  const hash = await hashPassword(password);
  return ctx.transaction(async (tx) => {
    let fresh = false;
    const asked = { actor: `user:${ctx.principal.id}`, key: requestId, endpoint: endpoint.path, input: given, now: ctx.now };
    const made = await once(tx, asked, async () => {
      fresh = true;
      return makeMerchant(ctx, tx, given, hash);
    });
    return { ...made, expiresAt: made.expiresAt as never, password: fresh ? password : null };
  });
});

/**
 * Makes a merchant under the caller, attributed to the caller's own node, with a root account,
 * whose password is good for one use until `oneTimeUntil_ms`. @throws 400 and 403
 */
export async function makeMerchant(
  ctx: Author,
  tx: Transaction,
  given: NewMerchant,
  passwordHash: string,
  oneTimeUntil_ms = ctx.now_ms + ONE_TIME_MS,
) {
  const { scope } = ctx;
  const provider = scope.provider;
  if (provider === undefined || !levelCreates[scope.level as Level].includes("MCH")) throw forbidden();
  if (given.feeRate !== undefined && scope.level !== "SP") throw invalid("feeRate", "费率由服务商设置");
  const { login, feeRate, ...facts } = given;
  await checkNodes(tx, scope, provider, given);
  const parent = await tx.selectFrom("service_providers").select("fee_rate").where("id", "=", provider).executeTakeFirstOrThrow();
  const id = await addMerchant(tx, ctx.services, {
    ...facts,
    serviceProviderId: provider,
    feeRate: feeRate ?? parent.fee_rate,
    // Whoever is an agent or a team adds to itself.
    ...(scope.level === "AG" && { agentId: scope.agent }),
    ...(scope.level === "TM" && { businessTeamId: scope.team }),
  });
  const expiresAt = new Date(oneTimeUntil_ms).toISOString();
  await addUser(
    tx,
    ctx.services,
    { login, firstName: given.contactName, level: "MCH", serviceProviderId: provider, nodeId: id },
    passwordHash,
    { createdBy: ctx.principal.id, oneTimeUntil: expiresAt },
  );
  const { number } = await tx
    .selectFrom("merchants")
    .select("number")
    .where("service_provider_id", "=", provider)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { contactName: _name, contactPhone: _phone, legalPerson: _person, ...told } = given;
  await ctx.audit(tx, { targetKind: "merchant", targetId: id, after: { number, ...told }, provider, merchant: id });
  return { id, number, login, expiresAt };
}
