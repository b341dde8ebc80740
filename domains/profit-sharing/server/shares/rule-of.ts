import type { Transaction } from "@zhangfang/server/database/db.ts";
import { SHARING_LIMITS, type SharingWallet } from "../../../channels/server/index.ts";
import type { AccountRow, ReceiverRow } from "../rows.ts";

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
export async function ruleOf(
  tx: Transaction,
  { service_provider_id, merchant_id }: Merchant,
  wallet: SharingWallet,
): Promise<Rule | undefined> {
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
    max_ratio: (wallet === "alipay" ? row.alipay_max_ratio : row.max_ratio) ?? SHARING_LIMITS[wallet].defaultRatio,
  };
}

/**
 * Whether a payment of the merchant's is to be frozen at the channel, so that it can be shared. Asked when it is placed: money that
 * nobody has an account for at that channel, or only such as the channel refused, is not frozen.
 */
export async function wantsSharing(tx: Transaction, merchant: Merchant, wallet: SharingWallet): Promise<boolean> {
  const rule = await ruleOf(tx, merchant, wallet);
  if (!rule) return false;
  return (await expectedOf(tx, merchant, rule, wallet).select("r.id").limit(1).executeTakeFirst()) !== undefined;
}
/** Known to the channel, or told to it and not answered for; who was refused or taken out is expected no more. */
const EXPECTED = ["bound", "binding", "unsure"];
const expectedOf = (tx: Transaction, { service_provider_id }: Merchant, rule: Rule, wallet: SharingWallet) =>
  tx
    .selectFrom("sharing_receivers as r")
    .innerJoin("sharing_accounts as a", (on) =>
      on.onRef("a.service_provider_id", "=", "r.service_provider_id").onRef("a.receiver_id", "=", "r.id"),
    )
    .where("r.service_provider_id", "=", service_provider_id)
    .where("r.group_id", "=", rule.group_id)
    .where("r.state", "=", "active")
    .where("a.wallet", "=", wallet)
    .where("a.bind_state", "in", EXPECTED);

export interface Expected {
  readonly receiver: ReceiverRow & Pick<AccountRow, "type" | "account">;
  readonly ratio: number;
  /** The channel has not said yet whether it knows them. */
  readonly awaited: boolean;
  /** What they did not get of the share that is made good for. */
  readonly missed_cents: number;
}

/** Who is to get a part by a rule, with their ratios: in use and expected at the channel of the payment, in a fixed order. */
export async function receiversOf(tx: Transaction, merchant: Merchant, rule: Rule, wallet: SharingWallet): Promise<Expected[]> {
  const rows = await expectedOf(tx, merchant, rule, wallet)
    .selectAll("r")
    .select(["a.type", "a.account", "a.bind_state"])
    .orderBy("r.seq")
    .execute();
  return rows.map((receiver) => ({
    receiver,
    ratio: rule.ratios[receiver.id] ?? receiver.ratio,
    awaited: receiver.bind_state !== "bound",
    missed_cents: 0,
  }));
}

/**
 * Those who did not get their part of a share, with the part, its ratio and the account of now: in use, and expected at the channel of
 * the payment. Who was taken out meanwhile gets nothing, and the part stays with the merchant.
 */
export async function failedReceiversOf(
  tx: Transaction,
  { service_provider_id }: Merchant,
  sharing_id: string,
  wallet: SharingWallet,
): Promise<{ readonly receivers: readonly Expected[]; readonly base_cents: number }> {
  const rows = await tx
    .selectFrom("sharing_orders as s")
    .innerJoin("sharing_lines as l", (on) =>
      on
        .onRef("l.service_provider_id", "=", "s.service_provider_id")
        .onRef("l.sharing_id", "=", "s.id")
        .onRef("l.try", "=", "s.channel_try"),
    )
    .innerJoin("sharing_receivers as r", (on) =>
      on.onRef("r.service_provider_id", "=", "l.service_provider_id").onRef("r.id", "=", "l.receiver_id"),
    )
    .innerJoin("sharing_accounts as a", (on) =>
      on.onRef("a.service_provider_id", "=", "r.service_provider_id").onRef("a.receiver_id", "=", "r.id"),
    )
    .selectAll("r")
    .select(["a.type", "a.account", "a.bind_state", "l.ratio as part", "l.amount_cents as missed_cents", "s.base_cents as reckoned_from"])
    .where("s.service_provider_id", "=", service_provider_id)
    .where("s.id", "=", sharing_id)
    .where("l.result", "=", "closed")
    .where("r.state", "=", "active")
    .where("a.wallet", "=", wallet)
    .where("a.bind_state", "in", EXPECTED)
    .orderBy("l.position")
    .execute();
  return {
    receivers: rows.map((receiver) => ({
      receiver,
      ratio: receiver.part,
      awaited: receiver.bind_state !== "bound",
      missed_cents: receiver.missed_cents,
    })),
    base_cents: rows[0]?.reckoned_from ?? 0,
  };
}
