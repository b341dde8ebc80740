import type { Selectable, Updateable } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { mustChange, type DB, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../../messages/server/index.ts";
import { withdrawalStatus, type WithdrawalStatus } from "../../../contract/index.ts";
import type { Owner } from "../../lines/line.ts";
import { type CommissionEntry, type Move, postCommissionEntry, providerOwner } from "../../lines/post-entry.ts";

export type Withdrawal = Selectable<DB["withdrawals"]>;
export const ownerOfWithdrawal = (row: Withdrawal): Owner => ({
  agent_id: row.agent_id,
  business_group_id: row.business_group_id,
  business_team_id: row.business_team_id,
  salesman_id: row.salesman_id,
  receiver_id: row.receiver_id,
});

/** What each end of a withdrawal does to the book. */
type Booking = Exclude<CommissionEntry["cause"], "commission">;
function movesOf(booking: Booking, row: Withdrawal): Move[] {
  const own = (kind: "available" | "frozen" | "paid", amount_cents: number): Move => ({
    kind,
    receiver: row.receiver as Move["receiver"],
    owner: ownerOfWithdrawal(row),
    amount_cents,
  });
  const fee = (amount_cents: number): Move => ({
    kind: "withdrawal-fee",
    receiver: "provider",
    owner: providerOwner(row.service_provider_id),
    amount_cents,
  });
  const { amount_cents: all, fee_cents } = row;
  switch (booking) {
    case "withdrawal-hold":
      return [own("available", -all), own("frozen", all)];
    case "withdrawal-release":
      return [own("frozen", -all), own("available", all)];
    case "withdrawal-paid":
      return [own("frozen", -all), own("paid", all - fee_cents), fee(fee_cents)];
    case "withdrawal-returned":
      return [own("paid", fee_cents - all), fee(-fee_cents), own("available", all)];
  }
}
/** Books one step of a withdrawal; the database lets each happen once. */
export async function bookWithdrawal(tx: Transaction, services: Services, row: Withdrawal, cause: Booking): Promise<void> {
  const occurred_at = new Date(services.clock.now_ms()).toISOString();
  await postCommissionEntry(tx, services, row.service_provider_id, {
    cause,
    withdrawal_id: row.id,
    occurred_at,
    owner: ownerOfWithdrawal(row),
    moves: movesOf(cause, row),
  });
}

const BOOKED: Partial<Record<WithdrawalStatus, Booking>> = {
  1: "withdrawal-release",
  3: "withdrawal-paid",
  4: "withdrawal-release",
  5: "withdrawal-release",
  6: "withdrawal-returned",
};
/**
 * The only way a withdrawal moves on: one guarded update with what it does to the book, and word to whoever applied.
 * @throws 409 where it is no longer where it was
 */
export async function moveWithdrawal(
  tx: Transaction,
  services: Services,
  row: Withdrawal,
  to: WithdrawalStatus,
  set: Updateable<DB["withdrawals"]> = {},
): Promise<void> {
  const at = new Date(services.clock.now_ms()).toISOString();
  const moved = await tx
    .updateTable("withdrawals")
    .set({ status: to, ...(to !== 2 && { finished_at: at, next_query_at: null }), ...set })
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", row.id)
    .where("status", "=", row.status)
    .executeTakeFirst();
  mustChange(moved, () => conflict("此提现已被处理，请刷新后查看"));
  const booked = BOOKED[to];
  if (booked) await bookWithdrawal(tx, services, row, booked);
  if (to !== 5)
    await tell(tx, told(row), {
      kind: "withdrawal",
      title: `提现 ¥${yuan(row.amount_cents)} ${withdrawalStatus.label(to)}`,
      body: set.decision_note ?? set.failure ?? "",
      href: `/dataCentre/withdrawal?id=${row.id}`,
      item: "/dataCentre/withdrawal",
      once: `withdrawal ${row.id} ${to}`,
      at,
    });
}
const LEVEL = { agent: "AG", group: "GP", team: "TM", salesman: "SM" } as const;
const told = (row: Withdrawal) => ({
  level: LEVEL[row.receiver as keyof typeof LEVEL],
  provider: row.service_provider_id,
  node: row.receiver_id,
});

/** Reads a withdrawal and holds it to the end of the transaction. */
export async function lockWithdrawal(
  tx: Transaction,
  ref: { readonly service_provider_id: string; readonly id: string },
): Promise<Withdrawal | undefined> {
  return tx
    .selectFrom("withdrawals")
    .selectAll()
    .where("service_provider_id", "=", ref.service_provider_id)
    .where("id", "=", ref.id)
    .forUpdate()
    .executeTakeFirst();
}
