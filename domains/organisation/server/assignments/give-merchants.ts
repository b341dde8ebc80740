import type { Transaction } from "@zhangfang/server/database/db.ts";
import { readAttribution } from "../add/read-attribution.ts";
import type { SalesmanOf, WantedNodes } from "./check-nodes.ts";

/** A merchant with the attribution that it has now. */
export interface Assigned {
  readonly id: string;
  readonly service_provider_id: string;
  readonly agent_id: string | null;
  readonly business_group_id: string | null;
  readonly business_team_id: string | null;
  readonly salesman_id: string | null;
}
type Attribution = Omit<Assigned, "id" | "service_provider_id">;
/** What the audit log says of a merchant's attribution. */
const told = (row: Attribution) => ({ agentId: row.agent_id, businessTeamId: row.business_team_id, salesmanId: row.salesman_id });

/**
 * Gives merchants of one provider, locked by the caller, another attribution. What is left out stays, null takes away; a
 * salesman brings his own agent and team along, and a team its group.
 * @param brought what `checkNodes` said of the salesman
 * @param note is told of each merchant, before and after
 * @throws 400 where the parts do not go together
 */
export async function giveMerchants(
  tx: Transaction,
  provider: string,
  merchants: readonly Assigned[],
  wanted: WantedNodes,
  brought: SalesmanOf | undefined,
  note: (merchant: string, before: object, after: object) => Promise<void>,
): Promise<void> {
  // Merchants with the same attribution get the same one: they are worked out and written together.
  const groups = Object.groupBy(merchants, (row) => `${row.agent_id} ${row.business_team_id} ${row.salesman_id}`);
  for (const group of Object.values(groups)) {
    const before = group![0]!;
    const salesman_id = wanted.salesmanId === undefined ? before.salesman_id : wanted.salesmanId;
    const after = {
      salesman_id,
      ...(await readAttribution(
        tx,
        provider,
        {
          agentId: chosen(wanted.agentId, brought?.agent_id ?? before.agent_id),
          businessTeamId: chosen(wanted.businessTeamId, brought?.business_team_id ?? before.business_team_id),
          salesmanId: salesman_id ?? undefined,
        },
        before,
      )),
    };
    const ids = group!.map((row) => row.id);
    await tx.updateTable("merchants").set(after).where("service_provider_id", "=", provider).where("id", "in", ids).execute();
    for (const id of ids) await note(id, told(before), told(after));
  }
}
/** Null takes away, nothing said keeps. */
const chosen = (wanted: string | null | undefined, kept: string | null): string | undefined =>
  (wanted === undefined ? kept : wanted) ?? undefined;
