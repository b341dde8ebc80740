import { sql } from "kysely";
import type { Poster } from "@zhangfang/server/book.ts";
import { ask, asPlatform, behind, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { backPoints, clawPoints as clawOf, drawPoints, graceUntil, payOff, type PointLot } from "./draw-rules.ts";
import {
  balancesOf,
  lockReceiver,
  partsOf,
  postValue,
  waitAndLook,
  waitForHolder,
  whoHolds,
  type Holder,
  type ValueOrder,
} from "./post-value.ts";

const nowOf = ({ now_ms }: Poster): string => new Date(now_ms).toISOString();
const todayOf = ({ now_ms }: Poster): string => shanghaiDay(now_ms);
const total = (all: readonly { readonly points: number }[]): number => all.reduce((sum, { points }) => sum + points, 0);

/** Points that a member gets. */
export interface NewPoints {
  readonly cause: "points-earned" | "points-opening" | "points-given" | "points-adjust" | "points-task";
  /** With the cause it names them: an order, a line of an import, a task's row, a gift of a right. Once there are no more. */
  readonly cause_id: string;
  readonly points: number;
  /** Shanghai days: from which they can be spent, and the last one on which they can; null for ever. */
  readonly usable_from: string;
  readonly expires_on: string | null;
  readonly order_id?: string;
  readonly store_id?: string;
}
const FROM = {
  "points-earned": "points-issued",
  "points-given": "points-issued",
  "points-opening": "points-opening",
  "points-adjust": "points-adjusted",
  "points-task": "points-adjusted",
} as const;
/** Adds points: what the member owes is paid off first, and the rest is a lot. @returns false where they were added before */
export async function addPoints(tx: Transaction, poster: Poster, whose: Holder, given: NewPoints): Promise<boolean> {
  const { cause, cause_id, points, usable_from, expires_on, order_id, store_id } = given;
  const holder = await lockReceiver(tx, whose);
  const balances = await balancesOf(tx, holder);
  if ((await partsOf(tx, holder, cause, cause_id)).length > 0) return false;
  const owed = payOff(points, balances.get("points-debt") ?? 0);
  const pending = usable_from > todayOf(poster);
  if (points > owed) await addLot(tx, poster, holder, { points: points - owed, pending, usable_from, expires_on, order_id });
  await postValue(tx, poster, holder, {
    cause,
    cause_id,
    order_id,
    store_id,
    occurred_at: nowOf(poster),
    lines: {
      [FROM[cause]]: -points,
      "points-debt": owed,
      [pending ? "points-pending" : "points"]: points - owed,
    },
  });
  return true;
}

/** What a member can spend today, and what else there is. */
export interface Points {
  readonly usable: number;
  readonly pending: number;
  /** 欠分: owed, as a positive number. */
  readonly owed: number;
}
const left = (all: readonly PointLot[]): number => all.reduce((sum, lot) => sum + lot.left_points, 0);
/** What of it can be spent, alone: for prices. @param today as below */
export async function usablePoints(tx: Transaction, holder: Holder, today: string): Promise<number> {
  return left((await livingLots(tx, holder)).filter((lot) => isUsable(lot, today)));
}
/** @param today what has ended before it is not counted, whether the night's run has cleared it or not */
export async function pointsOf(tx: Transaction, holder: Holder, today: string): Promise<Points> {
  const lots = await livingLots(tx, holder);
  const debt = await tx
    .selectFrom("value_accounts")
    .select("balance")
    .where("service_provider_id", "=", holder.service_provider_id)
    .where("merchant_id", "=", holder.merchant_id)
    .where("owner_id", "=", holder.member_id)
    .where("kind", "=", "points-debt")
    .executeTakeFirst();
  return {
    usable: left(lots.filter((lot) => isUsable(lot, today))),
    pending: left(lots.filter(({ usable_from }) => usable_from > today)),
    owed: Math.abs(debt?.balance ?? 0),
  };
}

/**
 * Sets points aside for an order, of the lots that end first; once more for the same order changes nothing.
 * @throws 409 `points.gone` where there are not so many any more
 */
export async function holdPoints(tx: Transaction, poster: Poster, whose: Holder, order: ValueOrder, points: number): Promise<void> {
  const look = (them: Holder) => Promise.all([drawsOf(tx, them, order), livingLots(tx, them)]);
  const [holder, [known, living]] = await waitAndLook(tx, whose, look);
  if (known.some(({ status }) => status !== 1)) return;
  const lots = await tend(tx, poster, holder, living);
  const drawn = drawPoints(
    lots.filter(({ pending }) => !pending),
    points,
  );
  if (!drawn) throw conflict("积分不足", "points.gone");
  for (const { lot_id, points: some } of drawn) moveLot(tx, holder, lot_id, -some);
  behind(
    tx,
    tx.insertInto("point_draws").values(
      drawn.map((draw, at) => ({
        ...holder,
        ...draw,
        id: poster.ids.uuid(poster.now_ms),
        store_id: order.store_id,
        order_id: order.id,
        status: 0,
        place: at + 1,
      })),
    ),
  );
  await postValue(tx, poster, holder, {
    ...of(order, poster),
    cause: "points-hold",
    cause_id: order.id,
    // They were set aside before where they were released before.
    part: known.length === 0 ? 0 : (await partsOf(tx, holder, "points-hold", order.id)).length,
    lines: { points: -points, "points-held": points },
  });
}

/**
 * The order is paid: its points are spent. One that was closed before sets them aside once more first.
 * @returns false where they are gone meanwhile; none are spent then
 */
export async function takePoints(tx: Transaction, poster: Poster, whose: Holder, order: ValueOrder, points: number): Promise<boolean> {
  const [{ holder }, ended] = await Promise.all([whoHolds(tx, whose), endDraws(tx, whose, order, 2)]);
  let taken = ended;
  if (taken === 0) {
    if ((await partsOf(tx, holder, "points-take", order.id)).length > 0) return true;
    if ((await pointsOf(tx, holder, todayOf(poster))).usable < points) return false;
    await holdPoints(tx, poster, holder, order, points);
    taken = await endDraws(tx, holder, order, 2);
  }
  await postValue(tx, poster, holder, {
    ...of(order, poster),
    cause: "points-take",
    cause_id: order.id,
    lines: { "points-held": -taken, "points-used": taken },
  });
  return true;
}

/** The order was closed unpaid: its points are there again, less what the member owes by now. Once more changes nothing. */
export async function releasePoints(tx: Transaction, poster: Poster, whose: Holder, order: ValueOrder): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  const balances = await balancesOf(tx, holder);
  const held = await drawsOf(tx, holder, order, 0);
  if (held.length === 0) return;
  const points = await endDraws(tx, holder, order, 1);
  const owed = payOff(points, balances.get("points-debt") ?? 0);
  await refill(tx, holder, held, owed);
  await postValue(tx, poster, holder, {
    ...of(order, poster),
    cause: "points-release",
    cause_id: order.id,
    part: (await partsOf(tx, holder, "points-release", order.id)).length,
    lines: { "points-held": -points, points: points - owed, "points-debt": owed },
  });
}

