import { z } from "zod";
import { type Author, implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { levelCreates, type Level } from "../../../accounts/contract/index.ts";
import { addMerchantAccount, type newMerchantFacts } from "../../contract/index.ts";
import { addWithAccount, type FirstAccount } from "../add/add-with-account.ts";
import { addMerchant } from "../add/add-merchant.ts";
import { checkNodes } from "../assignments/check-nodes.ts";

export type NewMerchant = z.output<typeof newMerchantFacts>;

/** 新建商户 with its first account. */
export const addMerchantAccountRoute = implement(addMerchantAccount, (ctx, { requestId, ...given }) =>
  addWithAccount(ctx, addMerchantAccount, requestId, given, (tx, account) => makeMerchant(ctx, tx, given, account)),
);

/** Makes a merchant under the caller, attributed to the caller's own node, with a root account. @throws 400 and 403 */
export async function makeMerchant(ctx: Author, tx: Transaction, given: NewMerchant, account: FirstAccount) {
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
  await account.add(tx, { login, firstName: given.contactName, level: "MCH", serviceProviderId: provider, nodeId: id });
  const { number } = await tx
    .selectFrom("merchants")
    .select("number")
    .where("service_provider_id", "=", provider)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { contactName: _name, contactPhone: _phone, legalPerson: _person, ...told } = given;
  await ctx.audit(tx, { targetKind: "merchant", targetId: id, after: { number, ...told }, provider, merchant: id });
  return { id, number, login };
}
