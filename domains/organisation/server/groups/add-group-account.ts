import { implement } from "@zhangfang/server/calls/call.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import { levelCreates, type Level } from "../../../accounts/contract/index.ts";
import { addGroupAccount } from "../../contract/index.ts";
import { addBusinessGroup } from "../add/add-business-group.ts";
import { addWithAccount } from "../add/add-with-account.ts";

/** 新建业务集团 with its first account. */
export const addGroupAccountRoute = implement(addGroupAccount, (ctx, { requestId, ...given }) =>
  addWithAccount(ctx, addGroupAccount, requestId, given, async (tx, account) => {
    const { provider, level } = ctx.scope;
    if (provider === undefined || !levelCreates[level as Level].includes("GP")) throw forbidden();
    const { login, ...facts } = given;
    const id = await addBusinessGroup(tx, ctx.services, { ...facts, serviceProviderId: provider });
    await account.add(tx, { login, firstName: given.leader, level: "GP", serviceProviderId: provider, nodeId: id });
    await ctx.audit(tx, { targetKind: "group", targetId: id, after: { name: given.name, login }, provider });
    return { id, login };
  }),
);
