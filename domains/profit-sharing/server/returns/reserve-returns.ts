import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { postReturnRelease, postReturnReserve } from "../../../money/server/index.ts";
import { DOUBTED, isDoubted } from "../records/doubts.ts";
import { shareAmountsOf } from "../share-amounts.ts";
import { type LineRow, newNumber, type OrderRow, ownersOf, posterOf, type ReturnRow } from "../rows.ts";
import { baseOf, takenOf } from "../shares/sharing-rules.ts";
import { type HeldLine, planReturns, type ReturnPlan } from "./return-rules.ts";

/** What a refund needs of the shares of its order: how much comes back, how much the merchant bears, and from whom. */
export interface ReturnNeed {
  readonly back_cents: number;
  readonly borne_cents: number;
  readonly refusal: string | undefined;
  readonly plan: ReturnPlan | undefined;
  /** Of an earlier try of the same refund: asked again, or given up. */
  readonly again: readonly { readonly row: ReturnRow; readonly status: 0 | 5 }[];
}
const NO_NEED: ReturnNeed = { back_cents: 0, borne_cents: 0, refusal: undefined, plan: undefined, again: [] };

/** The lines of an order whose receivers have something of it. */
export const heldLines = (tx: Transaction, order: OrderRow): Promise<LineRow[]> =>
  tx
    .selectFrom("sharing_lines as l")
    .innerJoin("sharing_orders as s", (on) =>
      on.onRef("s.service_provider_id", "=", "l.service_provider_id").onRef("s.id", "=", "l.sharing_id"),
    )
    .selectAll("l")
    .where("s.service_provider_id", "=", order.service_provider_id)
    .where("s.order_id", "=", order.id)
    .where("l.result", "=", "success")
    .where(sql<boolean>`l.amount_cents > l.returned_cents + l.returning_cents + l.borne_cents`)
    .orderBy("s.created_at")
    .orderBy("l.position")
    .execute();
/** What the merchant may claim in the book now. */
export async function claimOf(tx: Transaction, order: OrderRow): Promise<number> {
  const account = await tx
    .selectFrom("ledger_accounts")
    .select("balance_cents")
    .where("service_provider_id", "=", order.service_provider_id)
    .where("merchant_id", "=", order.merchant_id)
    .where("kind", "=", "merchant")
    .where("channel", "=", order.channel)
    .executeTakeFirst();
  return account?.balance_cents ?? 0;
}
const heldOf = (line: LineRow): HeldLine => ({
  id: line.id,
  type: line.type,
  held_cents: line.amount_cents - line.returned_cents - line.returning_cents - line.borne_cents,
  finished_at: line.finished_at,
});

/** What a refund costs the merchant before anything comes back. */
interface Cost {
  readonly amount_cents: number;
  readonly fee_back_cents: number;
}
/** Why the merchant cannot bear what does not come back; undefined where it can. */
async function cannotBear(tx: Transaction, order: OrderRow, refund: Cost, { back_cents, borne_cents }: Back): Promise<string | undefined> {
  if (borne_cents === 0 || (await claimOf(tx, order)) + back_cents >= refund.amount_cents - refund.fee_back_cents) return undefined;
  return `已分账的 ¥${yuan(borne_cents)} 不能回退，须由商户承担，商户可用余额不足`;
}
type Back = Pick<ReturnNeed, "back_cents" | "borne_cents">;

/** What a new refund takes back. The order is held by whoever reserves; nothing is changed. */
export async function needReturns(tx: Transaction, order: OrderRow, refund: Cost, now_ms: number): Promise<ReturnNeed> {
  if (order.shared_cents === 0 && order.sharing_cents === 0) return NO_NEED;
  const plan = planReturns(order, (await heldLines(tx, order)).map(heldOf), refund, now_ms);
  const refusal = plan.refusal === undefined ? await cannotBear(tx, order, refund, plan) : undefined;
  if (refusal !== undefined) return { ...NO_NEED, refusal };
  return { back_cents: plan.back_cents, borne_cents: plan.borne_cents, refusal: plan.refusal, plan, again: [] };
}
/**
 * What a refund that failed and is sent again still needs: what has not come back is asked for again, or borne where `bear` says so, as far
 * as its receivers have it yet, and what others left of the order meanwhile may need more. The order is held by whoever reserves; nothing is
 * changed.
 */
