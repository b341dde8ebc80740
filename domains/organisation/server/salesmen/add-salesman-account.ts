import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { levelCreates, type Level } from "../../../accounts/contract/index.ts";
import { addSalesmanAccount } from "../../contract/index.ts";
import { addSalesman } from "../add/add-salesman.ts";
import { addWithAccount, type FirstAccount } from "../add/add-with-account.ts";
import { checkNodes } from "../assignments/check-nodes.ts";
import { maskAnyPhone } from "../merchants/list/merchant-columns.ts";

/** 新建业务员 with his account, below the caller: an agent's own, a team's own, of one of a group's teams, or anywhere of a provider. */
export const addSalesmanAccountRoute = implement(addSalesmanAccount, (ctx, { requestId, ...given }) =>
  addWithAccount(ctx, addSalesmanAccount, requestId, given, (tx, account) => makeSalesman(ctx, tx, given, account)),
);

async function makeSalesman(
  ctx: Ctx,
  tx: Transaction,
  given: Omit<ParsedOf<typeof addSalesmanAccount>, "requestId">,
  account: FirstAccount,
) {
  const { level, provider, agent, team } = ctx.scope;
  if (provider === undefined || !levelCreates[level as Level].includes("SM")) throw forbidden();
  if (level === "GP" && given.businessTeamId === undefined) throw invalid("businessTeamId", "请选择业务团队");
  await checkNodes(tx, ctx.scope, provider, given);
  const { login, ...facts } = given;
  const id = await addSalesman(tx, ctx.services, {
    ...facts,
    serviceProviderId: provider,
    ...(level === "AG" && { agentId: agent }),
    ...(level === "TM" && { businessTeamId: team }),
  });
  await account.add(tx, { login, firstName: given.name, level: "SM", serviceProviderId: provider, nodeId: id });
  await ctx.audit(tx, { targetKind: "salesman", targetId: id, after: { ...given, phone: maskAnyPhone(given.phone) }, provider });
  return { id, login };
}