/**
 * A refund gives points back that the order spent, once for the refund: first to what the member owes, then to the lots that they came
 * from; for lots that have ended meanwhile there is a new one.
 * @param back.grace_days how long the new one is good, today not counted
 * @throws 409 where more are to go back than the order spent
 */
export async function returnPoints(
  tx: Transaction,
  poster: Poster,
  whose: Holder,
  order: ValueOrder,
  { refund_id, points, grace_days }: { readonly refund_id: string; readonly points: number; readonly grace_days: number },
): Promise<void> {
  const { holder, gone } = await whoHolds(tx, whose);
  const balances = await balancesOf(tx, holder);
  if (points === 0 || (await partsOf(tx, holder, "points-back", refund_id)).length > 0) return;
  const today = todayOf(poster);
  const back = backPoints(await drawsOf(tx, holder, order, 2), points, today);
  if (!back) throw conflict("退回的积分超过订单所用", "points.returned");
  for (const { lot_id, points: some } of back.backs) await countBack(tx, holder, order, lot_id, some);
  const named = { ...of(order, poster), cause: "points-back" as const, cause_id: refund_id, refund_id };
  // Nothing comes to who has left.
  if (gone) return postValue(tx, poster, holder, { ...named, lines: { "points-used": -points, "points-cleared": points } });
  const owed = payOff(points, balances.get("points-debt") ?? 0);
  // What ends sooner pays the debt.
  const ended = Math.max(0, back.ended_points - owed);
  await refill(tx, holder, back.backs.filter(({ alive }) => alive).toReversed(), owed - (back.ended_points - ended));
  if (ended > 0)
    await addLot(tx, poster, holder, {
      points: ended,
      pending: false,
      usable_from: today,
      expires_on: graceUntil(today, grace_days),
      order_id: order.id,
    });
  await postValue(tx, poster, holder, {
    ...named,
    lines: { "points-used": -points, points: points - owed, "points-debt": owed },
  });
}

