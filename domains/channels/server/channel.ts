/** A request to a channel, ready to send: the body is signed as it stands and must not be touched on the way. */
export interface ChannelRequest {
  readonly method: "GET" | "POST" | "PATCH";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for a GET. */
  readonly body: string | Buffer;
  readonly timeout_ms: number;
  /** Where a file goes piece by piece, of an answer with 200 alone. */
  readonly into?: { readonly sink: (bytes: Buffer) => Promise<void>; readonly most_bytes: number };
}
/** What came back. Header names are lower case; the body is the raw bytes, because the signature covers them. */
export interface ChannelAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}
/** Carries one request. It throws when no whole answer came; the channel then says `unknown`. */
export type Transport = (request: ChannelRequest) => Promise<ChannelAnswer>;

/** What signs for one merchant at one channel. `partner` is a service provider acting for `subMchId`. */
export interface ChannelAccount {
  readonly channel: 0;
  readonly mode: "direct" | "partner";
  readonly appId: string;
  readonly mchId: string;
  /** Needed in partner mode. */
  readonly subMchId?: string | undefined;
  /** Serial number of the merchant's API certificate. */
  readonly certSerial: string;
  readonly privateKeyPem: string;
  /** 32 characters; opens the notifications. */
  readonly apiV3Key: string;
  /** The channel's public keys by serial: 40 hex of a platform certificate, or `PUB_KEY_ID_…`. Two during a change of keys. */
  readonly platformKeys: Readonly<Record<string, string>>;
  /** Without a slash at the end, `https://api.mch.weixin.qq.com`. */
  readonly baseUrl: string;
}

/** 证书模式: what the application shows and trusts. PEM, and their numbers as Alipay reckons them. */
export interface AlipayCertificates {
  readonly app: string;
  readonly appSn: string;
  /** Alipay's own, with those between it and the root. */
  readonly alipay: string;
  readonly alipaySn: string;
  readonly root: string;
  readonly rootSn: string;
}

/** What signs for one merchant at Alipay. `partner` is an ISV that acts by the merchant's token. */
export interface AlipayAccount {
  readonly family: "alipay";
  readonly channel: 0;
  readonly mode: "direct" | "partner";
  /** Of the application: the merchant's own, or the ISV's. */
  readonly appId: string;
  /** The merchant's number at Alipay, 16 digits from 2088 on; notifications must name it. */
  readonly sellerId: string;
  /** app_auth_token; needed in partner mode. */
  readonly appAuthToken?: string | undefined;
  /** Of the application, RSA2. */
  readonly privateKeyPem: string;
  /** Alipay's own; with certificates the key of Alipay's. */
  readonly publicKeyPem: string;
  readonly certificates?: AlipayCertificates | undefined;
  /** The gateway, `https://openapi.alipay.com/gateway.do`. */
  readonly baseUrl: string;
}

/** Acquirers by their code in the contract. */
export type AcquirerChannel = 1 | 2 | 3 | 4 | 5 | 6 | 8;
/** What signs for one merchant at an acquirer. How the acquirer speaks is data: `acquirer/mappings.ts`. */
export interface AcquirerAccount {
  readonly family: "acquirer";
  readonly channel: AcquirerChannel;
  readonly merchantNo: string;
  /** What the acquirer calls app, organisation or terminal; empty where it has none. */
  readonly appNo: string;
  /** RSA in PEM; SM2 in PEM or 64 hex digits. */
  readonly privateKey: string;
  /** The acquirer's: RSA in PEM; SM2 in PEM or 130 hex digits. */
  readonly publicKey: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
}
/** Whatever signs for a merchant, wherever. */
export type PayAccount = ChannelAccount | AlipayAccount | AcquirerAccount;

/** Whose money the payer holds. */
export type Wallet = "wechat" | "alipay" | "unionpay";

/**
 * What is known after asking.
 * - `ok`: the channel said so and signed it.
 * - `refused`: a definite no; this request did nothing and will do nothing. An earlier request with the same number that
 *   ended unknown is still decided by a query.
 * - `unknown`: it may or may not have happened. Ask with a query; never take it for a no.
 */
export type Outcome<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  | { readonly kind: "unknown"; readonly reason: string };

/** The code of a refused `query` or `queryRefund` when the channel has never heard of the number. */
export const NOT_FOUND = "NOT_FOUND";

export type TradeType = "NATIVE" | "JSAPI" | "MICROPAY";

/** A payment to ask for. The same number may be sent again with the same content. */
export interface PaymentOrder {
  readonly tradeType: TradeType;
  /** WeChat where left out; a direct channel has one anyway. */
  readonly wallet?: Wallet | undefined;
  /** 6 to 32 of `0-9A-Za-z_-*`. A micropay that failed needs a new number. */
  readonly outTradeNo: string;
  readonly description: string;
  readonly amount_cents: number;
  /** MICROPAY: the digits on the customer's phone. */
  readonly authCode?: string | undefined;
  /** JSAPI: the payer, as the app of the account knows them. */
  readonly openId?: string | undefined;
  /** NATIVE and JSAPI, without a query. A micropay has no notification: its answer and the query tell. */
  readonly notifyUrl: string;
  /** ISO instant; NATIVE and JSAPI. */
  readonly expiresAt: string;
  /** Our number of the store; the channel takes the name only together with it. */
  readonly storeId?: string | undefined;
  readonly storeName?: string | undefined;
  readonly deviceId?: string | undefined;
  /** Of the payer, or of the till for a micropay. */
  readonly clientIp: string;
  /** The money stays frozen at the channel until it was shared. */
  readonly profitSharing?: boolean | undefined;
}

