import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { setUserState } from "../../../contract/users.ts";
import { endSessions } from "../../session/end-sessions.ts";
import { mayAdminister } from "../account-rules.ts";
import { actorOf, readTargets } from "../read-target.ts";

/** Enables or disables an account below; disabling ends its sessions at once, and the last root of a node stays. */
export const setUserStateRoute = implement(setUserState, async (ctx, { id, state }) => {
  const [target] = await readTargets(ctx.tx, ctx.scope, [id]);
  if (!target || !mayAdminister(actorOf(ctx.principal), target)) throw notFound("账号");
  if (state === "disabled" && target.login === target.rootLogin) await keepOneRoot(ctx.tx, id);
  mustChange(await ctx.tx.updateTable("users").set({ state }).where("id", "=", id).where("state", "<>", state).executeTakeFirst(), () =>
    conflict(state === "active" ? "账号已是启用状态" : "账号已是停用状态"),
  );
  if (state === "disabled") await endSessions(ctx.tx, ctx.services, { userIds: [id] }, "账号停用");
  ctx.note({
    targetKind: "user",
    targetId: id,
    before: { state: target.state },
    after: { state },
    provider: target.provider ?? undefined,
    merchant: target.merchant ?? undefined,
  });
  return { ok: true as const };
});

// All roots of the node are locked in one order, so that two who disable the last two wait for one another.
async function keepOneRoot(tx: Transaction, id: string): Promise<void> {
  const roots = await sql<{ id: string }>`
    select r.id from users r join users u on u.id = ${id}
    where r.level = u.level and r.login = r.root_login and r.state = 'active'
      and (r.service_provider_id, r.agent_id, r.business_group_id, r.business_team_id, r.salesman_id, r.merchant_id)
        is not distinct from (u.service_provider_id, u.agent_id, u.business_group_id, u.business_team_id, u.salesman_id, u.merchant_id)
    order by r.id for update of r`.execute(tx);
  if (roots.rows.every((row) => row.id === id)) throw conflict("最后一个主账号不能停用，可停用所属机构", "account.last-root");
}