export async function needReturnsAgain(
  tx: Transaction,
  order: OrderRow,
  refund: Cost & { readonly id: string },
  bear: boolean,
  now_ms: number,
): Promise<ReturnNeed> {
  if (order.shared_cents === 0 && order.sharing_cents === 0) return NO_NEED;
  const rows = await tx
    .selectFrom("sharing_returns")
    .selectAll()
    .where("service_provider_id", "=", order.service_provider_id)
    .where("refund_id", "=", refund.id)
    .where("status", "in", [1, 3, 4])
    .execute();
  const waiting = rows.some((row) => row.status === 1);
  const held = (await heldLines(tx, order)).map(heldOf);
  const again = stillThere(
    rows.filter((row) => row.status !== 1),
    held,
  ).map((row) => ({ row, status: row.borne || (bear && row.status === 3) ? (5 as const) : (0 as const) }));
  const ids = again.filter(({ status }) => status === 0).map(({ row }) => row.id);
  const doubted = ids.length > 0 && (await isDoubted(tx, "return", order.service_provider_id, ids));
  const kept = waiting ? "还有分账回退在处理中，完成后才能重新退款" : doubted ? DOUBTED : undefined;
  const sum = (status: 0 | 5) => again.reduce((all, one) => all + (one.status === status ? one.row.amount_cents : 0), 0);
  const plan = planMissing(order, held, refund, { again, back_cents: sum(0), borne_cents: sum(5) }, now_ms);
  const need = { back_cents: sum(0) + plan.back_cents, borne_cents: sum(5) + plan.borne_cents };
  const refusal = kept ?? plan.refusal ?? (plan.borne_cents > 0 ? await cannotBear(tx, order, refund, need) : undefined);
  return { ...need, refusal, plan, again };
}
/** Those whose receivers have so much of the order yet: another refund may have taken it, to the cent that rounding gave to either. */
function stillThere(rows: readonly ReturnRow[], held: readonly HeldLine[]): ReturnRow[] {
  const left = new Map(held.map(({ id, held_cents }) => [id, held_cents]));
  return rows.filter(({ line_id, amount_cents }) => {
    const rest = (left.get(line_id) ?? 0) - amount_cents;
    if (rest >= 0) left.set(line_id, rest);
    return rest >= 0;
  });
}
/** What is missing after what is asked again: of what receivers have besides. */
function planMissing(
  order: OrderRow,
  held: readonly HeldLine[],
  refund: Cost,
  { again, back_cents, borne_cents }: Pick<ReturnNeed, "again" | "back_cents" | "borne_cents">,
  now_ms: number,
): ReturnPlan {
  const asked = new Map<string, number>();
  for (const { row } of again) asked.set(row.line_id, (asked.get(row.line_id) ?? 0) + row.amount_cents);
  const lines = held.map((line) => ({ ...line, held_cents: line.held_cents - (asked.get(line.id) ?? 0) }));
  const then = {
    ...order,
    share_returning_cents: order.share_returning_cents + back_cents,
    share_borne_cents: order.share_borne_cents + borne_cents,
  };
  return planReturns(then, lines, refund, now_ms, true);
}
/**
 * What a refund that the channel made good all the same leaves for the merchant to bear. Nothing comes back for it, and what the
 * merchant may claim has to cover it: it may have been shared or given back elsewhere since.
 */
export async function needNothing(tx: Transaction, order: OrderRow, { amount_cents, fee_back_cents }: Cost): Promise<ReturnNeed> {
  const cost_cents = amount_cents - fee_back_cents;
  if ((await claimOf(tx, order)) < cost_cents) return { ...NO_NEED, refusal: "商户可用余额不足" };
  if (order.shared_cents === 0 && order.sharing_cents === 0) return NO_NEED;
  return { ...NO_NEED, borne_cents: Math.max(0, takenOf(order) - baseOf(order) + cost_cents) };
}

