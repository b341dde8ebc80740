import type { Outcome } from "../../../channels/server/index.ts";

/** What signs at an invoice platform for one tax number. */
export interface InvoiceAccount {
  readonly app_key: string;
  readonly app_secret: string;
  readonly token: string;
  readonly tax_no: string;
  /** 分机号: whose drawer it is; empty, the platform's own choice. */
  readonly extension: string;
}
export interface Buyer {
  readonly buyer: "person" | "organisation";
  readonly title: string;
  readonly taxNo: string;
  readonly address: string;
  readonly phone: string;
  readonly bank: string;
  readonly bankAccount: string;
  readonly mail: string;
  readonly mobile: string;
}
export interface BlueLine {
  readonly name: string;
  readonly tax_code: string;
  readonly tax_rate: number;
  readonly tax_policy: number;
  readonly units: number | null;
  readonly total_cents: number;
  readonly tax_cents: number;
}
/** An invoice to issue. The same number is one invoice, however often it is sent. */
export interface BlueOrder {
  readonly number: string;
  readonly kind: "pc" | "bs";
  readonly at: string;
  readonly seller: {
    readonly name: string;
    readonly address: string;
    readonly phone: string;
    readonly bank: string;
    readonly bankAccount: string;
    readonly extension: string;
    readonly drawer: string;
  };
  readonly buyer: Buyer;
  readonly lines: readonly BlueLine[];
  readonly remark: string;
  readonly callback_url: string;
}
export interface IssuedFile {
  readonly format: "pdf" | "ofd" | "xml";
  readonly url: string;
}
/** What the platform says of an invoice. `failed`: certain, its number is used up. */
export type BlueState =
  | { readonly state: "issuing"; readonly serial: string }
  | { readonly state: "unsealed"; readonly serial: string; readonly why: string }
  | { readonly state: "failed"; readonly serial: string; readonly why: string }
  | {
      readonly state: "issued";
      readonly serial: string;
      readonly invoice_no: string;
      readonly issued_at: string;
      readonly total_cents: number;
      readonly files: readonly IssuedFile[];
    };
export interface RedOrder {
  readonly number: string;
  /** Of the blue one that it takes back. */
  readonly kind: "pc" | "bs";
  readonly invoice_no: string;
  /** By the bureau's codes: 01 开票有误, 02 销货退回, 03 服务中止, 04 销售折让. */
  readonly reason: "01" | "02" | "03" | "04";
  readonly seller_name: string;
  readonly buyer_name: string;
  readonly buyer_tax_no: string;
}
/** 红字确认单. It counts as done where the bureau's state says so and there is a red number. */
export interface RedState {
  readonly bureau: string;
  readonly red_no: string | undefined;
  /** What it takes back, as the platform says it, without its sign; null where it names no sum, undefined where nobody can read it. */
  readonly total_cents: number | null | undefined;
  readonly why: string;
  readonly files: readonly IssuedFile[];
}
/** How the drawer stands at the bureau; `qr` where a code was wanted and there is one. */
export type SessionState = { readonly state: "ok" } | { readonly state: "login" | "face"; readonly qr: string | null };

export interface SessionAsks {
  readonly code: "known" | "new" | null;
  /** The code that a new one is to take the place of. */
  readonly old: string | null;
  readonly scanned: boolean;
  /** The drawer was to show a face when last asked. */
  readonly face: boolean;
}

/** Codes of a no that mean the same at every platform. */
export const UNKNOWN_NUMBER = "NOT_FOUND";
export const SAME_NUMBER = "DUPLICATE";
export const QUOTA_SHORT = "QUOTA_SHORT";
export const SESSION_LOST = "SESSION";
export const SEALED_ENOUGH = "SEAL_LIMIT";

/** An invoice platform. Nothing throws for what the platform does: yes, no or unknown. */
export interface InvoiceProvider {
  issue(account: InvoiceAccount, order: BlueOrder): Promise<Outcome<{ readonly serial: string }>>;
  query(account: InvoiceAccount, number: string): Promise<Outcome<BlueState>>;
  /** Of what was issued and could not be signed. */
  retrySeal(account: InvoiceAccount, by: { readonly number: string; readonly serial: string }): Promise<Outcome<null>>;
  requestRed(account: InvoiceAccount, order: RedOrder): Promise<Outcome<null>>;
  queryRed(account: InvoiceAccount, number: string): Promise<Outcome<RedState>>;
  revokeRed(account: InvoiceAccount, number: string): Promise<Outcome<null>>;
  /** What may still be issued this month, without tax. */
  quota(account: InvoiceAccount): Promise<Outcome<{ readonly left_cents: number }>>;
  /** @param asks.code the code that the platform has or gets, or a new one; null: none. @param asks.scanned a code is out that may be scanned by now */
  session(account: InvoiceAccount, asks: SessionAsks): Promise<Outcome<SessionState>>;
  /** Our numbers in a callback; empty where it can't be read. It is a hint alone: whoever gets one asks. */
  readNotice(rawBody: Buffer): readonly string[];
}
