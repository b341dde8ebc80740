import { sql, type RawBuilder } from "kysely";
import type { Cents } from "@zhangfang/contract/fields.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import type { RankingKind, Span } from "../../contract/index.ts";
import { payDrill } from "../drills.ts";
import { merchantsFor, standingOf } from "../takings/standing-of.ts";
import { MOVED, RANKED_SUMS, rankedOf, type RankedSums } from "./read-ranking.ts";

/** What each level ranks, its own children first. */
const KINDS: Readonly<Record<string, readonly RankingKind[]>> = {
  ADMIN: ["provider", "agent", "merchant"],
  AG: ["merchant"],
  GP: ["team", "merchant"],
  TM: ["merchant"],
  SM: ["merchant"],
};
const COLUMN: Readonly<Record<RankingKind, string>> = {
  provider: "service_provider_id",
  agent: "agent_id",
  team: "business_team_id",
  merchant: "merchant_id",
};
const FILTER: Readonly<Record<RankingKind, string>> = {
  provider: "serviceProviderId",
  agent: "agentId",
  team: "businessTeamId",
  merchant: "merchantId",
};
const TOP = 10;

interface Standing extends RankedSums {
  readonly kind: RankingKind | "province" | "active";
  readonly merchants: number;
}

/**
 * Who took how much in a span: rankings, provinces, and how many merchants took anything. The months and days are added up
 * once, by merchant and attribution; the groups are made of that.
 */
export async function readStandings(tx: Transaction, scope: Scope, span: Span) {
  const kinds = KINDS[scope.level] ?? [];
  const parts = standingOf(scope, span, merchantsFor(scope), FACTS, RANKED_SUMS);
  const { rows } = await sql<Standing>`
    with facts as materialized (
      select f.service_provider_id, f.agent_id, f.business_team_id, f.merchant_id, ${SUMS_OF_FACTS} from (${parts}) f group by 1, 2, 3, 4 having ${MOVED}),
    sets as (${sql.join([...kinds.map(rankingSet), PROVINCES, activeOf(scope)], sql` union all `)}),
    top as (select s.*, count(*) over (partition by s.kind) as of, row_number() over (partition by s.kind order by s.paid_cents desc, s.id) as place from sets s)
    select top.*, ${NAME} as name from top where top.place <= ${TOP} or top.kind = 'province' order by top.kind, top.place`.execute(tx);
  return {
    active: rows.find((row) => row.kind === "active")?.merchants ?? 0,
    provinces: rows
      .filter((row) => row.kind === "province")
      .map((row) => ({
        province: row.name || null,
        payCount: row.pay_count,
        paidCents: row.paid_cents as Cents,
        refundCents: row.refund_cents as Cents,
        merchants: row.merchants,
      })),
    rankings: kinds.map((kind) => {
      const own = rows.filter((row) => row.kind === kind);
      return { kind, count: own[0]?.of ?? 0, rows: own.map((row) => rankedOf(row, payDrill(span, { [FILTER[kind]]: row.id }))) };
    }),
  };
}

const FACTS = Object.fromEntries(["service_provider_id", "agent_id", "business_team_id", "merchant_id"].map((name) => [name, name]));
const SUMS_OF_FACTS = sql.raw(RANKED_SUMS.map((name) => `sum(f.${name})::bigint as ${name}`).join(", "));

function rankingSet(kind: RankingKind): RawBuilder<unknown> {
  const id = sql.ref(`f.${COLUMN[kind]}`);
  return sql`select ${sql.lit(kind)} as kind, f.service_provider_id, ${id} as id, null as province, ${SUMS_OF_FACTS}, count(distinct f.merchant_id) as merchants
    from facts f where ${id} is not null group by f.service_provider_id, ${id}`;
}
// A merchant that was handed over is out of sight for who had it then: its province is unknown to them.
const PROVINCES = sql`select 'province' as kind, null::uuid as service_provider_id, null::uuid as id, coalesce(m.province, '') as province, ${SUMS_OF_FACTS}, count(distinct f.merchant_id) as merchants
  from facts f left join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id group by coalesce(m.province, '')`;
/** That the merchant of a fact `f` is the caller's yet: only then its list shows it. */
export const stillThere = (scope: Scope): RawBuilder<boolean> =>
  sql<boolean>`f.merchant_id in (select m.id from merchants m where ${inScope(scope, "m", scope.stores ? "merchant" : "full")})`;
const activeOf = (scope: Scope) => sql`select 'active' as kind, null::uuid, null::uuid, null, ${SUMS_OF_FACTS},
  count(distinct f.merchant_id) filter (where f.pay_count > 0 and ${stillThere(scope)}) from facts f`;
const NAME = sql`case top.kind when 'province' then top.province
  when 'provider' then (select p.short_name from service_providers p where p.id = top.id)
  when 'agent' then (select a.name from agents a where a.service_provider_id = top.service_provider_id and a.id = top.id)
  when 'team' then (select b.name from business_teams b where b.service_provider_id = top.service_provider_id and b.id = top.id)
  when 'merchant' then app.past_name('merchant', top.service_provider_id, top.id) else '' end`;
