import type { Transaction } from "@zhangfang/server/db.ts";
import { SHARING_LIMITS } from "../../../channels/server/index.ts";
import type { ReceiverRow } from "../rows.ts";

interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
export interface Rule {
  readonly mode: "manual" | "auto";
  readonly timing: "now" | "next-day";
  readonly group_id: string;
  readonly ratios: Readonly<Record<string, number>>;
  readonly unfreeze: boolean;
  readonly max_ratio: number;
}

/** The rule that holds for a merchant's payments now; undefined where nothing is shared. */
export async function ruleOf(tx: Transaction, { service_provider_id, merchant_id }: Merchant): Promise<Rule | undefined> {
  const row = await tx
    .selectFrom("sharing_rules as r")
    .innerJoin("merchant_settings as s", (on) =>
      on.onRef("s.service_provider_id", "=", "r.service_provider_id").onRef("s.merchant_id", "=", "r.merchant_id"),
    )
    .selectAll("r")
    .where("r.service_provider_id", "=", service_provider_id)
    .where("r.merchant_id", "=", merchant_id)
    .where("s.profit_sharing", "=", true)
    .where("r.mode", "<>", "none")
    .executeTakeFirst();
  if (!row?.group_id) return undefined;
  return {
    mode: row.mode === "auto" ? "auto" : "manual",
    timing: row.timing === "now" ? "now" : "next-day",
    group_id: row.group_id,
    ratios: row.ratios as Record<string, number>,
    unfreeze: row.unfreeze,
    max_ratio: row.max_ratio ?? SHARING_LIMITS.defaultRatio,
  };
}

/** Whether a payment of the merchant's is to be frozen at the channel, so that it can be shared. Asked when it is placed. */
export const wantsSharing = async (tx: Transaction, merchant: Merchant): Promise<boolean> => (await ruleOf(tx, merchant)) !== undefined;

/** Who gets a part by a rule, with their ratios: in use and known to the channel, in a fixed order. */
export async function receiversOf(
  tx: Transaction,
  { service_provider_id }: Merchant,
  rule: Rule,
): Promise<{ receiver: ReceiverRow; ratio: number }[]> {
  const rows = await tx
    .selectFrom("sharing_receivers")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("group_id", "=", rule.group_id)
    .where("state", "=", "active")
    .where("bind_state", "=", "bound")
    .orderBy("seq")
    .execute();
  return rows.map((receiver) => ({ receiver, ratio: rule.ratios[receiver.id] ?? receiver.ratio }));
}
