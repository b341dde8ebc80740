import type { AlipayAccount, ChannelAccount, Outcome } from "../channel.ts";

/** What signs for a merchant where its payments are shared. */
export type SharingAccount = ChannelAccount | AlipayAccount;

export type ReceiverType = "MERCHANT_ID" | "PERSONAL_OPENID" | "PERSONAL_SUB_OPENID" | "ALIPAY_USER_ID" | "ALIPAY_LOGIN_NAME";

/** Who may get shares. At WeChat Pay the name travels sealed. */
export interface ChannelReceiver {
  readonly type: ReceiverType;
  /** A merchant's number or a person's openid; at Alipay the user id or the login name. */
  readonly account: string;
  /** A merchant's whole name and a login name's holder are required; another's is checked where it is given. */
  readonly name: string | null;
  readonly relation: string;
  readonly customRelation: string | null;
}

export interface ShareOrder {
  /** The channel's number of the payment. */
  readonly transactionId: string;
  /** One number is one share; the same number again is safe. */
  readonly outOrderNo: string;
  readonly lines: readonly {
    readonly type: ReceiverType;
    readonly account: string;
    readonly name: string | null;
    readonly amount_cents: number;
    readonly description: string;
  }[];
  /** What is left goes to the merchant with this request. */
  readonly unfreeze: boolean;
}

/** What a share is asked about by: who was to get what tells a receiver whose account the answer masks. */
export type ShareAsked = Pick<ShareOrder, "outOrderNo" | "transactionId"> & { readonly lines: readonly ShareTarget[] };

export type ShareTarget = Pick<ShareOrder["lines"][number], "type" | "account" | "amount_cents">;

/** `closed` moved nothing: that part stays with the merchant. */
export interface SharedLine {
  readonly type: string;
  readonly account: string;
  readonly amount_cents: number;
  readonly result: "pending" | "success" | "closed";
  readonly failReason: string | null;
  readonly detailId: string | null;
  /** ISO in UTC. */
  readonly finishedAt: string | null;
}

/** A share as the channel has it. */
export interface Shared {
  readonly outOrderNo: string;
  readonly transactionId: string;
  /** The channel's own number of it, where the answer names one. */
  readonly orderId: string | null;
  readonly finished: boolean;
  readonly lines: readonly SharedLine[];
}

export interface ShareReturnOrder {
  /** The channel's number of the payment. */
  readonly transactionId: string;
  readonly outOrderNo: string;
  /** One number is one return; the same number again is safe. */
  readonly outReturnNo: string;
  /** Who gives back: at WeChat Pay only merchants do. */
  readonly type: ReceiverType;
  readonly account: string;
  readonly amount_cents: number;
  readonly reason: string;
}

export interface ShareReturned {
  readonly outOrderNo: string;
  readonly outReturnNo: string;
  readonly returnId: string | null;
  readonly amount_cents: number;
  readonly result: "processing" | "success" | "failed";
  readonly failReason: string | null;
  /** ISO in UTC. */
  readonly finishedAt: string | null;
}

/**
 * Sharing a payment with others, and getting it back. The money goes from the merchant's account at the channel to the
 * receiver's, and never through us. Every call with the same numbers may be repeated.
 */
export interface SharingChannel<A extends SharingAccount = SharingAccount> {
  /** Adding somebody who is there already is fine. */
  addReceiver(account: A, receiver: ChannelReceiver): Promise<Outcome<null>>;
  removeReceiver(account: A, receiver: Pick<ChannelReceiver, "type" | "account">): Promise<Outcome<null>>;
  share(account: A, order: ShareOrder): Promise<Outcome<Shared>>;
  queryShare(account: A, by: ShareAsked): Promise<Outcome<Shared>>;
  /** 完结: what is left of the payment goes to the merchant; nothing can be shared after it. */
  unfreeze(account: A, given: Pick<ShareOrder, "outOrderNo" | "transactionId"> & { readonly reason: string }): Promise<Outcome<Shared>>;
  giveBack(account: A, order: ShareReturnOrder): Promise<Outcome<ShareReturned>>;
  queryReturn(account: A, order: ShareReturnOrder): Promise<Outcome<ShareReturned>>;
  /** What of a payment is still there to be shared, in cents. */
  unsplit(account: A, transactionId: string): Promise<Outcome<{ readonly cents: number }>>;
  /** How much of a payment may be shared, in parts per 100,000. */
  maxRatio(account: A): Promise<Outcome<{ readonly ratio: number }>>;
}
