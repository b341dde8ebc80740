import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { getGrant, setGrant } from "../../../contract/grants.ts";
import { heldItems } from "../../../contract/menu.ts";
import { endSessions } from "../../session/end-sessions.ts";
import { isAbove } from "../account-rules.ts";
import { actorOf, readTargets, type TargetRow } from "../read-target.ts";
import { treeOf } from "./grantable.ts";
import { liveAt } from "../user-columns.ts";

/** What a root account below holds of what its level holds. */
export const getGrantRoute = implement(getGrant, async (ctx, { id }) => {
  const target = await readRootBelow(ctx, id);
  const found = await sql<{ granted: string[] | null; accounts: number; sessions: number }>`
    select (select granted from users where id = ${id}) as granted, count(*)::int as accounts,
      coalesce(sum((select count(*) from sessions x where x.user_id = u.id and ${liveAt(ctx.now)})), 0)::int as sessions
    from users u where u.root_login = ${target.login}`.execute(ctx.tx);
  const { granted = null, accounts = 0, sessions = 0 } = found.rows[0] ?? {};
  return { login: target.login, tree: treeOf(heldItems({ level: target.level, root: true, position: null })), granted, accounts, sessions };
});

/**
 * Narrows what a root account below holds. Positions keep what they name and hold what is left of it, from the next call on;
 * everybody under the root signs in again.
 */
export const setGrantRoute = implement(setGrant, async (ctx, { id, items }) => {
  const target = await readRootBelow(ctx, id);
  const all = new Set(heldItems({ level: target.level, root: true, position: null }).flatMap((item) => (item.parentId ? [item.path] : [])));
  if (items?.some((item) => !all.has(item))) throw invalid("items", "只能选择该级别持有的权限");
  const granted = items && [...new Set(items)];
  const before = await ctx.tx.selectFrom("users").select("granted").where("id", "=", id).forUpdate().executeTakeFirst();
  mustChange(await ctx.tx.updateTable("users").set({ granted }).where("id", "=", id).executeTakeFirst(), () => notFound("账号"));
  const under = await ctx.tx.selectFrom("users").select("id").where("root_login", "=", target.login).execute();
  const ended = await endSessions(ctx.tx, ctx.services, { userIds: under.map((user) => user.id) }, "权限变更");
  ctx.note({
    targetKind: "user",
    targetId: id,
    before: { items: before?.granted ?? null },
    after: { login: target.login, items: granted },
    provider: target.provider ?? undefined,
    merchant: target.merchant ?? undefined,
  });
  return { ended };
});

async function readRootBelow(ctx: Ctx, id: string): Promise<TargetRow> {
  const [target] = await readTargets(ctx.tx, ctx.scope, [id]);
  if (!target || target.login !== target.rootLogin || !isAbove(actorOf(ctx.principal), target)) throw notFound("账号");
  return target;
}