/** Writes the returns of a refund down and sets them in the book. The order's own columns were set with the refund's amount. */
export async function reserveReturns(
  tx: Transaction,
  services: Services,
  order: OrderRow,
  refund: { readonly id: string; readonly requested_by_name: string },
  need: ReturnNeed,
): Promise<void> {
  for (const { row, status } of need.again) await openAgain(tx, services, order, row, status);
  if (!need.plan) return;
  const now_ms = services.clock.now_ms();
  const created_at = new Date(now_ms).toISOString();
  for (const part of need.plan.parts) {
    const cents = part.back_cents + part.borne_cents;
    if (cents === 0) continue;
    const borne = part.borne_cents > 0;
    const line = await tx
      .selectFrom("sharing_lines")
      .select("sharing_id")
      .where("service_provider_id", "=", order.service_provider_id)
      .where("id", "=", part.line_id)
      .executeTakeFirstOrThrow();
    const id = services.ids.uuid(now_ms);
    await tx
      .insertInto("sharing_returns")
      .values({
        ...ownersOf(order),
        id,
        order_id: order.id,
        refund_id: refund.id,
        sharing_id: line.sharing_id,
        line_id: part.line_id,
        return_no: newNumber(services, "B", now_ms),
        status: borne ? 5 : 0,
        borne,
        amount_cents: cents,
        failure: part.refusal,
        requested_by_name: refund.requested_by_name,
        created_at,
        finished_at: borne ? created_at : null,
      })
      .execute();
    await moveLine(tx, order, part.line_id, borne ? { borne_cents: cents } : { returning_cents: cents });
    if (!borne) await postReturnReserve(tx, posterOf(services), order, { id, amount_cents: cents, occurred_at: created_at });
  }
}
async function openAgain(tx: Transaction, services: Services, order: OrderRow, row: ReturnRow, status: 0 | 5): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const moved = await tx
    .updateTable("sharing_returns")
    .set({
      status,
      borne: status === 5,
      // A number that the channel ended cannot be used again.
      channel_try: row.channel_try + (row.status === 3 ? 1 : 0),
      ...(status === 0 ? { failure: null, finished_at: null } : { finished_at: now }),
    })
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", row.id)
    .where("status", "=", row.status)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a held return moved"));
  await moveLine(tx, order, row.line_id, status === 5 ? { borne_cents: row.amount_cents } : { returning_cents: row.amount_cents });
  if (status === 0)
    await postReturnReserve(tx, posterOf(services), order, { id: row.id, amount_cents: row.amount_cents, occurred_at: now });
}

/**
 * The refund came to nothing: returns that were not sent are cancelled and what the merchant would have borne is not borne;
 * what came back stays with the merchant, and what is on its way goes on. The order is held; its refund is released already.
 */
export async function cancelReturns(tx: Transaction, services: Services, order: OrderRow, refund_id: string): Promise<void> {
  if (order.shared_cents === 0) return;
  const rows = await tx
    .selectFrom("sharing_returns")
    .selectAll()
    .where("service_provider_id", "=", order.service_provider_id)
    .where("refund_id", "=", refund_id)
    .where("status", "in", [0, 5])
    .forUpdate()
    .execute();
  const now = new Date(services.clock.now_ms()).toISOString();
  for (const row of rows) {
    const moved = await tx
      .updateTable("sharing_returns")
      .set({ status: 4, finished_at: now })
      .where("service_provider_id", "=", row.service_provider_id)
      .where("id", "=", row.id)
      .where("status", "=", row.status)
      .executeTakeFirst();
    mustChange(moved, () => new Error("a held return moved"));
    await moveLine(tx, order, row.line_id, row.borne ? { borne_cents: -row.amount_cents } : { returning_cents: -row.amount_cents });
    await shareAmountsOf(services).releaseReturn(tx, order, row.amount_cents, row.borne);
    if (!row.borne)
      await postReturnRelease(tx, posterOf(services), order, { id: row.id, amount_cents: row.amount_cents, occurred_at: now });
  }
}

/** Moves a line's own sums, which its check keeps within what the receiver got. */
export async function moveLine(
  tx: Transaction,
  order: { readonly service_provider_id: string },
  id: string,
  by: Readonly<Partial<Record<"returning_cents" | "returned_cents" | "borne_cents", number>>>,
): Promise<void> {
  const moved = await tx
    .updateTable("sharing_lines")
    .set(Object.fromEntries(Object.entries(by).map(([name, cents]) => [name, sql`${sql.ref(name)} + ${cents}`])))
    .where("service_provider_id", "=", order.service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(moved, () => new Error("a line is gone"));
}