/**
 * A refund takes back points that the order earned, once for the refund: pending ones, the order's own, then others; what is not there
 * any more is owed.
 */
export async function clawPoints(
  tx: Transaction,
  poster: Poster,
  whose: Holder,
  order: ValueOrder,
  {
    points,
    ...by
  }: ({ readonly refund_id: string } | { /** What gave them with the order, where it did not earn them. */ readonly cause_id: string }) & {
    readonly points: number;
  },
): Promise<void> {
  const { holder, gone } = await whoHolds(tx, whose);
  const cause_id = "refund_id" in by ? by.refund_id : by.cause_id;
  if (points === 0 || (await partsOf(tx, holder, "points-claw", cause_id)).length > 0) return;
  const named = { ...of(order, poster), cause: "points-claw" as const, cause_id, ...("refund_id" in by && { refund_id: by.refund_id }) };
  // Who has left has none and owes none.
  if (gone) return postValue(tx, poster, holder, { ...named, lines: { "points-cleared": -points, "points-issued": points } });
  const lots = await tend(tx, poster, holder);
  const rank = (lot: HeldLot): number => (lot.order_id === order.id ? 0 : 2) + (lot.pending ? -1 : 0);
  const { taken, owed_points } = clawOf(
    lots.toSorted((a, b) => rank(a) - rank(b)),
    points,
  );
  for (const { lot_id, points: some } of taken) moveLot(tx, holder, lot_id, -some);
  const pending = total(taken.filter(({ lot_id }) => lots.some((lot) => lot.id === lot_id && lot.pending)));
  await postValue(tx, poster, holder, {
    ...named,
    lines: { "points-pending": -pending, points: pending - total(taken), "points-debt": -owed_points, "points-issued": points },
  });
}

/**
 * Deducts points by hand, once for the cause: at most what can be spent today, of what ends first. Nothing is owed for it.
 * @returns how many there were to deduct
 */
export async function deductPoints(
  tx: Transaction,
  poster: Poster,
  whose: Holder,
  { cause_id, points, store_id }: { readonly cause_id: string; readonly points: number; readonly store_id?: string },
): Promise<number> {
  const holder = await waitForHolder(tx, whose);
  if ((await partsOf(tx, holder, "points-adjust", cause_id)).length > 0) throw conflict("此调整已生效", "points.adjusted");
  const lots = (await tend(tx, poster, holder)).filter(({ pending }) => !pending);
  const { taken } = clawOf(lots, points);
  for (const { lot_id, points: some } of taken) moveLot(tx, holder, lot_id, -some);
  const deducted = total(taken);
  if (deducted > 0)
    await postValue(tx, poster, holder, {
      cause: "points-adjust",
      cause_id,
      store_id,
      occurred_at: nowOf(poster),
      lines: { points: -deducted, "points-adjusted": deducted },
    });
  return deducted;
}

/**
 * Freezes what will be cleared of these lots at the end of a day: what is left of them now is the most that is cleared of them then.
 * Whoever calls holds them.
 */
