import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/call.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/errors.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { assignMerchants as endpoint, MOST_ASSIGNED } from "../../contract/index.ts";
import { readAttribution } from "../add/read-attribution.ts";
import { checkNodes } from "./check-nodes.ts";
import { merchantsWhere } from "./merchant-filter.ts";

interface Assigned {
  readonly id: string;
  readonly service_provider_id: string;
  readonly agent_id: string | null;
  readonly business_group_id: string | null;
  readonly business_team_id: string | null;
  readonly salesman_id: string | null;
}

/** 调整商户归属: all of them or none, of one provider, each with an audit row of its own. */
export const assignMerchants = implement(endpoint, async (ctx, { ids, filter, ...wanted }) => {
  const merchants = await lockMerchants(ctx, ids, filter);
  const providers = new Set(merchants.map((merchant) => merchant.service_provider_id));
  if (providers.size > 1) throw invalid("ids", "所选商户属于不同的服务商，请分别调整");
  const [provider] = providers;
  if (provider === undefined) throw notFound("商户");
  const brought = await checkNodes(ctx.tx, ctx.scope, provider, wanted);
  // Merchants with the same attribution get the same one: they are worked out and written together.
  const groups = Object.groupBy(merchants, (row) => `${row.agent_id} ${row.business_team_id} ${row.salesman_id}`);
  for (const group of Object.values(groups)) {
    const before = group![0]!;
    const salesman_id = wanted.salesmanId === undefined ? before.salesman_id : wanted.salesmanId;
    const after = {
      salesman_id,
      ...(await readAttribution(ctx.tx, provider, {
        agentId: chosen(wanted.agentId, brought?.agent_id ?? before.agent_id),
        businessTeamId: chosen(wanted.businessTeamId, brought?.business_team_id ?? before.business_team_id),
        salesmanId: salesman_id ?? undefined,
      })),
    };
    await ctx.tx
      .updateTable("merchants")
      .set(after)
      .where("service_provider_id", "=", provider)
      .where(
        "id",
        "in",
        group!.map((row) => row.id),
      )
      .execute();
    for (const { id } of group!)
      await ctx.audit(ctx.tx, { targetKind: "merchant", targetId: id, before: told(before), after: told(after), provider, merchant: id });
  }
  ctx.note({ targetKind: "merchants", after: { count: merchants.length, ...wanted }, provider });
  return { count: merchants.length };
});

/** Null takes away, nothing said keeps. */
const chosen = (wanted: string | null | undefined, kept: string | null): string | undefined =>
  (wanted === undefined ? kept : wanted) ?? undefined;
const told = (row: Omit<Assigned, "id" | "service_provider_id">) => ({
  agentId: row.agent_id,
  businessTeamId: row.business_team_id,
  salesmanId: row.salesman_id,
});

/** Locks the merchants in one order, so that two who hand over the same ones wait for one another. */
async function lockMerchants(
  ctx: Ctx,
  ids: readonly string[] | undefined,
  filter: ParsedOf<typeof endpoint>["filter"],
): Promise<readonly Assigned[]> {
  const wanted = [...new Set(ids)];
  const where = filter
    ? await merchantsWhere(ctx.tx, ctx.scope, filter)
    : sql`m.id = any(${wanted}::uuid[]) and ${inScope(ctx.scope, "m")}`;
  const found = await sql<Assigned>`select m.id, m.service_provider_id, m.agent_id, m.business_group_id, m.business_team_id, m.salesman_id
    from merchants m where ${where} order by m.id limit ${sql.lit(MOST_ASSIGNED + 1)} for update of m`.execute(ctx.tx);
  if (found.rows.length > MOST_ASSIGNED) throw conflict(`一次最多调整 ${MOST_ASSIGNED} 家，请缩小筛选范围`);
  if (filter === undefined && found.rows.length !== wanted.length) throw notFound("商户");
  return found.rows;
}
