import type { RawBuilder } from "kysely";

/** Rows `t` that add up to what is asked for, or that are taken away from it, and the day and weekday that each of them stands for. */
export interface Piece {
  readonly from: RawBuilder<unknown>;
  readonly where: RawBuilder<boolean>;
  readonly day: RawBuilder<unknown>;
  readonly weekday: RawBuilder<unknown>;
  readonly sign: 1 | -1;
}