export async function tellLots(tx: Transaction, service_provider_id: string, lot_ids: readonly string[], ends_on: string): Promise<void> {
  await sql`update point_lots set told_points = left_points, expires_on = ${ends_on}
    where service_provider_id = ${service_provider_id} and id = any(${lot_ids}::uuid[])`.execute(tx);
}
/** Whose lots. */
export interface LotsOf {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
/** The days from which the living lots of a merchant can be spent, whose end nobody has told yet. */
export async function livingDays(tx: Transaction, merchant: LotsOf): Promise<string[]> {
  const rows = await tx
    .selectFrom("point_lots")
    .select("usable_from")
    .distinct()
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.merchant_id)
    .where("left_points", ">", 0)
    .where("told_points", "is", null)
    .execute();
  return rows.map(({ usable_from }) => usable_from);
}
/** Gives the living lots of those days another end; what was told stays as it was told. */
export async function endLots(
  tx: Transaction,
  { service_provider_id, merchant_id }: LotsOf,
  ends: readonly { readonly usable_from: string; readonly expires_on: string | null }[],
): Promise<void> {
  await sql`update point_lots l set expires_on = e.ends from
      unnest(${ends.map(({ usable_from }) => usable_from)}::date[], ${ends.map(({ expires_on }) => expires_on)}::date[]) e (day, ends)
    where l.service_provider_id = ${service_provider_id} and l.merchant_id = ${merchant_id} and l.usable_from = e.day and l.left_points > 0
      and l.told_points is null`.execute(tx);
}
/** Undoes it for one lot: it ends on that day, and is told as it was before. */
export async function untellLot(
  tx: Transaction,
  service_provider_id: string,
  lot_id: string,
  then: { readonly expires_on: string | null; readonly told_points: number | null },
): Promise<void> {
  await tx
    .updateTable("point_lots")
    .set(then)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", lot_id)
    .where("told_points", "is not", null)
    .execute();
}

/** Points whose day has come can be spent, and points whose last day is over are cleared, once for each lot. */
export async function tendPoints(tx: Transaction, poster: Poster, whose: Holder): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  await tend(tx, poster, holder);
}

const of = (order: ValueOrder, poster: Poster) => ({ order_id: order.id, store_id: order.store_id, occurred_at: nowOf(poster) });

/** What came back of a lot after its end was told goes on for so long. */
const TOLD_GRACE_DAYS = 30;
interface HeldLot extends PointLot {
  readonly order_id: string | null;
  readonly told_points: number | null;
  readonly pending: boolean;
  readonly usable_from: string;
}
const isUsable = ({ usable_from, expires_on }: HeldLot, today: string): boolean =>
  usable_from <= today && (expires_on === null || expires_on >= today);

/** What is left of a member's points, what ends first at the head, what never ends last. */
export async function livingLots(tx: Transaction, { service_provider_id, merchant_id, member_id }: Holder): Promise<HeldLot[]> {
  return ask(
    tx,
    tx
      .selectFrom("point_lots")
      .select(["id", "left_points", "expires_on", "order_id", "pending", "usable_from", "told_points"])
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("member_id", "=", member_id)
      .where("left_points", ">", 0)
      .orderBy("expires_on", (order) => order.asc().nullsLast())
      .orderBy("created_at")
      .orderBy("id"),
  );
}
/** The same by one who holds the member, of lots read since. @returns those that live then, what ends first at the head */
async function tend(tx: Transaction, poster: Poster, holder: Holder, lots?: readonly HeldLot[]): Promise<HeldLot[]> {
  const today = todayOf(poster);
  const living: HeldLot[] = [];
  for (const lot of lots ?? (await livingLots(tx, holder))) {
    const { id: cause_id, left_points: left, pending, usable_from, expires_on } = lot;
    const ripe = pending && usable_from <= today;
    if (ripe)
      // These entries are of no store, and whoever comes first may be a till.
      await asPlatform(tx, async () => {
        await ripen(tx, holder, cause_id);
        const lines = { "points-pending": -left, points: left };
        await postValue(tx, poster, holder, { cause: "points-ripe", cause_id, occurred_at: nowOf(poster), lines });
      });
    if (expires_on === null || expires_on >= today) living.push({ ...lot, pending: pending && !ripe });
    else {
      const goesOn = await asPlatform(tx, () => clear(tx, poster, holder, lot));
      if (goesOn) living.push(goesOn);
    }
  }
  return living;
}
/**
 * Clears what is left of a lot that has ended, once more where an order gave something back since. Of what its end was told for no more is
 * cleared than that, in all. @returns the new lot of what goes on
 */
