import { sql, type RawBuilder } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { listAssignments } from "../../contract/index.ts";
import { mayUndo } from "./assignment-rules.ts";

type Item = OutputOf<typeof listAssignments>["items"][number];
type Found = Omit<Item, "to" | "cancellable" | "setBy"> & {
  readonly sets: readonly Item["to"][number]["kind"][];
  readonly setByName: string;
  readonly setLevel: Scope["level"];
} & Record<"agentName" | "teamName" | "salesmanName" | "agentId" | "teamId" | "salesmanId", string | null>;

/** 预约移交: what was decided for merchants in sight, those decided together as one. */
export const listAssignmentsRoute = implement(listAssignments, async (ctx, { merchantId, salesmanId }) => {
  const { scope } = ctx;
  const monthAgo = new Date(ctx.now_ms - 30 * 86_400_000).toISOString();
  const one = (column: string, value: string | undefined) => (value === undefined ? sql`` : sql`and ${sql.ref(column)} = ${value}`);
  const { rows } = await sql<Found>`
    select x.*, a.name as "agentName", t.name as "teamName", s.name as "salesmanName" from (
      select r.service_provider_id, r.batch_id as id, r.status, r.effective_from as "effectiveFrom", r.sets, r.why,
        r.to_agent_id as "agentId", r.to_business_team_id as "teamId", r.to_salesman_id as "salesmanId",
        r.set_by_name as "setByName", r.set_level as "setLevel", r.created_at as "setAt", count(*)::int as "merchantCount",
        (array_agg(m.short_name order by m.short_name, m.id))[1:3] as "merchantNames"
      from merchant_assignments r
      join merchants m on m.service_provider_id = r.service_provider_id and m.id = r.merchant_id
      where ${inScope(scope, "m")} and (r.status = 0 or r.status = 3 and r.closed_at > ${monthAgo})
        ${one("m.id", merchantId)} ${one("m.salesman_id", salesmanId)}
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
      order by r.status, r.effective_from, r.batch_id limit 100) x
    left join agents a on a.service_provider_id = x.service_provider_id and a.id = x."agentId" and ${seen(scope, "a", ["AG"])}
    left join business_teams t on t.service_provider_id = x.service_provider_id and t.id = x."teamId" and ${seen(scope, "t", ["GP", "TM"])}
    left join salesmen s on s.service_provider_id = x.service_provider_id and s.id = x."salesmanId" and ${inScope(scope, "s")}
    order by x.status, x."effectiveFrom", x.id`.execute(ctx.tx);
  return { items: rows.map((row) => itemOf(scope, row)) };
});

/** Agents and teams stand beside each other: neither sees the other's. */
const seen = (scope: Scope, alias: string, levels: readonly Scope["level"][]): RawBuilder<boolean> =>
  ["ADMIN", "SP", ...levels].includes(scope.level) ? inScope(scope, alias) : sql<boolean>`false`;

function itemOf(scope: Scope, { sets, setByName, setLevel, ...row }: Found): Item {
  const to = sets.map((kind) => ({ kind, name: row[`${kind}Name`], taken: row[`${kind}Id`] === null }));
  const own = mayUndo(scope.level, setLevel);
  return { ...row, to, setBy: own ? setByName : null, cancellable: own && row.status === 0 };
}
