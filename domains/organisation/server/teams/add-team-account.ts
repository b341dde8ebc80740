import { implement } from "@zhangfang/server/calls/call.ts";
import { forbidden } from "@zhangfang/server/calls/errors.ts";
import { levelCreates, type Level } from "../../../accounts/contract/index.ts";
import { addTeamAccount } from "../../contract/index.ts";
import { addBusinessTeam } from "../add/add-business-team.ts";
import { addWithAccount } from "../add/add-with-account.ts";
import { checkGroup } from "./check-group.ts";

/** 新建业务团队 with its first account, in a group, in none, or in the group that adds it. */
export const addTeamAccountRoute = implement(addTeamAccount, (ctx, { requestId, ...given }) =>
  addWithAccount(ctx, addTeamAccount, requestId, given, async (tx, account) => {
    const { provider, level, group } = ctx.scope;
    if (provider === undefined || !levelCreates[level as Level].includes("TM")) throw forbidden();
    const { login, ...facts } = given;
    const businessGroupId = given.businessGroupId ?? (level === "GP" ? group : undefined);
    if (businessGroupId !== undefined) await checkGroup(tx, ctx.scope, provider, businessGroupId);
    const id = await addBusinessTeam(tx, ctx.services, { ...facts, businessGroupId, serviceProviderId: provider });
    await account.add(tx, { login, firstName: given.leader, level: "TM", serviceProviderId: provider, nodeId: id });
    await ctx.audit(tx, { targetKind: "team", targetId: id, after: { name: given.name, businessGroupId, login }, provider });
    return { id, login };
  }),
);
