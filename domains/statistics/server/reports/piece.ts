import type { RawBuilder } from "kysely";

/** Rows `t` that add up to what is asked for, or that are taken away from it, and the day and weekday that each of them stands for. */
export interface Piece {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<boolean>;
  readonly day: RawBuilder<unknown>;
  readonly weekday: RawBuilder<unknown>;
  readonly sign: 1 | -1;
  /** The one sum that its rows' `cents` are; without, they are takings. */
  readonly of?: ValueSum;
}
/** What members' value adds to the takings of a question. */
export const VALUE_SUMS = ["used_cents", "times_used_cents", "owed_cents"] as const;
export type ValueSum = (typeof VALUE_SUMS)[number];
