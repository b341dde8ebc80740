import type { Poster } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { ValueCause } from "../contract.ts";
import { waitForHolder, partsOf, postValue, type Holder, type ValueEntry } from "./post-value.ts";

/** One movement of what a member paid for in times; the cause with its id is booked once. */
export interface TimesMove {
  /** The card, the use, the refund. */
  readonly cause_id: string;
  readonly store_id: string;
  readonly order_id: string;
  readonly refund_id?: string;
}
async function move(
  tx: Transaction,
  poster: Poster,
  whose: Holder,
  cause: ValueCause,
  moved: TimesMove,
  lines: ValueEntry["lines"],
): Promise<void> {
  const holder = await waitForHolder(tx, whose);
  if (Object.values(lines).every((cents) => cents === 0) || (await partsOf(tx, holder, cause, moved.cause_id)).length > 0) return;
  await postValue(tx, poster, holder, { ...moved, cause, occurred_at: new Date(poster.now_ms).toISOString(), lines });
}

/** A times card is paid: its price is owed in uses. */
export const sellTimes = (tx: Transaction, poster: Poster, holder: Holder, moved: TimesMove, price_cents: number): Promise<void> =>
  move(tx, poster, holder, "times-sold", moved, { "times-sold": -price_cents, times: price_cents });
/** A use earns its part of the price. @throws 409 where there is not so much */
export const useTimes = (tx: Transaction, poster: Poster, holder: Holder, moved: TimesMove, cents: number): Promise<void> =>
  move(tx, poster, holder, "times-use", moved, { times: -cents, "times-earned": cents });
/** A use is taken back. */
export const reverseTimes = (tx: Transaction, poster: Poster, holder: Holder, moved: TimesMove, cents: number): Promise<void> =>
  move(tx, poster, holder, "times-reverse", moved, { "times-earned": -cents, times: cents });
/** A card is given back: what was left of it, of which the customer got `returned`; the difference may be less than nothing. */
export const returnTimes = (
  tx: Transaction,
  poster: Poster,
  holder: Holder,
  moved: TimesMove,
  { left_cents, returned_cents }: { readonly left_cents: number; readonly returned_cents: number },
): Promise<void> =>
  move(tx, poster, holder, "times-refund", moved, {
    times: -left_cents,
    returned: returned_cents,
    forfeited: left_cents - returned_cents,
  });
