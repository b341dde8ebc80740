import { ask, type Transaction } from "@zhangfang/server/database/db.ts";
import { pointRule, type PointRule } from "../../contract/index.ts";

export interface RuleVersion {
  readonly id: string;
  readonly version: number;
  readonly rule: PointRule;
}
/** The rule of a merchant at a moment; nothing where none was saved by then. */
export async function ruleOn(
  tx: Transaction,
  { service_provider_id, merchant_id }: { readonly service_provider_id: string; readonly merchant_id: string },
  at: string,
): Promise<RuleVersion | undefined> {
  const [row] = await ask(
    tx,
    tx
      .selectFrom("point_rules")
      .select(["id", "version", "rule"])
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("created_at", "<=", at)
      .orderBy("version", "desc")
      .limit(1),
  );
  return row && { ...row, rule: pointRule.parse(row.rule) };
}

/** How points of a merchant end who has saved no rule. */
export const NEVER: PointRule["expiry"] = { kind: "never", months: 12, monthDay: "12-31", yearsBack: 1 };
/** How points end at a moment, also before any rule was saved. */
export const expiryOn = async (tx: Transaction, merchant: Parameters<typeof ruleOn>[1], at: string): Promise<PointRule["expiry"]> =>
  (await ruleOn(tx, merchant, at))?.rule.expiry ?? NEVER;
/** The line of a merchant who has saved none. */
export const SECOND_ABOVE = 10_000;
/** Above so many points given or taken by hand a second person looks, also before any rule was saved. */
export const secondAboveOn = async (tx: Transaction, merchant: Parameters<typeof ruleOn>[1], at: string): Promise<number> =>
  (await ruleOn(tx, merchant, at))?.rule.secondAbove ?? SECOND_ABOVE;
