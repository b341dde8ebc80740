import type { RefundStatus, TradeState, Wallet } from "../channel.ts";

/** The fields that an acquirer's messages are made of, in our words; a mapping says what the acquirer calls them. */
export interface FieldNames {
  readonly merchant: string;
  /** App, organisation or terminal; null where the acquirer knows none. */
  readonly app: string | null;
  readonly nonce: string;
  readonly time: string;
  readonly sign: string;
  /** Whether the request was taken, and why not. */
  readonly code: string;
  readonly message: string;
  /** Our number and the acquirer's, of the order and of the refund. */
  readonly order: string;
  readonly trade: string;
  readonly refund: string;
  readonly refundTrade: string;
  /** Of the order, and what left the payer's pocket where they differ. */
  readonly amount: string;
  readonly paid: string;
  readonly refundAmount: string;
  readonly subject: string;
  readonly notifyUrl: string;
  /** Minutes. */
  readonly expires: string;
  /** Whose wallet and how. */
  readonly way: string;
  readonly payer: string;
  readonly authCode: string;
  readonly codeUrl: string;
  /** What the page that pays is given, as JSON in a text. */
  readonly pageParams: string;
  readonly status: string;
  readonly paidAt: string;
}
export type Operation = "code" | "page" | "micropay" | "query" | "close" | "refund" | "queryRefund";

/** How an acquirer speaks, as data. All of them take flat messages with a signature over `name=value` sorted and joined by `&`. */
export interface AcquirerMapping {
  readonly encoding: "json" | "form";
  /** Of answers; notifications come as requests go. */
  readonly answers: "json" | "form";
  readonly amounts: "cents" | "yuan";
  readonly signing: {
    readonly algorithm: "RSA-SHA256" | "SM2-SM3";
    /** SM2: DER in base64, or r and s in hex; RSA: its bytes. */
    readonly spelling: "base64" | "hex";
    /** SM2's user id, 1234567812345678 where the acquirer has none of its own. */
    readonly userId: string;
  };
  readonly moment: "yyyyMMddHHmmss" | "yyyy-MM-dd HH:mm:ss";
  readonly names: FieldNames;
  /** Where each call goes, and what is called otherwise there. */
  readonly operations: Readonly<Record<Operation, { readonly path: string; readonly names?: Partial<FieldNames> }>>;
  /** What is called otherwise in a notification. */
  readonly notice: Partial<FieldNames>;
  /** Sent with every request: version, way of signing. */
  readonly constants: Readonly<Record<string, string>>;
  /** The wallets that it takes, and its words for each way of paying; JSAPI null where there is none. */
  readonly ways: Readonly<Partial<Record<Wallet, { readonly NATIVE: string; readonly JSAPI: string; readonly MICROPAY: string }>>>;
  /**
   * Words of `code`, or of `status` where the code is `ok`. What is not listed is unknown. `gate` was refused before anything
   * was looked at and may come unsigned.
   */
  readonly words: {
    readonly ok: string;
    readonly absent: readonly string[];
    readonly gate: readonly string[];
    readonly pay: readonly string[];
    readonly close: readonly string[];
    readonly refund: readonly string[];
  };
  readonly states: Readonly<Record<string, TradeState>>;
  readonly refundStates: Readonly<Record<string, RefundStatus>>;
  /** What a notification is answered with. */
  readonly reply: string;
}
