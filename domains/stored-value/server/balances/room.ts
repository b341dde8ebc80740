import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { type Holder, lockHolder } from "../../../value-book/server/index.ts";
import { MOST_CENTS } from "../../contract/index.ts";
import { mayStillArrive } from "../card-refund/read-lot.ts";
import type { HoldingMember } from "../member.ts";
import { ruleNow } from "../rules/read-rules.ts";

/**
 * Why a member may not hold what they hold and so much more: the law's most, and the line from which it wants an identity number. Their
 * value is locked until the end.
 */
export async function whyNoRoom(
  tx: Transaction,
  receiver: HoldingMember,
  more: { readonly principal_cents: number; readonly gift_cents: number } = { principal_cents: 0, gift_cents: 0 },
): Promise<string | undefined> {
  const held = await lockHolder(tx, receiver);
  const principal = (held.get("principal") ?? 0) + (held.get("principal-held") ?? 0) + more.principal_cents;
  const gift = (held.get("gift") ?? 0) + (held.get("gift-held") ?? 0) + more.gift_cents;
  if (principal + gift > MOST_CENTS) return `接收人储值将超过每人上限 ${yuan(MOST_CENTS)} 元`;
  if (receiver.has_id_card) return undefined;
  const rule = await ruleNow(tx, receiver);
  return rule && principal > rule.id_card_above_cents ? `接收人储值将超过 ${yuan(rule.id_card_above_cents)} 元，须先登记证件号` : undefined;
}

/** Nothing is moved away while money for one of the sender's lots may still go back to them. @throws 409 */
export async function mustBeTheirs(tx: Transaction, { service_provider_id, merchant_id, member_id }: Holder): Promise<void> {
  const lots = sql`(select l.id from value_lots l where l.service_provider_id = ${service_provider_id} and l.merchant_id = ${merchant_id}
    and l.member_id = ${member_id} and l.principal_left_cents + l.gift_left_cents > 0)`;
  if (await mayStillArrive(tx, service_provider_id, lots)) throw conflict("有一批余额退卡退款异常，处理完才能转", "card-refund.abnormal");
}
