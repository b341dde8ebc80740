import type { ChannelAccount, NotificationRefusal, Outcome } from "../channel.ts";

/** A payment out of a provider's own account at the channel to one person. */
export interface TransferOrder {
  /** 1 to 32 letters and digits; one number is one transfer, and the same number with the same content may be sent again. */
  readonly outBillNo: string;
  readonly openId: string;
  /** Sealed on the way; the channel compares it with the payee's own, and asks for it from 2,000 yuan on. */
  readonly payeeName: string;
  readonly amount_cents: number;
  /** At most 32 characters; the payee reads it. */
  readonly remark: string;
  /** What the provider has applied for at the channel; 1005 is for commissions. */
  readonly sceneId: string;
  /** Where its end is told; left out, only the query tells. */
  readonly notifyUrl?: string | undefined;
}

/** `waiting`: the payee has to confirm it in WeChat. `failed` and `cancelled` moved no money and will move none. */
export type TransferState = "processing" | "waiting" | "success" | "failed" | "cancelled";

/** A transfer as the channel has it; `channelState` and `failReason` are its own words. */
export interface Transfer {
  readonly outBillNo: string;
  readonly transferNo: string | null;
  readonly state: TransferState;
  readonly channelState: string;
  readonly failReason: string | null;
  /** Null where the answer does not say it. */
  readonly amount_cents: number | null;
  /** ISO in UTC; of the last change. */
  readonly updatedAt: string | null;
  /** ISO in UTC; the payee has `CONFIRM_WITHIN_MS` from it. Null where the answer does not say it. */
  readonly createdAt: string | null;
  /** While it waits: goes unchanged into the page on which the payee confirms. */
  readonly packageInfo: string | null;
}

/** Word of a transfer's end after signature, age and merchant were checked; the amount is for the caller to compare. */
export type TransferNews =
  | { readonly kind: "transfer"; readonly eventId: string; readonly transfer: Transfer }
  /** Genuine, and about something else. Acknowledge it. */
  | { readonly kind: "other"; readonly eventId: string; readonly eventType: string }
  | { readonly kind: "refused"; readonly code: NotificationRefusal; readonly message: string };

/** Payouts. Unknown is settled by `queryTransfer` and by nothing else; a number is never replaced while it may have worked. */
export interface PayoutChannel {
  transfer(account: ChannelAccount, order: TransferOrder): Promise<Outcome<Transfer>>;
  queryTransfer(account: ChannelAccount, outBillNo: string): Promise<Outcome<Transfer>>;
  /** Takes one back that the payee has not confirmed. A yes only says that it is being done; the query tells the end. */
  cancelTransfer(account: ChannelAccount, outBillNo: string): Promise<Outcome<Transfer>>;
  /** Checks and opens a notification. Pure. @param accounts those that its address may belong to */
  readTransferNews(
    accounts: readonly ChannelAccount[],
    headers: Readonly<Record<string, string | string[] | undefined>>,
    rawBody: Buffer,
    now: Date,
  ): TransferNews;
}
