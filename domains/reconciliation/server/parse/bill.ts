import type { BillSource } from "../../contract/index.ts";
import type { BillType } from "../../../channels/server/index.ts";

/** A row of a trade bill, in our words. */
export interface TradeRow {
  /** As the file numbers it; the heading is line 1. */
  readonly line: number;
  /** 1 payment, 2 refund */
  readonly kind: 1 | 2;
  /** Shanghai time, YYYY-MM-DD HH:mm:ss. */
  readonly at: string;
  readonly orderNo: string;
  readonly refundNo: string | null;
  readonly channelNo: string | null;
  readonly channelRefundNo: string | null;
  readonly state: string;
  readonly amount_cents: number;
  readonly settled_cents: number;
  readonly fee_mills: number;
}
/** A row of a fund-flow bill. */
export interface FlowRow {
  readonly line: number;
  readonly at: string;
  readonly flowNo: string;
  readonly businessNo: string | null;
  readonly voucherNo: string | null;
  readonly name: string;
  readonly businessType: string;
  readonly amount_cents: number;
  readonly balance_cents: number | null;
  readonly note: string | null;
}
/** Sums by the heading of the summary, as it says and as the rows add up; both in thousandths of a cent or counts. */
export interface Summary {
  readonly rows: number;
  readonly said: Readonly<Record<string, string>>;
}
/** What a bill must be. */
export interface Expected {
  /** Left out, a direct channel's, which its type tells. */
  readonly source?: BillSource;
  readonly type: BillType;
  readonly day: string;
  /** Whose rows they have to be; an empty list does not ask. */
  readonly merchants: readonly string[];
}
/** Reads one kind of bill line by line. */
export interface Reader<R> {
  /** @throws BillError for what is no row of such a bill */
  line(text: string, number: number): R | undefined;
  /** The file is over: it has to be whole, and its rows have to add up to its summary. @throws BillError */
  end(): Summary;
}
