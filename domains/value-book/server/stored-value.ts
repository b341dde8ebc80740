import type { Poster } from "@zhangfang/server/book.ts";
import { ask, behind, mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { DrawMode } from "../contract.ts";
import { backToLots, drawLots, type Drawn, type Lot } from "./draw-rules.ts";
import { noteMoves } from "./lots/note-moves.ts";
import { lockReceiver, partsOf, postValue, waitAndLook, waitForHolder, whoHolds, type Holder, type ValueOrder } from "./post-value.ts";

/** Principal and gift of one movement, in cents. */
export interface Stored {
  readonly principal_cents: number;
  readonly gift_cents: number;
}
const NOTHING: Stored = { principal_cents: 0, gift_cents: 0 };
const sumOf = (all: readonly Stored[]): Stored =>
  all.reduce(
    (sum, one) => ({ principal_cents: sum.principal_cents + one.principal_cents, gift_cents: sum.gift_cents + one.gift_cents }),
    NOTHING,
  );
const nowOf = ({ now_ms }: Poster): string => new Date(now_ms).toISOString();

/** A recharge that is paid, or a balance that was brought along. */
export interface NewLot extends Stored {
  readonly cause: "recharge" | "opening" | "gift" | "stored-adjust" | "birthday";
  /** The recharge; the line of an import; what a gift was given for. One lot there can be of it. */
  readonly cause_id: string;
  readonly order_id?: string;
  readonly sold_store_id: string;
  readonly mode: DrawMode;
}
/** Adds a lot to a member's stored value, once for its cause. @returns its id; undefined where it was added before */
export async function addLot(tx: Transaction, poster: Poster, whose: Holder, lot: NewLot): Promise<string | undefined> {
  const holder = await lockReceiver(tx, whose);
  if ((await partsOf(tx, holder, lot.cause, lot.cause_id)).length > 0) return undefined;
  const { cause, cause_id, order_id, sold_store_id, mode, principal_cents, gift_cents } = lot;
  const id = poster.ids.uuid(poster.now_ms);
  await tx
    .insertInto("value_lots")
    .values({
      ...holder,
      id,
      sold_store_id,
      mode,
      principal_cents,
      gift_cents,
      principal_left_cents: principal_cents,
      gift_left_cents: gift_cents,
      order_id: order_id ?? null,
      created_at: nowOf(poster),
      sold_at: nowOf(poster),
    })
    .execute();
  const whole = principal_cents + gift_cents;
  await postValue(tx, poster, holder, {
    cause,
    cause_id,
    order_id,
    store_id: sold_store_id,
    occurred_at: nowOf(poster),
    lines: {
      principal: principal_cents,
      gift: gift_cents,
      ...(cause === "opening" ? { opening: -whole } : { sold: -principal_cents, granted: -gift_cents }),
    },
  });
  const added = { cause, cause_id, order_id, store_id: sold_store_id, sign: 1 as const };
  await noteMoves(tx, poster, holder, added, [{ lot_id: id, principal_cents, gift_cents }]);
  return id;
}

/** What is left of a member's lots, the oldest first. */
export async function lotsOf(tx: Transaction, { service_provider_id, merchant_id, member_id }: Holder): Promise<Lot[]> {
  const rows = await ask(
    tx,
    tx
      .selectFrom("value_lots")
      .select((row) => [
        "id",
        "mode",
        // Of what was moved away or paid back nothing is reckoned any more.
        row("principal_cents", "-", row.ref("cut_principal_cents")).as("principal_cents"),
        row("gift_cents", "-", row.ref("cut_gift_cents")).as("gift_cents"),
        "principal_left_cents",
        "gift_left_cents",
      ])
      .where("service_provider_id", "=", service_provider_id)
      .where("merchant_id", "=", merchant_id)
      .where("member_id", "=", member_id)
      .where((where) => where.or([where("principal_left_cents", ">", 0), where("gift_left_cents", ">", 0)]))
      .orderBy("created_at")
      .orderBy("id"),
  );
  return rows.map((row) => ({ ...row, mode: row.mode as DrawMode }));
}

/**
 * Sets `cents` of a member's stored value aside for an order; once more for the same order changes nothing.
 * @returns what of it is principal and what was given
 * @throws 409 `stored.gone` where there is not so much any more
 */
export async function holdStored(tx: Transaction, poster: Poster, whose: Holder, order: ValueOrder, cents: number): Promise<Stored> {
  const look = (them: Holder) => Promise.all([drawsOf(tx, them, order), lotsOf(tx, them)]);
  const [holder, [known, lots]] = await waitAndLook(tx, whose, look);
  const kept = known.filter(({ status }) => status !== 1);
  if (kept.length > 0) return sumOf(kept);
  const drawn = drawLots(lots, cents);
  if (!drawn) throw conflict("储值余额不足", "stored.gone");
  for (const draw of drawn) moveLot(tx, holder, draw, -1);
  behind(
    tx,
    tx.insertInto("value_draws").values(
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
  const { principal_cents, gift_cents } = sumOf(drawn);
  await postValue(tx, poster, holder, {
    ...of(order, poster),
    cause: "stored-hold",
    cause_id: order.id,
    // It was set aside before where it was released before.
    part: known.length === 0 ? 0 : (await partsOf(tx, holder, "stored-hold", order.id)).length,
    lines: { principal: -principal_cents, "principal-held": principal_cents, gift: -gift_cents, "gift-held": gift_cents },
  });
  return { principal_cents, gift_cents };
}

/**
 * The order is paid: what it set aside is spent. One that was closed before sets aside once more first.
 * @param placed what it came to when it was placed, of which the order's figures are made
 * @returns false where that is gone meanwhile, or would come out of other lots in another proportion; nothing is spent then
 */
export async function takeStored(tx: Transaction, poster: Poster, whose: Holder, order: ValueOrder, placed: Stored): Promise<boolean> {
  const [{ holder }, ended] = await Promise.all([whoHolds(tx, whose), endDraws(tx, whose, order, 2)]);
  let taken = ended;
  if (taken.length === 0) {
    if ((await partsOf(tx, holder, "stored-take", order.id)).length > 0) return true;
    const cents = placed.principal_cents + placed.gift_cents;
    const drawn = drawLots(await lotsOf(tx, holder), cents);
    if (!drawn || sumOf(drawn).gift_cents !== placed.gift_cents) return false;
    await holdStored(tx, poster, holder, order, cents);
    taken = await endDraws(tx, holder, order, 2);
  }
  const { principal_cents, gift_cents } = sumOf(taken);
  await postValue(tx, poster, holder, {
    ...of(order, poster),
    cause: "stored-take",
    cause_id: order.id,
    lines: { "principal-held": -principal_cents, earned: principal_cents, "gift-held": -gift_cents, "gift-used": gift_cents },
  });
  await noteMoves(
    tx,
    poster,
    holder,
    { cause: "stored-take", cause_id: order.id, order_id: order.id, store_id: order.store_id, sign: -1 },
    taken,
  );
  return true;
}

/** The order was closed unpaid: what it set aside is there again. Once more changes nothing. */
export async function releaseStored(tx: Transaction, poster: Poster, whose: Holder, order: ValueOrder): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  const held = await drawsOf(tx, holder, order, 0);
  if (held.length === 0) return;
  for (const draw of held) moveLot(tx, holder, draw, 1);
  const { principal_cents, gift_cents } = sumOf(await endDraws(tx, holder, order, 1));
  await postValue(tx, poster, holder, {
    ...of(order, poster),
    cause: "stored-release",
    cause_id: order.id,
    part: (await partsOf(tx, holder, "stored-release", order.id)).length,
    lines: { "principal-held": -principal_cents, principal: principal_cents, "gift-held": -gift_cents, gift: gift_cents },
  });
}

/**
 * A refund gives stored value back, to the lots that it came from, once for the refund. Who has left gets the principal outside of the
 * book: it is spent no more and owed no more, and the gift is void.
 * @returns principal that is to be paid to somebody who has left
 * @throws 409 where more is to go back than the order spent
 */
export async function returnStored(
  tx: Transaction,
  poster: Poster,
  whose: Holder,
  order: ValueOrder,
  { refund_id, principal_cents, gift_cents }: Stored & { readonly refund_id: string },
): Promise<number> {
  const { holder, gone } = await whoHolds(tx, whose);
  if (principal_cents + gift_cents === 0 || (await partsOf(tx, holder, "stored-back", refund_id)).length > 0) return 0;
  const draws = await drawsOf(tx, holder, order, 2);
  const backs = backToLots(draws, principal_cents, gift_cents);
  if (!backs) throw conflict("退回的储值超过订单所用", "stored.returned");
  for (const back of backs) {
    if (gone) await writeOff(tx, holder, back);
    else moveLot(tx, holder, back, 1);
    mustChange(
      await tx
        .updateTable("value_draws")
        .set((set) => ({
          returned_principal_cents: set("returned_principal_cents", "+", back.principal_cents),
          returned_gift_cents: set("returned_gift_cents", "+", back.gift_cents),
        }))
        .where("service_provider_id", "=", holder.service_provider_id)
        .where("order_id", "=", order.id)
        .where("lot_id", "=", back.lot_id)
        .where("status", "=", 2)
        .executeTakeFirst(),
      () => new Error(`a draw of order ${order.id} is gone`),
    );
  }
  await postValue(tx, poster, holder, {
    ...of(order, poster),
    cause: "stored-back",
    cause_id: refund_id,
    refund_id,
    lines: {
      earned: -principal_cents,
      "gift-used": -gift_cents,
      ...(gone ? { returned: principal_cents, "gift-void": gift_cents } : { principal: principal_cents, gift: gift_cents }),
    },
  });
  const back = {
    cause: "stored-back" as const,
    cause_id: refund_id,
    order_id: order.id,
    refund_id,
    store_id: order.store_id,
    sign: 1 as const,
  };
  await noteMoves(tx, poster, holder, back, backs);
  if (!gone) return 0;
  await noteMoves(tx, poster, holder, { ...back, cause: "closed-back", sign: -1 }, backs);
  return principal_cents;
}
/** What would have gone back to a lot is gone. */
async function writeOff(tx: Transaction, { service_provider_id }: Holder, gone: Drawn): Promise<void> {
  mustChange(
    await tx
      .updateTable("value_lots")
      .set((set) => ({
        cut_principal_cents: set("cut_principal_cents", "+", gone.principal_cents),
        cut_gift_cents: set("cut_gift_cents", "+", gone.gift_cents),
      }))
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", gone.lot_id)
      .executeTakeFirst(),
    () => new Error(`the lot ${gone.lot_id} is gone`),
  );
}

const of = (order: ValueOrder, poster: Poster) => ({ order_id: order.id, store_id: order.store_id, occurred_at: nowOf(poster) });

/** What an order drew, in the order of drawing. @param status 0 set aside, 1 released, 2 taken; any where none is named */
async function drawsOf(tx: Transaction, { service_provider_id }: Holder, order: ValueOrder, ...status: readonly (0 | 2)[]) {
  return ask(
    tx,
    tx
      .selectFrom("value_draws")
      .select(["status", "lot_id", "principal_cents", "gift_cents", "returned_principal_cents", "returned_gift_cents"])
      .where("service_provider_id", "=", service_provider_id)
      .where("order_id", "=", order.id)
      .where("status", "in", status.length > 0 ? status : [0, 1, 2])
      .orderBy("place"),
  );
}
/** @param status 1 released, 2 taken @returns what was set aside of each lot */
async function endDraws(tx: Transaction, { service_provider_id }: Holder, order: ValueOrder, status: 1 | 2): Promise<Drawn[]> {
  return ask(
    tx,
    tx
      .updateTable("value_draws")
      .set({ status })
      .where("service_provider_id", "=", service_provider_id)
      .where("order_id", "=", order.id)
      .where("status", "=", 0)
      .returning(["lot_id", "principal_cents", "gift_cents"]),
  );
}
/** @param sign −1 what is drawn of it, 1 what goes back; its checks hold it between nothing and what it was sold with */
function moveLot(tx: Transaction, { service_provider_id }: Holder, moved: Drawn, sign: 1 | -1): void {
  behind(
    tx,
    tx
      .updateTable("value_lots")
      .set((set) => ({
        principal_left_cents: set("principal_left_cents", "+", sign * moved.principal_cents),
        gift_left_cents: set("gift_left_cents", "+", sign * moved.gift_cents),
      }))
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", moved.lot_id),
    (changed) => mustChange(changed, () => new Error(`the lot ${moved.lot_id} is gone`)),
  );
}