async function clear(tx: Transaction, poster: Poster, holder: Holder, lot: HeldLot): Promise<HeldLot | undefined> {
  const { id: cause_id, left_points: left, told_points, order_id } = lot;
  const today = todayOf(poster);
  const { rows } = await sql<{ parts: number; points: number }>`select count(*)::int as parts, coalesce(sum(p.amount), 0)::bigint as points
    from value_entries e join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id and p.amount > 0
    where e.service_provider_id = ${holder.service_provider_id} and e.cause = 'points-clear' and e.cause_id = ${cause_id}`.execute(tx);
  const { parts: part, points: before } = rows[0] ?? { parts: 0, points: 0 };
  const cleared = told_points === null ? left : Math.min(left, Math.max(0, told_points - before));
  moveLot(tx, holder, cause_id, -left);
  const lines = { points: -cleared, "points-cleared": cleared };
  if (cleared > 0) await postValue(tx, poster, holder, { cause: "points-clear", cause_id, part, occurred_at: nowOf(poster), lines });
  if (left === cleared) return undefined;
  const goesOn = { pending: false, usable_from: today, expires_on: graceUntil(today, TOLD_GRACE_DAYS) };
  const id = await addLot(tx, poster, holder, { ...goesOn, points: left - cleared, order_id: order_id ?? undefined });
  return { ...goesOn, id, left_points: left - cleared, order_id, told_points: null };
}
async function ripen(tx: Transaction, { service_provider_id }: Holder, id: string): Promise<void> {
  mustChange(
    await tx
      .updateTable("point_lots")
      .set({ pending: false })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("pending", "=", true)
      .executeTakeFirst(),
    () => new Error(`the point lot ${id} is gone`),
  );
}
/** Points go back to their lots; the first of them pay off `owed` instead. */
async function refill(
  tx: Transaction,
  holder: Holder,
  backs: readonly { readonly lot_id: string; readonly points: number }[],
  owed: number,
): Promise<void> {
  let rest = owed;
  for (const { lot_id, points } of backs) {
    const paid = Math.min(rest, points);
    rest -= paid;
    if (points > paid) moveLot(tx, holder, lot_id, points - paid);
  }
}

async function addLot(
  tx: Transaction,
  poster: Poster,
  holder: Holder,
  lot: {
    readonly points: number;
    readonly pending: boolean;
    readonly usable_from: string;
    readonly expires_on: string | null;
    readonly order_id: string | undefined;
  },
): Promise<string> {
  const id = poster.ids.uuid(poster.now_ms);
  await tx
    .insertInto("point_lots")
    .values({
      ...holder,
      ...lot,
      id,
      left_points: lot.points,
      order_id: lot.order_id ?? null,
      created_at: nowOf(poster),
    })
    .execute();
  return id;
}
/** What an order drew and is still, in the order of drawing. @param status 0 set aside, 2 taken */
async function drawsOf(tx: Transaction, { service_provider_id }: Holder, order: ValueOrder, ...status: readonly (0 | 2)[]) {
  return ask(
    tx,
    tx
      .selectFrom("point_draws as d")
      .innerJoin("point_lots as l", (on) => on.onRef("l.service_provider_id", "=", "d.service_provider_id").onRef("l.id", "=", "d.lot_id"))
      .select(["d.status", "d.lot_id", "d.points", "d.returned_points", "l.expires_on"])
      .where("d.service_provider_id", "=", service_provider_id)
      .where("d.order_id", "=", order.id)
      .where("d.status", "in", status.length > 0 ? status : [0, 1, 2])
      .orderBy("d.place"),
  );
}
/** @param status 1 released, 2 taken @returns the points that were set aside */
async function endDraws(tx: Transaction, { service_provider_id }: Holder, order: ValueOrder, status: 1 | 2): Promise<number> {
  const ended = await ask(
    tx,
    tx
      .updateTable("point_draws")
      .set({ status })
      .where("service_provider_id", "=", service_provider_id)
      .where("order_id", "=", order.id)
      .where("status", "=", 0)
      .returning("points"),
  );
  return total(ended);
}
async function countBack(tx: Transaction, { service_provider_id }: Holder, order: ValueOrder, lot_id: string, points: number) {
  mustChange(
    await tx
      .updateTable("point_draws")
      .set((set) => ({ returned_points: set("returned_points", "+", points) }))
      .where("service_provider_id", "=", service_provider_id)
      .where("order_id", "=", order.id)
      .where("lot_id", "=", lot_id)
      .where("status", "=", 2)
      .executeTakeFirst(),
    () => new Error(`points of order ${order.id} are gone`),
  );
}
/** @param by below zero what is drawn, above what goes back; its checks hold it between nothing and what it came with */
export function moveLot(tx: Transaction, { service_provider_id }: Holder, id: string, by: number): void {
  behind(
    tx,
    tx
      .updateTable("point_lots")
      .set((set) => ({ left_points: set("left_points", "+", by) }))
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id),
    (moved) => mustChange(moved, () => new Error(`the point lot ${id} is gone`)),
  );
}
