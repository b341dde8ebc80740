import { sql } from "kysely";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { forbidden, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { rateLevel, type RateLevel } from "../../contract/index.ts";

const TABLE = { provider: ["service_providers", "short_name"], agent: ["agents", "name"], merchant: ["merchants", "short_name"] } as const;
const ITEM = {
  provider: "/admin/serviceProvider/rates",
  agent: "/agent/agent/rates",
  merchant: "/merchants/merchants/rates",
} as const satisfies Record<RateLevel, ItemPath>;

export interface Owner {
  readonly provider: string;
  readonly name: string;
  readonly agent: string | null;
  /** How many rules it has. */
  readonly version: number;
}
/** Whose rates are meant, in sight of the caller, who holds the button of that level. @throws 403 and 404 */
export async function findOwner(ctx: Ctx, level: RateLevel, id: string): Promise<Owner> {
  if (!ctx.principal.holds([ITEM[level]])) throw forbidden();
  const [table, name] = TABLE[level];
  const found = await sql<Owner>`
    select x.service_provider_id as provider, x.${sql.ref(name)} as name, ${level === "merchant" ? sql`x.agent_id` : sql`null::uuid`} as agent,
      (select count(*)::int from rate_rules r where r.service_provider_id = x.service_provider_id and r.level = ${level} and r.owner_id = x.id) as version
    from ${sql.table(table)} x where x.id = ${id} and ${inScope(ctx.scope, "x")}`.execute(ctx.tx);
  const owner = found.rows[0];
  if (!owner) throw notFound(rateLevel.label(level));
  return owner;
}