/** What the till or the page does next. */
export type Payment =
  | { readonly kind: "code"; readonly codeUrl: string }
  | { readonly kind: "client"; readonly prepayId: string; readonly clientParams: ClientParams }
  | { readonly kind: "transaction"; readonly transaction: Transaction };

/** Goes unchanged into the page that pays: `WeixinJSBridge`/`wx.requestPayment`, or `AlipayJSBridge`'s `tradePay`. */
export type ClientParams = Readonly<Record<string, string>>;

/**
 * SUCCESS paid; REFUND paid and refunded at least in part; NOTPAY not yet; USERPAYING the customer is typing;
 * CLOSED closed; REVOKED a micropay taken back; PAYERROR the payment failed (a later query may still change it).
 */
export type TradeState = "SUCCESS" | "REFUND" | "NOTPAY" | "CLOSED" | "REVOKED" | "USERPAYING" | "PAYERROR";

/** A discount the channel took off, and who bears it. */
export interface Promotion {
  readonly couponId: string;
  readonly name: string;
  /**
   * `NOCASH` is taken off what the merchant receives, whoever bears it; `CASH` was prepaid and reaches the merchant as money. Null where
   * the channel does not say, or names a kind that is not known: what it settles is then not known.
   */
  readonly type: "CASH" | "NOCASH" | null;
  readonly amount_cents: number;
  readonly stockId: string | null;
  readonly channel_cents: number;
  readonly merchant_cents: number;
  readonly other_cents: number;
}

/** A payment as the channel has it. Amounts and payer are there once it is paid. */
export interface Transaction {
  readonly outTradeNo: string;
  readonly tradeState: TradeState;
  readonly transactionId: string | null;
  /** What was asked. */
  readonly total_cents: number | null;
  /** What left the payer's pocket: total less promotions. */
  readonly paid_cents: number | null;
  /** ISO in UTC. */
  readonly paidAt: string | null;
  readonly openId: string | null;
  readonly tradeType: string | null;
  readonly bankType: string | null;
  /** What is settled to the merchant (应结订单金额) is the total less the `NOCASH` ones. */
  readonly promotions: readonly Promotion[];
}

export interface RefundOrder {
  readonly outTradeNo: string;
  /** One number is one refund; the same number again is safe, and after `closed` a new one is needed. */
  readonly outRefundNo: string;
  readonly amount_cents: number;
  /** The order's total. */
  readonly total_cents: number;
  readonly reason: string;
  readonly notifyUrl: string;
}

/** `closed` and `abnormal` moved no money to the payer; `processing` is decided later. */
export type RefundStatus = "processing" | "success" | "closed" | "abnormal";

/** A refund as the channel has it. */
export interface Refund {
  readonly outRefundNo: string;
  readonly outTradeNo: string;
  readonly transactionId: string | null;
  readonly refundId: string;
  readonly status: RefundStatus;
  readonly amount_cents: number;
  readonly total_cents: number;
  /** ISO in UTC. */
  readonly successAt: string | null;
  /** Where the money goes, as the channel words it. */
  readonly userReceivedAccount: string | null;
}

/** A notification after its signature, its age and its merchant were checked. Amounts are for the caller to compare. */
export type Notification =
  | { readonly kind: "paid"; readonly eventId: string; readonly account: PayAccount; readonly transaction: Transaction }
  | { readonly kind: "refund"; readonly eventId: string; readonly account: PayAccount; readonly refund: Refund }
  /** A receiver got a share, or gave one back; `number` is of a share or of a return. It only says that it is time to ask. */
  | { readonly kind: "share"; readonly eventId: string; readonly account: PayAccount; readonly number: string }
  /** Genuine, and about something else. Acknowledge it. */
  | { readonly kind: "other"; readonly eventId: string; readonly account: PayAccount; readonly eventType: string }
  | { readonly kind: "refused"; readonly code: NotificationRefusal; readonly message: string };

export type NotificationRefusal = "HEADERS" | "PROBE" | "CLOCK" | "SERIAL" | "SIGNATURE" | "BODY" | "DECRYPT" | "MERCHANT";

/** The body to answer a notification with, within 5 s and after the commit. */
export interface NotificationReply {
  readonly status: number;
  readonly body: string;
}

/** One way of being paid. Every function is safe to repeat with the same numbers. */
export interface PaymentChannel<A extends PayAccount = PayAccount> {
  pay(account: A, order: PaymentOrder): Promise<Outcome<Payment>>;
  query(account: A, by: { readonly outTradeNo: string } | { readonly transactionId: string }): Promise<Outcome<Transaction>>;
  /** Closes an order that nobody paid. A paid one is refused. */
  close(account: A, outTradeNo: string): Promise<Outcome<null>>;
  /** 撤销 of a micropay, at the earliest 15 s after `pay`: unpaid is closed, paid is given back. */
  reverse(account: A, outTradeNo: string): Promise<Outcome<null>>;
  refund(account: A, refund: RefundOrder): Promise<Outcome<Refund>>;
  /** @param outTradeNo of the order; Alipay and the acquirers ask for it beside the refund's number */
  queryRefund(account: A, outRefundNo: string, outTradeNo?: string): Promise<Outcome<Refund>>;
  /**
   * Checks and opens a notification. Pure.
   * @param candidates accounts that the address of the notification may belong to
   * @param headers names in lower case
   * @param rawBody the bytes as they came
   * @param now the moment of arrival
   */
  readNotification(
    candidates: readonly A[],
    headers: Readonly<Record<string, string | string[] | undefined>>,
    rawBody: Buffer,
    now: Date,
  ): Notification;
  /** What the channel wants to hear: taken, or send it again. */
  replyToNotification(taken: boolean, message?: string): NotificationReply;
}
