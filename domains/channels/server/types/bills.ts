import type { PayAccount } from "../channel.ts";

/** ALL, SUCCESS and REFUND are WeChat's trade bills, FUNDFLOW its account's movements, TRADE is Alipay's 业务明细. */
export type BillType = "ALL" | "SUCCESS" | "REFUND" | "FUNDFLOW" | "TRADE";

export interface BillAsk {
  readonly type: BillType;
  /** A Shanghai day before today. */
  readonly day: string;
}

/**
 * What became of asking for a bill.
 * - `file`: it went into the sink, whole, and its content is what the channel's hash says.
 * - `empty`: a day without trades; there is nothing to ask for again.
 * - `later`: the channel is still writing it; half an hour is its own advice.
 * - `refused`: a no that another try does not change.
 * - `unknown`: no answer, or not the whole of it.
 */
export type BillFetch =
  | { readonly kind: "file"; readonly size_bytes: number }
  | { readonly kind: "empty" }
  | { readonly kind: "later"; readonly reason: string }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "unknown"; readonly reason: string };

/** Bills as files. Reading changes nothing at the channel, so that every call may be repeated. */
export interface BillChannel<A extends PayAccount = PayAccount> {
  /** @param sink gets the file as it comes, packed or not; what it got is void unless the answer is `file` */
  download(account: A, ask: BillAsk, sink: (bytes: Buffer) => Promise<void>): Promise<BillFetch>;
}
