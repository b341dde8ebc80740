import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import { levelCreates, type Level } from "../../../accounts/contract/index.ts";
import { addProviderAccount } from "../../contract/index.ts";
import { addWithAccount, type FirstAccount } from "../add/add-with-account.ts";
import { addServiceProvider } from "../add/add-service-provider.ts";
import { checkTerm, noteStep } from "./contract/contract-steps.ts";
import { quotaColumns } from "./quota-columns.ts";

/** 新建服务商 with its first account. */
export const addProviderAccountRoute = implement(addProviderAccount, (ctx, { requestId, ...given }) =>
  addWithAccount(ctx, addProviderAccount, requestId, given, (tx, account) => makeProvider(ctx, tx, given, account)),
);

async function makeProvider(
  ctx: Ctx,
  tx: Transaction,
  given: Omit<ParsedOf<typeof addProviderAccount>, "requestId">,
  account: FirstAccount,
) {
  if (!levelCreates[ctx.scope.level as Level].includes("SP")) throw forbidden();
  const { login, start, contractFrom, contractUntil, quotas, agentRatioLimit, ...facts } = given;
  if (start === "signed") checkTerm(contractUntil, ctx.now_ms);
  const contract = { contract_state: start, contract_from: contractFrom, contract_until: contractUntil };
  const id = await addServiceProvider(tx, ctx.services, facts, {
    ...contract,
    ...quotaColumns(quotas),
    ...(agentRatioLimit !== undefined && { agent_ratio_limit: agentRatioLimit }),
  });
  await noteStep(tx, { provider: id, ...contract, by: ctx.principal.name, at: ctx.now });
  await account.add(tx, { login, firstName: given.contactName, level: "SP", serviceProviderId: id });
  const { contactName: _name, contactPhone: _phone, ...told } = given;
  await ctx.audit(tx, { targetKind: "provider", targetId: id, after: told, provider: id });
  return { id, login };
}
