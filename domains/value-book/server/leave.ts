import { sql } from "kysely";
import type { Poster } from "@zhangfang/server/book.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { clawPoints as clawOf, type Drawn } from "./draw-rules.ts";
import { noteMoves } from "./lots/note-moves.ts";
import { livingLots, moveLot } from "./points.ts";
import { balancesOf, postValue, waitForHolder, type Holder } from "./post-value.ts";

const HELD = ["principal-held", "gift-held", "points-held"] as const;
const MOVED = ["principal", "gift", "times", "points", "points-pending", "points-debt"] as const;
const nowOf = ({ now_ms }: Poster): string => new Date(now_ms).toISOString();

/**
 * 合并: everything that a member holds is another's from now on: lots with their days and ways of drawing, points with their ends, what is
 * left of times cards, and debt. Debt is paid off with what the two have together. The caller has locked both and says afterwards, in the
 * same transaction, that the one is merged.
 * @throws 409 `member.open` where either has something set aside
 */
export async function mergeHolders(tx: Transaction, poster: Poster, from: Holder, into: Holder, cause_id: string): Promise<void> {
  const [had, has] = [await balancesOf(tx, from), await balancesOf(tx, into)];
  if (HELD.some((kind) => (had.get(kind) ?? 0) + (has.get(kind) ?? 0) > 0))
    throw conflict("还有未完成的占用，请结束后再合并", "member.open");
  const of = (kind: string): number => had.get(kind) ?? 0;
  const { service_provider_id, merchant_id } = from;
  const stored = of("principal") + of("gift") + of("times");
  const points = of("points") + of("points-pending") + of("points-debt");
  const entry = { cause: "merge" as const, cause_id, occurred_at: nowOf(poster) };
  const lines = (sign: 1 | -1) => ({
    ...Object.fromEntries(MOVED.map((kind) => [kind, sign * of(kind)])),
    transferred: -sign * stored,
    "points-moved": -sign * points,
  });
  if (stored !== 0 || points !== 0 || of("points-debt") !== 0) {
    const lots = await storedLots(tx, from);
    await postValue(tx, poster, from, { ...entry, part: 0, lines: lines(-1) });
    await postValue(tx, poster, into, { ...entry, part: 1, lines: lines(1) });
    for (const [holder, sign] of [
      [from, -1],
      [into, 1],
    ] as const)
      for (const { sold_store_id, ...lot } of lots)
        await noteMoves(tx, poster, holder, { cause: "merge", cause_id, store_id: sold_store_id, sign }, [lot]);
  }
  // What is used up goes along: a refund of an order fills it again.
  // writes: value_lots, point_lots
  for (const table of ["value_lots", "point_lots"] as const)
    await tx
      .updateTable(table)
      .set({ member_id: into.member_id })
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("member_id", "=", from.member_id)
      .execute();
  const owed = -of("points-debt") - (has.get("points-debt") ?? 0);
  if (owed > 0) await payOwed(tx, poster, into, { ...entry, part: 2 }, owed);
}
interface Entry {
  readonly cause: "merge";
  readonly cause_id: string;
  readonly part: number;
  readonly occurred_at: string;
}
/** Of what can be spent first, what ends first at the head. */
async function payOwed(tx: Transaction, poster: Poster, holder: Holder, entry: Entry, owed: number): Promise<void> {
  const lots = await livingLots(tx, holder);
  const { taken } = clawOf(
    lots.toSorted((a, b) => Number(a.pending) - Number(b.pending)),
    owed,
  );
  for (const { lot_id, points } of taken) moveLot(tx, holder, lot_id, -points);
  const sum = (pending: boolean): number =>
    taken.reduce((all, { lot_id, points }) => all + (lots.find(({ id }) => id === lot_id)?.pending === pending ? points : 0), 0);
  const [usable, pending] = [sum(false), sum(true)];
  if (usable + pending > 0)
    await postValue(tx, poster, holder, {
      ...entry,
      lines: { points: -usable, "points-pending": -pending, "points-debt": usable + pending },
    });
}

/** What is left of a member's stored value, by lot. */
async function storedLots(
  tx: Transaction,
  { service_provider_id, merchant_id, member_id }: Holder,
): Promise<(Drawn & { readonly sold_store_id: string })[]> {
  return tx
    .selectFrom("value_lots")
    .select(["id as lot_id", "sold_store_id", "principal_left_cents as principal_cents", "gift_left_cents as gift_cents"])
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id)
    .where("member_id", "=", member_id)
    .where(sql<boolean>`principal_left_cents + gift_left_cents > 0`)
    .execute();
}

/**
 * 注销: gifts and points end, debt is forgiven; nothing stays on the bare id. Principal and times stay where they are: who has them is not
 * forgotten. Once more changes nothing.
 */
export async function endHolder(tx: Transaction, poster: Poster, whose: Holder): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  const has = await balancesOf(tx, holder);
  const of = (kind: string): number => has.get(kind) ?? 0;
  const entry = { cause_id: holder.member_id, occurred_at: nowOf(poster) };
  const lots = (await storedLots(tx, holder)).filter(({ gift_cents }) => gift_cents > 0);
  for (const { lot_id, gift_cents, sold_store_id } of lots) {
    await tx
      .updateTable("value_lots")
      .set((set) => ({ gift_left_cents: 0, cut_gift_cents: set("cut_gift_cents", "+", gift_cents) }))
      .where("service_provider_id", "=", holder.service_provider_id)
      .where("id", "=", lot_id)
      .where("gift_left_cents", "=", gift_cents)
      .executeTakeFirstOrThrow();
    const gone = { cause: "gift-closed" as const, cause_id: holder.member_id, store_id: sold_store_id, sign: -1 as const };
    await noteMoves(tx, poster, holder, gone, [{ lot_id, principal_cents: 0, gift_cents }]);
  }
  if (of("gift") > 0)
    await postValue(tx, poster, holder, { ...entry, cause: "gift-closed", lines: { gift: -of("gift"), "gift-void": of("gift") } });
  for (const { id, left_points } of await livingLots(tx, holder)) moveLot(tx, holder, id, -left_points);
  const points = { points: -of("points"), "points-pending": -of("points-pending"), "points-debt": -of("points-debt") };
  const ended = of("points") + of("points-pending") + of("points-debt");
  if (ended !== 0 || of("points-debt") !== 0)
    await postValue(tx, poster, holder, { ...entry, cause: "points-closed", lines: { ...points, "points-cleared": ended } });
}
