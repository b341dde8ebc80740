import type { GoodsKind } from "../../contract/index.ts";

/** How a platform answered. `held`: it checks the voucher itself and tells later. `unknown`: nobody knows whether it was done. */
export type Answer<T> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "held"; readonly reason: string }
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** With a code where the platform did answer, and its answer is on no list of ours. */
  | { readonly kind: "unknown"; readonly reason: string; readonly code?: string };
/** A platform's words may repeat a code: of long numbers the last four stay. */
const masked = (text: string): string => text.replaceAll(/\d{4,}(\d{4})/g, "···$1");
export const ok = <T>(value: T): Answer<T> => ({ kind: "ok", value });
export const held = (reason: string): Answer<never> => ({ kind: "held", reason: masked(reason) });
export const refused = (code: string, message: string): Answer<never> => ({ kind: "refused", code, message: masked(message) });
export const unknown = (reason: string, code?: string): Answer<never> => ({
  kind: "unknown",
  reason: masked(reason),
  ...(code !== undefined && { code }),
});

/** The voucher was used before: whether by this very attempt is another question. */
export const ALREADY = "already";
/** What this platform has no call for. */
export const NO_CALL = "no-call";
/** The keys were refused before anything was sent: the call itself was never made. */
export const NO_TOKEN = "no-token";
/** 抖音 has not let the application into this merchant's account. */
export const NO_RIGHT = "2119005";

