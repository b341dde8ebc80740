import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import type { Author } from "@zhangfang/server/calls/call.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { decideWriteOff, linkDifferences, proposeWriteOff, recordUnknown, reopenDifference } from "../../contract/index.ts";
import { type DifferenceRow, holdDifferences } from "./hold-differences.ts";
import { isUnknown, numberOf } from "../rows.ts";
import { personOf } from "./list-differences.ts";

/** Moves differences that are held. @throws where one of them moved all the same */
async function move(tx: Transaction, rows: readonly DifferenceRow[], set: Partial<DifferenceRow>): Promise<void> {
  const changed = await tx
    .updateTable("recon_differences")
    .set(set)
    .where("service_provider_id", "in", [...new Set(rows.map((row) => row.service_provider_id))])
    .where(
      "id",
      "in",
      rows.map(({ id }) => id),
    )
    .where("status", "=", rows[0]!.status)
    .executeTakeFirst();
  if (Number(changed.numUpdatedRows) !== rows.length) throw conflict("其中有的已被别人处理，请刷新后再选");
}
/** Whose differences an audit row is about: of one merchant. */
export const noted = (rows: readonly DifferenceRow[]) => ({
  targetKind: "recon_differences",
  ...(rows.length === 1 && { targetId: rows[0]!.id }),
  provider: rows[0]!.service_provider_id,
  merchant: rows[0]!.merchant_id,
});
const told = (rows: readonly DifferenceRow[]) => ({
  numbers: rows.slice(0, 50).map(numberOf),
  count: rows.length,
  amount: `¥${yuan(rows.reduce((all, row) => all + Math.abs((row.bill_cents ?? 0) - (row.class === "channel-only" ? 0 : (row.ours_cents ?? 0))), 0))}`,
});
/** Each merchant's own differences; an act over many stands in the audit log of every one of them. */
export const byMerchant = (rows: readonly DifferenceRow[]): DifferenceRow[][] => [...Map.groupBy(rows, (row) => row.merchant_id).values()];
async function noteEach(ctx: Ctx, rows: readonly DifferenceRow[], said: (of: readonly DifferenceRow[]) => object): Promise<void> {
  const [first = [], ...others] = byMerchant(rows);
  ctx.note({ ...noted(first), after: { ...told(first), ...said(first) } });
  for (const other of others) await ctx.audit(ctx.tx, { ...noted(other), after: { ...told(other), ...said(other) } });
}
type Who = Pick<Author, "principal" | "scope" | "now">;

/** Asks for a write-off; somebody else decides. */
export async function propose(tx: Transaction, who: Who, ids: readonly string[], reason: string): Promise<DifferenceRow[]> {
  const rows = await holdDifferences(tx, who.scope, ids, ["open"]);
  await move(tx, rows, {
    status: "proposed",
    reason,
    proposed_by: personOf(who),
    proposed_by_name: who.principal.name,
    proposed_at: who.now,
  });
  return rows;
}
export const proposeWriteOffRoute = implement(proposeWriteOff, async (ctx, { ids, reason }) => {
  const rows = await propose(ctx.tx, ctx, ids, reason);
  await noteEach(ctx, rows, () => ({ reason }));
  return { count: rows.length };
});

/** A second person says yes or no; the database refuses the first one too. */
export async function decide(
  tx: Transaction,
  who: Who,
  ids: readonly string[],
  approve: boolean,
  note: string | undefined,
): Promise<DifferenceRow[]> {
  const rows = await holdDifferences(tx, who.scope, ids, ["proposed"]);
  const by = personOf(who);
  if (approve && rows.some(({ proposed_by }) => proposed_by === by)) throw conflict("核销须由申请人以外的人复核", "second-person");
  if (!approve) {
    await move(tx, rows, {
      status: "open",
      reason: null,
      answer: note ? `核销被退回：${note}` : "核销被退回",
      proposed_by: null,
      proposed_by_name: null,
      proposed_at: null,
    });
    return rows;
  }
  await move(tx, rows, {
    status: "resolved",
    resolution: "written-off",
    resolved_by: by,
    resolved_by_name: who.principal.name,
    resolved_at: who.now,
  });
  return rows;
}
export const decideWriteOffRoute = implement(decideWriteOff, async (ctx, { ids, approve, note }) => {
  const rows = await decide(ctx.tx, ctx, ids, approve, note);
  await noteEach(ctx, rows, (of) => ({ approve, note, reason: of[0]?.reason }));
  return { count: rows.length };
});

