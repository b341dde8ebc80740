import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { auditLater } from "@zhangfang/server/calls/audit.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { assignMerchants } from "../../contract/index.ts";
import { checkNodes, type WantedNodes } from "./check-nodes.ts";
import { lockMerchants } from "./decide-assignment.ts";
import { giveMerchants, type Assigned } from "./give-merchants.ts";

interface Batch {
  readonly provider: string;
  readonly id: string;
  readonly sets: readonly string[];
  readonly agent: string | null;
  readonly team: string | null;
  readonly salesman: string | null;
  readonly set_by: string;
  readonly set_by_name: string;
  readonly effective_from: string;
}
const scope = platformScope("apply assignments");

/** Carries out what was decided for a day, within a minute of its beginning; what can't be is said so and stays as it was. */
export const applyAssignments = job({
  name: "apply-merchant-assignments",
  data: z.object({}),
  every: "* * * * *",
  concurrency: 1,
  run: async (services) => {
    const today = shanghaiDay(services.clock.now_ms());
    const { rows } = await withScope(services.pool, scope, (tx) =>
      sql<Batch>`select distinct service_provider_id as provider, batch_id as id, sets, to_agent_id as agent, to_business_team_id as team,
          to_salesman_id as salesman, set_by, set_by_name, effective_from
        from merchant_assignments where status = 0 and effective_from <= ${today}::date order by effective_from, batch_id`.execute(tx),
    );
    // Each in a transaction of its own, so that one that goes wrong keeps no other from its day.
    for (const batch of rows) await withScope(services.pool, scope, (tx) => apply(tx, services, batch), { deadline_ms: 60_000 });
  },
});

async function apply(tx: Transaction, services: Services, batch: Batch): Promise<void> {
  const mine = sql`r.service_provider_id = ${batch.provider} and r.batch_id = ${batch.id} and r.status = 0`;
  const merchants = await lockMerchants(
    { tx },
    sql`m.service_provider_id = ${batch.provider} and m.id in (select r.merchant_id from merchant_assignments r where ${mine})`,
  );
  // Read again behind the lock: somebody may have cancelled it meanwhile.
  const left = await sql<{ merchant_id: string }>`select r.merchant_id from merchant_assignments r where ${mine}`.execute(tx);
  const pending = new Set(left.rows.map((row) => row.merchant_id));
  // Merchants of one kind succeed or fail together, whatever becomes of the others.
  const groups = Object.groupBy(
    merchants.filter(({ id }) => pending.has(id)),
    (row) => `${row.agent_id} ${row.business_team_id} ${row.salesman_id}`,
  );
  for (const group of Object.values(groups)) {
    const why = await give(tx, services, batch, group!);
    await sql`update merchant_assignments r set status = ${why === undefined ? 1 : 3}, why = ${why ?? null},
        closed_at = ${new Date(services.clock.now_ms()).toISOString()}
      where ${mine} and r.merchant_id = any(${`{${group!.map((row) => row.id).join(",")}}`}::uuid[])`.execute(tx);
  }
}

/** @returns why it can't be done, where it can't */
async function give(tx: Transaction, services: Services, batch: Batch, merchants: readonly Assigned[]): Promise<string | undefined> {
  const wanted = wantedOf(batch);
  const asked = { endpoint: assignMerchants.path, userId: batch.set_by, login: batch.set_by_name, provider: batch.provider };
  try {
    const brought = await checkNodes(tx, scope, batch.provider, wanted);
    await giveMerchants(tx, batch.provider, merchants, wanted, brought, (merchant, before, after) =>
      auditLater(tx, services, {
        ...asked,
        title: "预约移交生效",
        targetKind: "merchant",
        targetId: merchant,
        before,
        after: { ...after, effectiveFrom: batch.effective_from },
        merchant,
      }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    for (const { id } of merchants)
      await auditLater(tx, services, {
        ...asked,
        title: "预约移交未能生效",
        targetKind: "merchant",
        targetId: id,
        after: { effectiveFrom: batch.effective_from, 原因: error.message },
        merchant: id,
      });
    return error.message;
  }
}

const wantedOf = ({ sets, agent, team, salesman }: Batch): WantedNodes => ({
  ...(sets.includes("agent") && { agentId: agent }),
  ...(sets.includes("team") && { businessTeamId: team }),
  ...(sets.includes("salesman") && { salesmanId: salesman }),
});
