import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { DrawMode } from "../../../value-book/contract.ts";
import type { Tier } from "../stored-rules.ts";

/** 储值规则 of a merchant. */
export interface RechargeRule {
  readonly id: string;
  readonly version: number;
  readonly tiers: readonly Tier[];
  readonly mode: DrawMode;
  readonly any_amount: boolean;
  readonly wish_pays: "less-used" | "as-merchant";
  readonly id_card_above_cents: number;
  readonly second_above_cents: number;
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly made_by_name: string;
  readonly created_at: string;
}
interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** Every version, the newest first. */
export async function readRules(tx: Transaction, { service_provider_id, merchant_id }: Merchant): Promise<RechargeRule[]> {
  const { rows } = await sql<RechargeRule>`select r.* from recharge_rules r
    where r.service_provider_id = ${service_provider_id} and r.merchant_id = ${merchant_id} order by r.version desc`.execute(tx);
  return rows;
}
/** The one that holds now. */
export const ruleNow = async (tx: Transaction, merchant: Merchant): Promise<RechargeRule | undefined> => (await readRules(tx, merchant))[0];
/** Whether its tiers are given on a day. */
export const givesOn = ({ first_day, last_day }: RechargeRule, day: string): boolean =>
  (first_day === null || first_day <= day) && (last_day === null || day <= last_day);
