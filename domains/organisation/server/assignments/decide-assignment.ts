import { sql, type RawBuilder } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { MOST_ASSIGNED } from "../../contract/index.ts";
import { effectiveDay, levelsAbove } from "./assignment-rules.ts";
import { checkNodes, type WantedNodes } from "./check-nodes.ts";
import { giveMerchants, type Assigned } from "./give-merchants.ts";

/** Locks merchants `m` in one order, so that two who hand over the same ones wait for one another. @throws 409 where they are too many */
export async function lockMerchants(ctx: Pick<Ctx, "tx">, where: RawBuilder<unknown>): Promise<readonly Assigned[]> {
  const found = await sql<Assigned>`select m.id, m.service_provider_id, m.agent_id, m.business_group_id, m.business_team_id, m.salesman_id
    from merchants m where ${where} order by m.id limit ${sql.lit(MOST_ASSIGNED + 1)} for update of m`.execute(ctx.tx);
  if (found.rows.length > MOST_ASSIGNED) throw conflict(`一次最多调整 ${MOST_ASSIGNED} 家，请缩小筛选范围`);
  return found.rows;
}

/**
 * Decides who gets some locked merchants of one provider: at once, or on a day to come, when `applyAssignments` does it. A newer
 * decision takes the place of one to come.
 * @returns the day from which it holds
 * @throws 400 at a wrong node or day, 409 where somebody above has decided something for one of them
 */
export async function decideAssignment(
  ctx: Ctx,
  provider: string,
  merchants: readonly Assigned[],
  wanted: WantedNodes,
  from: string | undefined,
): Promise<string> {
  const today = shanghaiDay(ctx.now_ms);
  const effectiveFrom = effectiveDay(from, today);
  const brought = await checkNodes(ctx.tx, ctx.scope, provider, wanted);
  await takePlace(ctx, provider, merchants);
  if (effectiveFrom > today) {
    await schedule(ctx, provider, merchants, wanted, effectiveFrom);
    return effectiveFrom;
  }
  await giveMerchants(ctx.tx, provider, merchants, wanted, brought, (merchant, before, after) =>
    ctx.audit(ctx.tx, { targetKind: "merchant", targetId: merchant, before, after, provider, merchant }),
  );
  return effectiveFrom;
}

const textOf = (merchants: readonly Assigned[]): string => `{${merchants.map((row) => row.id).join(",")}}`;

async function takePlace(ctx: Ctx, provider: string, merchants: readonly Assigned[]): Promise<void> {
  const pending = sql`a.service_provider_id = ${provider} and a.merchant_id = any(${textOf(merchants)}::uuid[]) and a.status = 0`;
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from merchant_assignments a
    where ${pending} and a.set_level = any(${levelsAbove(ctx.scope.level)}::text[])`.execute(ctx.tx);
  if (rows[0]!.n > 0) throw conflict(`其中 ${rows[0]!.n} 家商户已由上级预约移交，不能改动`);
  await sql`update merchant_assignments a set status = 2, why = '由后来的调整代替', closed_at = ${ctx.now} where ${pending}`.execute(
    ctx.tx,
  );
}

async function schedule(
  ctx: Ctx,
  provider: string,
  merchants: readonly Assigned[],
  wanted: WantedNodes,
  effectiveFrom: string,
): Promise<void> {
  const { services, now_ms, now, tx } = ctx;
  const batch_id = services.ids.uuid(now_ms);
  const sets = (["agentId", "businessTeamId", "salesmanId"] as const)
    .filter((name) => wanted[name] !== undefined)
    .map((name) => KIND[name]);
  await tx
    .insertInto("merchant_assignments")
    .values(
      merchants.map(({ id }) => ({
        service_provider_id: provider,
        id: services.ids.uuid(now_ms),
        merchant_id: id,
        batch_id,
        effective_from: effectiveFrom,
        sets,
        to_agent_id: wanted.agentId ?? null,
        to_business_team_id: wanted.businessTeamId ?? null,
        to_salesman_id: wanted.salesmanId ?? null,
        set_by: ctx.principal.id,
        set_by_name: ctx.principal.name,
        set_level: ctx.scope.level as Exclude<Scope["level"], "PLATFORM" | "SM" | "MCH" | "AE">,
        created_at: now,
      })),
    )
    .execute();
  for (const { id } of merchants)
    await ctx.audit(tx, { targetKind: "merchant", targetId: id, after: { ...wanted, effectiveFrom, 预约: true }, provider, merchant: id });
}
const KIND = { agentId: "agent", businessTeamId: "team", salesmanId: "salesman" } as const;
