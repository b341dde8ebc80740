import type { Instant } from "@zhangfang/contract/fields.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import type { listHandovers } from "../../../contract/index.ts";
import type { Shift, Sums, Takings } from "../shift-sums.ts";

/** What a handover sheet says on paper. */
export interface Sheet {
  readonly storeName: string;
  readonly cashierName: string;
  readonly fromAt: Instant | null;
  readonly toAt: Instant;
  readonly rows: readonly Takings[];
  readonly total: Sums;
  readonly outside: Shift["outside"];
  readonly note: string | null;
  /** Missing while the shift is still going on: the sheet then says that it is no handover. */
  readonly handed?: { readonly by: string; readonly at: Instant };
}

/** The sheet of a shift that still goes on. */
export function sheetOfShift(shift: Shift): Sheet {
  const { storeName, fromAt, toAt, rows, total, outside } = shift;
  return {
    storeName,
    cashierName: shift.cashierId === null ? "全店" : (rows[0]?.cashierName ?? "—"),
    fromAt,
    toAt,
    rows,
    total,
    outside,
    note: null,
  };
}

/** The sheet of a past handover, as it was then. */
export function sheetOfHandover(handover: RowOf<typeof listHandovers>): Sheet {
  const { storeName, fromAt, toAt, figures, note } = handover;
  return {
    storeName,
    cashierName: handover.cashierName ?? "全店",
    fromAt,
    toAt,
    rows: figures.rows,
    total: figures.total,
    outside: figures.outside,
    note,
    handed: { by: handover.handedByName, at: handover.createdAt },
  };
}
