import type { Poster } from "@zhangfang/server/book.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Drawn } from "../draw-rules.ts";
import { waitForHolder, partsOf, postValue, type Holder } from "../post-value.ts";
import { lotsOf, type Stored } from "../stored-value.ts";
import { noteMoves } from "./note-moves.ts";

/** What is done to a lot otherwise than by an order, and where. With the cause the id names it: it is done once. */
export interface LotAct {
  readonly cause_id: string;
  readonly store_id: string;
  readonly order_id?: string | undefined;
  readonly refund_id?: string | undefined;
}
export const nowOf = ({ now_ms }: Poster): string => new Date(now_ms).toISOString();
export const changed = (result: { numUpdatedRows: bigint } | undefined, id: string) =>
  mustChange(result as never, () => new Error(`the lot ${id} is not as it was read`));
export const lotRow = (tx: Transaction, { service_provider_id, member_id }: Holder, id: string) =>
  tx
    .updateTable("value_lots")
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", member_id)
    .where("id", "=", id);
export const readLot = (tx: Transaction, { service_provider_id, member_id }: Holder, id: string) =>
  tx
    .selectFrom("value_lots")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", member_id)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

/**
 * Sets aside everything that is left of a lot, for its card refund, beside what something else holds; nobody spends it meanwhile.
 * @returns what it was @throws 409 `stored.gone` where nothing is left
 */
export async function holdLot(tx: Transaction, poster: Poster, whose: Holder, lot_id: string, act: LotAct): Promise<Stored> {
  const holder = await waitForHolder(tx, whose);
  const { principal_left_cents: principal_cents, gift_left_cents: gift_cents } = await readLot(tx, holder, lot_id);
  if (principal_cents + gift_cents === 0) throw conflict("这一批已没有余额", "stored.gone");
  changed(
    await lotRow(tx, holder, lot_id)
      .set((set) => ({
        principal_left_cents: 0,
        gift_left_cents: 0,
        held_principal_cents: set("held_principal_cents", "+", principal_cents),
        held_gift_cents: set("held_gift_cents", "+", gift_cents),
      }))
      .where("principal_left_cents", "=", principal_cents)
      .where("gift_left_cents", "=", gift_cents)
      .executeTakeFirst(),
    lot_id,
  );
  await post(tx, poster, holder, "card-refund-hold", act, {
    principal: -principal_cents,
    "principal-held": principal_cents,
    gift: -gift_cents,
    "gift-held": gift_cents,
  });
  return { principal_cents, gift_cents };
}

/** The card refund was turned down, taken back or failed: what it held can be spent again. Once more changes nothing. */
export async function releaseLot(tx: Transaction, poster: Poster, whose: Holder, lot_id: string, act: LotAct): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  const { held_principal_cents: principal, held_gift_cents: gift } = await readLot(tx, holder, lot_id);
  if (principal + gift === 0) return;
  changed(
    await lotRow(tx, holder, lot_id)
      .set((set) => ({
        principal_left_cents: set("principal_left_cents", "+", principal),
        gift_left_cents: set("gift_left_cents", "+", gift),
        held_principal_cents: 0,
        held_gift_cents: 0,
      }))
      .where("held_principal_cents", "=", principal)
      .where("held_gift_cents", "=", gift)
      .executeTakeFirst(),
    lot_id,
  );
  await post(tx, poster, holder, "card-refund-release", act, {
    "principal-held": -principal,
    principal,
    "gift-held": -gift,
    gift,
  });
}

/**
 * The card refund is paid: what it held is gone, `pays_cents` went back to the customer, and the gift is void. Once more changes nothing.
 * @param held what this card refund holds of the lot; what something else holds stays
 */
export async function finishLot(
  tx: Transaction,
  poster: Poster,
  whose: Holder,
  lot_id: string,
  { principal_cents, gift_cents }: Stored,
  { pays_cents, ...act }: LotAct & { readonly pays_cents: number },
): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  if ((await partsOf(tx, holder, "card-refund", act.cause_id)).length > 0) return;
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
  await post(tx, poster, holder, "card-refund", act, {
    "principal-held": -principal_cents,
    returned: pays_cents,
    forfeited: principal_cents - pays_cents,
    "gift-held": -gift_cents,
    "gift-void": gift_cents,
  });
  await noteMoves(tx, poster, holder, { ...act, cause: "card-refund", sign: -1 }, [{ lot_id, principal_cents, gift_cents }]);
}

/**
 * Takes principal or gift of a member's lots for good, the oldest first: a correction (改余额).
 * @throws 409 `stored.gone` where there is not so much
 */
export async function cutLots(
  tx: Transaction,
  poster: Poster,
  whose: Holder,
  { kind, cents, ...act }: LotAct & { readonly kind: "principal" | "gift"; readonly cents: number },
): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  if ((await partsOf(tx, holder, "stored-adjust", act.cause_id)).length > 0) return;
  let rest = cents;
  const cuts: Drawn[] = [];
  for (const lot of await lotsOf(tx, holder)) {
    const some = Math.min(rest, kind === "principal" ? lot.principal_left_cents : lot.gift_left_cents);
    rest -= some;
    const cut = { lot_id: lot.id, principal_cents: kind === "principal" ? some : 0, gift_cents: kind === "gift" ? some : 0 };
    if (some > 0) cuts.push(cut);
  }
  if (rest > 0) throw conflict(kind === "principal" ? "本金不足" : "赠送余额不足", "stored.gone");
  for (const cut of cuts) await cutLot(tx, holder, cut);
  const from = kind === "principal" ? { principal: -cents, adjusted: cents } : { gift: -cents, granted: cents };
  await post(tx, poster, holder, "stored-adjust", act, from);
  await noteMoves(tx, poster, holder, { ...act, cause: "stored-adjust", sign: -1 }, cuts);
}

/** Takes a part of a lot for good. */
export async function cutLot(tx: Transaction, holder: Holder, { lot_id, principal_cents, gift_cents }: Drawn): Promise<void> {
  changed(
    await lotRow(tx, holder, lot_id)
      .set((set) => ({
        principal_left_cents: set("principal_left_cents", "-", principal_cents),
        gift_left_cents: set("gift_left_cents", "-", gift_cents),
        cut_principal_cents: set("cut_principal_cents", "+", principal_cents),
        cut_gift_cents: set("cut_gift_cents", "+", gift_cents),
      }))
      .where("principal_left_cents", ">=", principal_cents)
      .where("gift_left_cents", ">=", gift_cents)
      .executeTakeFirst(),
    lot_id,
  );
}
/** One more entry of a lot's act. */
export async function post(
  tx: Transaction,
  poster: Poster,
  holder: Holder,
  cause:
    | "card-refund-hold"
    | "card-refund-release"
    | "card-refund"
    | "stored-adjust"
    | "stored-transfer"
    | "transfer-hold"
    | "transfer-release",
  { cause_id, store_id, order_id, refund_id }: LotAct,
  lines: Parameters<typeof postValue>[3]["lines"],
): Promise<void> {
  const part = (await partsOf(tx, holder, cause, cause_id)).length;
  await postValue(tx, poster, holder, { cause, cause_id, part, store_id, order_id, refund_id, occurred_at: nowOf(poster), lines });
}
