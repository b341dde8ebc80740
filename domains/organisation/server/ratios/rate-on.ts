import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { RateLevel } from "../../contract/index.ts";

/** Whose rate. A merchant's agent is the one of the moment that is asked about. */
export interface RateOwner {
  readonly level: RateLevel;
  readonly serviceProviderId: string;
  readonly id: string;
  readonly agentId?: string | null;
}
/**
 * The fee rate of an owner on a Shanghai day, parts per 100,000: its own rule for the product, else for all products, else
 * the rate that it was made with; never below what the levels above it pay. One query, whatever the caller sees.
 * @param at.channel a code of payChannel @param at.product a trade type of the orders domain, or ALL
 */
export async function rateOn(
  tx: Transaction,
  { owner, channel, product, day }: { owner: RateOwner; channel: number; product: string; day: string },
): Promise<number> {
  const { rows } = await sql<{ rate: number }>`
    select app.rate_on(${owner.serviceProviderId}, ${owner.level}, ${owner.id}, ${owner.agentId ?? null}::uuid, ${channel}, ${product}, ${day}::date) as rate`.execute(
    tx,
  );
  return rows[0]!.rate;
}
