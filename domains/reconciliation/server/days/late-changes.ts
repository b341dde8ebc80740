import { yuan } from "@zhangfang/contract/money.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tellUser } from "../../../messages/server/index.ts";
import { billSource, isGroupBuy, isTakeaway } from "../../contract/index.ts";
import type { DayRef } from "../rows.ts";
import type { Looked } from "./keep-day.ts";
import { lookAtTakeawayDay } from "./match-takeaway-day.ts";
import { lookAtVoucherDay } from "./match-voucher-day.ts";

const COUNTS = [
  ["ours_pay_count", "ours_refund_count"],
  ["bill_pay_count", "bill_refund_count"],
] as const;
const MONEY = [
  "ours_pay_cents",
  "ours_refund_cents",
  "ours_fee_cents",
  "bill_pay_cents",
  "bill_refund_cents",
  "bill_fee_mills",
  "settled_cents",
] as const;

/**
 * 关账后变动: looks at a closed day of a platform with what is known now. Its figures stay; how they would differ is kept beside them, and whoever
 * closed it is told, once for each change.
 */
export async function noteLateChanges(tx: Transaction, ref: DayRef, now: string): Promise<void> {
  const day = await tx
    .selectFrom("recon_days")
    .selectAll()
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("merchant_id", "=", ref.merchant_id)
    .where("source", "=", ref.source)
    .where("day", "=", ref.day)
    .where("status", "=", "closed")
    .forUpdate()
    .executeTakeFirst();
  const seen = day && (await look(tx, ref, { id: day.id, now }));
  if (!day || !seen) return;
  // One fact often stands on both sides.
  const moved = COUNTS.map((side) => side.reduce((sum, name) => sum + Math.abs(seen[name]! - day[name]), 0));
  const late_count = Math.max(...moved, seen.fresh, MONEY.some((name) => seen[name] !== day[name]) ? 1 : 0);
  const late_cents = seen["ours_pay_cents"]! - seen["ours_refund_cents"]! - day.ours_pay_cents + day.ours_refund_cents;
  const late_settled_cents = seen["settled_cents"]! - day.settled_cents;
  await tx
    .updateTable("recon_days")
    .set({ late_count, late_cents, late_settled_cents, late_seen_at: now })
    .where("service_provider_id", "=", day.service_provider_id)
    .where("id", "=", day.id)
    .execute();
  const same = late_count === day.late_count && late_cents === day.late_cents && late_settled_cents === day.late_settled_cents;
  if (late_count === 0 || same || day.closed_by === null) return;
  const name = billSource.label(ref.source);
  await tellUser(tx, day.closed_by, {
    kind: "dayChanged",
    title: `${ref.day} ${name}关账后有变动`,
    body: `${late_count} 条与关账时不同，本地净额 ${signed(late_cents)} 元，结算 ${signed(late_settled_cents)} 元；关账的数字没有改`,
    href: `/reconciliation/bill?from=${ref.day}&to=${ref.day}&source=${ref.source}`,
    item: "/reconciliation/bill",
    once: `recon-late:${day.id}:${late_count}:${late_cents}:${late_settled_cents}`,
    at: now,
  });
}
const signed = (cents: number): string => `${cents > 0 ? "+" : ""}${yuan(cents as never)}`;
async function look(tx: Transaction, ref: DayRef, at: { readonly id: string; readonly now: string }): Promise<Looked | undefined> {
  if (isGroupBuy(ref.source)) return lookAtVoucherDay(tx, { ...ref, source: ref.source }, at);
  if (isTakeaway(ref.source)) return lookAtTakeawayDay(tx, { ...ref, source: ref.source }, at);
  return undefined;
}
