import { sql, type RawBuilder } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listAccountNodes } from "../../contract/users.ts";
import { levelCreates, type Level } from "../../contract/levels.ts";
import { actorOf } from "./read-target.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";

const TABLES: Readonly<Partial<Record<Level, { table: string; name: string }>>> = {
  AG: { table: "agents", name: "name" },
  GP: { table: "business_groups", name: "name" },
  TM: { table: "business_teams", name: "name" },
  SM: { table: "salesmen", name: "name" },
  MCH: { table: "merchants", name: "short_name" },
};

/** Open nodes of a level that the caller adds accounts to. */
export const listAccountNodesRoute = implement(listAccountNodes, async (ctx, { level, serviceProviderId, keyword }) => {
  const actor = actorOf(ctx.principal);
  if (!levelCreates[actor.level].includes(level)) return { items: [] };
  const like = keyword && likeText(keyword);
  const named = (column: string): RawBuilder<unknown> => (like ? sql`and ${sql.ref(column)} ilike ${like}` : sql``);
  if (level === "SP") {
    const found = await sql<{ id: string; name: string }>`
      select n.id, n.short_name as name from service_providers n where n.state = 'active' and ${inProviders(ctx.scope)}
        ${serviceProviderId ? sql`and n.id = ${serviceProviderId}` : sql``} ${named("n.short_name")}
      order by n.created_at, n.id limit 50`.execute(ctx.tx);
    return { items: found.rows };
  }
  const node = TABLES[level];
  if (!node) return { items: [] };
  const found = await sql<{ id: string; name: string }>`
    select n.id, ${sql.ref(`n.${node.name}`)} as name from ${sql.table(node.table)} n
    where n.state = 'active' and ${inScope(ctx.scope, "n")} ${serviceProviderId ? sql`and n.service_provider_id = ${serviceProviderId}` : sql``}
      ${named(`n.${node.name}`)}
    order by n.created_at, n.id limit 50`.execute(ctx.tx);
  return { items: found.rows };
});
// The platform alone adds accounts of providers.
const inProviders = ({ level }: { level: string }): RawBuilder<boolean> => sql`${level === "ADMIN"}`;
