import { sql } from "kysely";
import type { Poster } from "@zhangfang/server/book.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { drawLots, type Drawn } from "../draw-rules.ts";
import { lockHolders, lockReceiver, waitForHolder, type Holder } from "../post-value.ts";
import { lotsOf, type Stored } from "../stored-value.ts";
import { changed, cutLot, type LotAct, lotRow, nowOf, post, readLot } from "./cut-lots.ts";
import { noteMoves } from "./note-moves.ts";

const sumOf = (parts: readonly Drawn[]): Stored => ({
  principal_cents: parts.reduce((sum, { principal_cents }) => sum + principal_cents, 0),
  gift_cents: parts.reduce((sum, { gift_cents }) => sum + gift_cents, 0),
});
/** Both are locked in one order, so that two who send to each other never wait in a ring. */
async function lockPair(tx: Transaction, holder: Holder, to: Holder): Promise<void> {
  await lockHolders(tx, [holder, to]);
  for (const one of [holder, to]) await lockReceiver(tx, one);
}

/**
 * Moves stored value to another member of the merchant, out of the oldest lots as a spending would draw it: each part is a lot of the
 * other, sold where and when it was.
 * @returns what of it was principal and what gift @throws 409 `stored.gone`
 */
export async function moveLots(
  tx: Transaction,
  poster: Poster,
  holder: Holder,
  { to_member_id, cents, ...act }: LotAct & { readonly to_member_id: string; readonly cents: number },
): Promise<Stored> {
  const to = { ...holder, member_id: to_member_id };
  await lockPair(tx, holder, to);
  const parts = drawLots(await lotsOf(tx, holder), cents);
  if (!parts) throw conflict("储值余额不足", "stored.gone");
  for (const part of parts) await cutLot(tx, holder, part);
  const { principal_cents: principal, gift_cents: gift } = sumOf(parts);
  await post(tx, poster, holder, "stored-transfer", act, { principal: -principal, gift: -gift, transferred: cents });
  await arrive(tx, poster, holder, to, parts, act);
  return { principal_cents: principal, gift_cents: gift };
}

/**
 * Sets aside what is to move once the other has said yes, drawn as above; of lots of which something is held already nothing is.
 * @returns its parts, which the caller keeps @throws 409 `stored.gone`
 */
export async function holdMove(
  tx: Transaction,
  poster: Poster,
  whose: Holder,
  { cents, ...act }: LotAct & { readonly cents: number },
): Promise<Drawn[]> {
  const holder = await waitForHolder(tx, whose);
  const held = await tx
    .selectFrom("value_lots")
    .select("id")
    .where("service_provider_id", "=", holder.service_provider_id)
    .where("merchant_id", "=", holder.merchant_id)
    .where("member_id", "=", holder.member_id)
    .where(sql<boolean>`held_principal_cents + held_gift_cents > 0`)
    .execute();
  const free = (await lotsOf(tx, holder)).filter(({ id }) => held.every((lot) => lot.id !== id));
  const parts = drawLots(free, cents);
  if (!parts) throw conflict("能转的储值余额不足", "stored.gone");
  for (const part of parts) await setAside(tx, holder, part, 1);
  const { principal_cents: principal, gift_cents: gift } = sumOf(parts);
  await post(tx, poster, holder, "transfer-hold", act, {
    principal: -principal,
    "principal-held": principal,
    gift: -gift,
    "gift-held": gift,
  });
  return parts;
}
/** Nobody took it: the parts are there again. */
export async function releaseMove(tx: Transaction, poster: Poster, whose: Holder, parts: readonly Drawn[], act: LotAct): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  for (const part of parts) await setAside(tx, holder, part, -1);
  const { principal_cents: principal, gift_cents: gift } = sumOf(parts);
  await post(tx, poster, holder, "transfer-release", act, {
    "principal-held": -principal,
    principal,
    "gift-held": -gift,
    gift,
  });
}
/** The other took it: the parts are theirs. */
export async function finishMove(
  tx: Transaction,
  poster: Poster,
  holder: Holder,
  parts: readonly Drawn[],
  { to_member_id, ...act }: LotAct & { readonly to_member_id: string },
): Promise<void> {
  const to = { ...holder, member_id: to_member_id };
  await lockPair(tx, holder, to);
  for (const { lot_id, principal_cents, gift_cents } of parts)
    changed(
      await lotRow(tx, holder, lot_id)
        .set((set) => ({
          held_principal_cents: set("held_principal_cents", "-", principal_cents),
          held_gift_cents: set("held_gift_cents", "-", gift_cents),
          cut_principal_cents: set("cut_principal_cents", "+", principal_cents),
          cut_gift_cents: set("cut_gift_cents", "+", gift_cents),
        }))
        .where("held_principal_cents", ">=", principal_cents)
        .where("held_gift_cents", ">=", gift_cents)
        .executeTakeFirst(),
      lot_id,
    );
  const { principal_cents: principal, gift_cents: gift } = sumOf(parts);
  const lines = { "principal-held": -principal, "gift-held": -gift, transferred: principal + gift };
  await post(tx, poster, holder, "stored-transfer", act, lines);
  await arrive(tx, poster, holder, to, parts, act);
}

/** @param sign 1 sets a part of a lot aside, −1 gives it back */
async function setAside(tx: Transaction, holder: Holder, { lot_id, principal_cents, gift_cents }: Drawn, sign: 1 | -1): Promise<void> {
  changed(
    await lotRow(tx, holder, lot_id)
      .set((set) => ({
        principal_left_cents: set("principal_left_cents", "-", sign * principal_cents),
        gift_left_cents: set("gift_left_cents", "-", sign * gift_cents),
        held_principal_cents: set("held_principal_cents", "+", sign * principal_cents),
        held_gift_cents: set("held_gift_cents", "+", sign * gift_cents),
      }))
      .executeTakeFirst(),
    lot_id,
  );
}
/** The parts as lots of the other, and both sides' moves; the sender's own entry stands already. */
async function arrive(tx: Transaction, poster: Poster, holder: Holder, to: Holder, parts: readonly Drawn[], act: LotAct): Promise<void> {
  const arrived: Drawn[] = [];
  for (const { lot_id, principal_cents, gift_cents } of parts) {
    const { service_provider_id, merchant_id, sold_store_id, sold_at, mode } = await readLot(tx, holder, lot_id);
    const id = poster.ids.uuid(poster.now_ms);
    await tx
      .insertInto("value_lots")
      .values({
        service_provider_id,
        merchant_id,
        sold_store_id,
        sold_at,
        mode,
        id,
        member_id: to.member_id,
        principal_cents,
        gift_cents,
        principal_left_cents: principal_cents,
        gift_left_cents: gift_cents,
        order_id: null,
        from_lot: lot_id,
        created_at: nowOf(poster),
      })
      .execute();
    arrived.push({ lot_id: id, principal_cents, gift_cents });
  }
  const { principal_cents: principal, gift_cents: gift } = sumOf(parts);
  await post(tx, poster, to, "stored-transfer", act, { transferred: -principal - gift, principal, gift });
  await noteMoves(tx, poster, holder, { ...act, cause: "stored-transfer", sign: -1 }, parts);
  await noteMoves(tx, poster, to, { ...act, cause: "stored-transfer", sign: 1 }, arrived);
}