/** Amounts in cents. */
export interface Worth {
  readonly face_cents: number;
  readonly pay_cents: number;
  readonly merchant_ticket_cents: number;
  readonly platform_ticket_cents: number;
}
/** What the n-th of so many uses is worth where only the whole is told: the cents of all uses add up to it. */
export function shareOf(whole: Worth, nth: number, times: number): Worth {
  const part = (cents: number): number => Math.floor((cents * nth) / times) - Math.floor((cents * (nth - 1)) / times);
  return {
    face_cents: part(whole.face_cents),
    pay_cents: part(whole.pay_cents),
    merchant_ticket_cents: part(whole.merchant_ticket_cents),
    platform_ticket_cents: part(whole.platform_ticket_cents),
  };
}
/** A voucher that is free to be used, as the platform shows it before. */
export interface PreparedVoucher extends Worth {
  /** Empty where the platform does not say it yet. */
  readonly certificateId: string;
  readonly encryptedCode: string;
  readonly goodsId: string;
  readonly title: string;
  readonly goods_kind: GoodsKind;
  readonly ends_at: string | null;
  readonly times: number;
  readonly used: number;
  /** Of the next use alone: of a 次卡 a part, else the whole. */
  readonly use: Worth;
}
export interface Prepared {
  readonly verifyToken: string;
  readonly orderNo: string;
  readonly vouchers: readonly PreparedVoucher[];
}
/** One call of verify: the same again is the same. */
export interface VerifyAsk {
  readonly verifyToken: string;
  readonly poiId: string;
  readonly orderNo: string;
  readonly encryptedCodes: readonly string[];
}
export interface Verified {
  readonly verifyId: string;
  readonly certificateId: string;
}
/** A voucher as it is at the platform. */
export interface VoucherThere {
  readonly status: "free" | "used" | "refunded" | "over";
  readonly certificateId: string;
  readonly verifyId: string;
  readonly canCancel: boolean;
  readonly usedAt: string | null;
}
/** A use that the platform has on record. */
export interface UseThere extends Worth {
  readonly verifyId: string;
  readonly certificateId: string;
  readonly poiId: string;
  readonly at: string;
  readonly reversed: boolean;
  /** Where the platform says it. */
  readonly reversedAt: string | null;
  readonly goodsId: string;
  readonly title: string;
  readonly goods_kind: GoodsKind | undefined;
  readonly orderNo: string;
}
/** A line of 分账账单: what the platform settles for a use. */
export interface LedgerLine {
  /** The platform's own number of the line; empty where it gives none. */
  readonly lineNo: string;
  readonly certificateId: string;
  readonly verifyId: string;
  readonly poiId: string;
  readonly orderNo: string;
  readonly at: string;
  readonly goods_cents: number;
  readonly fee_cents: number;
  readonly talent_cents: number;
  readonly agency_cents: number;
  readonly provider_cents: number;
  readonly platform_fee_cents: number;
  readonly operator_cents: number;
  readonly total_cents: number;
}
export interface StoreThere {
  readonly poiId: string;
  readonly name: string;
  readonly address?: string;
  readonly place?: { readonly latitude: number; readonly longitude: number };
}
/** A store's own words for where it stands: numbers on the globe, or nothing. */
export function placeOf(one: Readonly<Record<string, unknown>>): Pick<StoreThere, "place"> {
  const [latitude, longitude] = [Number(one["latitude"] || Number.NaN), Number(one["longitude"] || Number.NaN)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { place: { latitude, longitude } } : {};
}
export interface GoodThere {
  readonly goodsId: string;
  readonly title: string;
  readonly goods_kind: GoodsKind;
  readonly onSale: boolean;
  readonly price_cents: number;
  readonly market_cents: number;
  readonly stock: number | null;
  readonly sold: number | null;
  readonly poiIds: readonly string[];
}
export interface Page<T> {
  readonly items: readonly T[];
  /** None after the last. */
  readonly next: string | null;
  /** Not all that should be on it or after it, or nobody can tell: whatever follows, they did not come whole. */
  readonly cut?: boolean;
}
/** What a platform told by itself; a hint. */
export interface Notice {
  readonly messageId: string;
  readonly event: string;
  readonly certificateIds: readonly string[];
  /** Whose it is, where the platform calls one address for all merchants of an application; else empty. */
  readonly accountNo: string;
}

/** By what was typed or by what stands in the QR code. */
export interface PrepareAsk {
  readonly poiId: string;
  readonly code?: string;
  readonly encryptedData?: string;
}
/** Seconds since 1970, both ends included. */
export interface UsesAsk {
  readonly from_s: number;
  readonly to_s: number;
  readonly poiId?: string;
  readonly cursor: string;
}
export interface LedgerAsk {
  readonly day: string;
  readonly cursor: string;
}
/** A platform for one merchant's account. */
export interface PlatformApi {
  stores(cursor: string): Promise<Answer<Page<StoreThere>>>;
  products(cursor: string): Promise<Answer<Page<GoodThere>>>;
  prepare(ask: PrepareAsk): Promise<Answer<Prepared>>;
  /** One answer for each code, in their order. */
  verify(ask: VerifyAsk, about: string): Promise<Answer<readonly Answer<Verified>[]>>;
  query(encryptedCode: string, about: string): Promise<Answer<VoucherThere>>;
  cancel(ask: Verified, about: string): Promise<Answer<true>>;
  verifications(ask: UsesAsk): Promise<Answer<Page<UseThere>>>;
  ledger(ask: LedgerAsk): Promise<Answer<Page<LedgerLine>>>;
}

// What answers are read by: a field of another shape is an answer that nobody can read, and so unknown.
export type Json = Readonly<Record<string, unknown>>;
/** Numbers beyond 2^53 stay as they are written: they are ids. @throws where it is no JSON */
export function readJson(text: string): Json {
  const keepLong = (_key: string, value: unknown, { source }: { source?: string } = {}): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source) ? source : value;
  return objectOf(JSON.parse(text, keepLong as (key: string, value: unknown) => unknown));
}
export const objectOf = (given: unknown): Json =>
  typeof given === "object" && given !== null && !Array.isArray(given) ? (given as Json) : {};
export const listOf = (given: unknown): readonly Json[] => (Array.isArray(given) ? given.map(objectOf) : []);
export const textOf = (given: unknown): string => (typeof given === "string" ? given : typeof given === "number" ? String(given) : "");
export const centsOf = (given: unknown): number => (typeof given === "number" && Number.isSafeInteger(given) ? given : 0);
/** Seconds since 1970 as an instant; nothing of 0. */
export const instantOf = (given: unknown): string | null => {
  const seconds = Number(textOf(given));
  return Number.isInteger(seconds) && seconds > 0 && seconds < 9_999_999_999 ? new Date(seconds * 1_000).toISOString() : null;
};
export const kindOf = (given: unknown): GoodsKind => (given === 2 || given === 3 ? given : 1);
/** An answer that names no code is of the voucher at its place; one that names another's is not. */
export const unnamed = (one: Json | undefined): Json | undefined => (one !== undefined && textOf(one["code"]) === "" ? one : undefined);
