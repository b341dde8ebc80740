import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import { levelCreates, type Level } from "../../../accounts/contract/index.ts";
import { addAgentAccount } from "../../contract/index.ts";
import { addAgent } from "../add/add-agent.ts";
import { addWithAccount, type FirstAccount } from "../add/add-with-account.ts";

/** 未启用: its contract has to be submitted and approved before anybody signs in. */
const NOT_YET = 0;

/** 新建代理商 with its first account. */
export const addAgentAccountRoute = implement(addAgentAccount, (ctx, { requestId, ...given }) =>
  addWithAccount(ctx, addAgentAccount, requestId, given, (tx, account) => makeAgent(ctx, tx, given, account)),
);

async function makeAgent(ctx: Ctx, tx: Transaction, given: Omit<ParsedOf<typeof addAgentAccount>, "requestId">, account: FirstAccount) {
  const { provider, level } = ctx.scope;
  if (provider === undefined || !levelCreates[level as Level].includes("AG")) throw forbidden();
  const { login, ...facts } = given;
  const id = await addAgent(tx, ctx.services, { ...facts, serviceProviderId: provider }, NOT_YET);
  await account.add(tx, { login, firstName: given.contactName, level: "AG", serviceProviderId: provider, nodeId: id });
  const { contactName: _name, contactPhone: _phone, ...told } = given;
  await ctx.audit(tx, { targetKind: "agent", targetId: id, after: told, provider });
  return { id, login };
}