/** Who looks for the owner of payments that nobody here knows. */
export async function recordUnknowns(
  tx: Transaction,
  who: Who,
  ids: readonly string[],
  looker: string,
  reason: string | undefined,
): Promise<DifferenceRow[]> {
  const rows = await holdDifferences(tx, who.scope, ids, ["open"]);
  if (!rows.every(isUnknown)) throw invalid("ids", "只有本地没有单号的通道收款可以登记为未知收款");
  await move(tx, rows, {
    status: "resolved",
    resolution: "unknown",
    looker,
    reason: reason ?? null,
    resolved_by: personOf(who),
    resolved_by_name: who.principal.name,
    resolved_at: who.now,
  });
  return rows;
}
export const recordUnknownRoute = implement(recordUnknown, async (ctx, { ids, looker, reason }) => {
  const rows = await recordUnknowns(ctx.tx, ctx, ids, looker, reason);
  await noteEach(ctx, rows, () => ({ looker, reason }));
  return { count: rows.length };
});

/** Two rows are one and the same payment: the bill has one, we the other, and the amount is the same. */
export const linkDifferencesRoute = implement(linkDifferences, async (ctx, { id, otherId, reason }) => {
  if (id === otherId) throw invalid("otherId", "不能关联自己");
  const rows = await holdDifferences(ctx.tx, ctx.scope, [id, otherId], ["open"]);
  const theirs = rows.find((row) => row.class === "channel-only");
  const ours = rows.find((row) => row.class === "ours-only");
  const fits =
    theirs &&
    ours &&
    theirs.merchant_id === ours.merchant_id &&
    theirs.source === ours.source &&
    theirs.kind === ours.kind &&
    theirs.bill_cents === ours.ours_cents;
  if (!fits) throw invalid("otherId", "只能关联同一商户、同一通道、同类且金额相同的一条通道有和一条本地有");
  for (const [row, other] of [
    [theirs, ours],
    [ours, theirs],
  ] as const)
    await move(ctx.tx, [row], {
      status: "resolved",
      resolution: "linked",
      linked_id: other.id,
      reason,
      resolved_by: personOf(ctx),
      resolved_by_name: ctx.principal.name,
      resolved_at: ctx.now,
    });
  ctx.note({ ...noted([theirs]), after: { ...told([theirs]), linked: numberOf(ours), reason } });
  return { count: 2 };
});

/** What was resolved by hand is open again; of a linked pair both, where the other says so too. */
export const reopenDifferenceRoute = implement(reopenDifference, async (ctx: Ctx, { id, reason }) => {
  const pair = await sql<{ id: string }>`select x.id from recon_differences d join recon_differences x
      on x.service_provider_id = d.service_provider_id and (x.id = d.id or x.id = d.linked_id and x.linked_id = d.id) where d.id = ${id}`.execute(
    ctx.tx,
  );
  const rows = await holdDifferences(ctx.tx, ctx.scope, pair.rows.length > 0 ? pair.rows.map((row) => row.id) : [id], ["resolved"]);
  if (rows.some(({ resolution }) => resolution === "vanished" || resolution === "repaired")) throw conflict("按结果消除的差异不能撤销");
  await move(ctx.tx, rows, {
    status: "open",
    resolution: null,
    linked_id: null,
    looker: null,
    resolved_by: null,
    resolved_by_name: null,
    resolved_at: null,
    proposed_by: null,
    proposed_by_name: null,
    proposed_at: null,
    reason: null,
  });
  ctx.note({ ...noted(rows), before: { resolution: rows[0]?.resolution, reason: rows[0]?.reason }, after: { ...told(rows), reason } });
  return { count: rows.length };
});
