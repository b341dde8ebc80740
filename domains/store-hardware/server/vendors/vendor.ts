import type { OnlineState } from "../../contract/codes.ts";
import type { Receipt } from "../receipts/receipt.ts";

/**
 * What is known after asking a maker's cloud.
 * - `ok`: it said yes.
 * - `refused`: it did nothing. `again` says whether the same request may succeed later.
 * - `unknown`: no whole answer came; it may or may not have been done.
 */
export type Outcome<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "refused"; readonly message: string; readonly again: boolean }
  | { readonly kind: "unknown"; readonly message: string };

/** One thing to print or say. */
export interface Job {
  readonly sn: string;
  /** 32 letters and digits, the same each time this is sent. */
  readonly number: string;
}
export interface PrintJob extends Job {
  readonly receipt: Receipt;
  readonly copies: number;
  /** Half-width cells of a line. */
  readonly columns: number;
}
export interface SpeakJob extends Job {
  readonly protocol: number;
  readonly text: string;
  readonly volume: number;
}

interface Device {
  /** How long a second request with the same number is dropped, so that one without an answer may be sent again; 0 is never. */
  readonly repeatable_ms: number;
}
/** One maker's printers. No function throws for what the maker does. */
export interface Printer extends Device {
  /** Takes a printer into the platform's account; the key proves that it is at hand. */
  bind(given: { readonly sn: string; readonly key: string; readonly name: string }): Promise<Outcome<null>>;
  unbind(sn: string): Promise<Outcome<null>>;
  status(sn: string): Promise<Outcome<OnlineState>>;
  /** @returns the maker's own number of the print */
  print(job: PrintJob): Promise<Outcome<string>>;
}
/** One maker's speakers. */
export interface Speaker extends Device {
  bind(given: { readonly sn: string; readonly protocol: number; readonly user: string }): Promise<Outcome<null>>;
  unbind(given: { readonly sn: string; readonly protocol: number; readonly user: string }): Promise<Outcome<null>>;
  speak(job: SpeakJob): Promise<Outcome<string>>;
}

/** The platform's account at a maker. */
export interface VendorAccount {
  readonly account: string;
  readonly secret: string;
  /** Without a slash at the end. */
  readonly baseUrl: string;
}
export const refused = (message: string, again = true): Outcome<never> => ({ kind: "refused", message, again });
export const unknown = (message: string): Outcome<never> => ({ kind: "unknown", message });
export const ok = <T>(value: T): Outcome<T> => ({ kind: "ok", value });
