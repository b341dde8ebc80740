import type { RefundFacts } from "@zhangfang/domains/orders/server/testing/rules.ts";
import type { Back as PriceBack, Line, Paid } from "@zhangfang/domains/pricing/server/testing/rules.ts";
import type { HeldLine, SharingFacts } from "@zhangfang/domains/profit-sharing/server/testing/rules.ts";
import type { Part, Parts, Terms } from "@zhangfang/domains/commissions/server/testing/rules.ts";
import { type Entry, type Lines, pureBook, type PureBook } from "./pure-book.ts";
import type { PureOp } from "./pure-ops.ts";

/** What a refund asks back of one receiver. */
export interface Back {
  readonly at: number;
  readonly cents: number;
  readonly borne: boolean;
  readonly state: "asked" | "back" | "cancelled";
}
export interface Refund {
  readonly amount_cents: number;
  readonly fee_cents: number;
  readonly state: "out" | "done" | "failed";
  readonly backs: readonly Back[];
  readonly shared: boolean;
  /** What of the price goes back with it. */
  readonly cut?: PriceBack | undefined;
}
export interface Share {
  readonly total_cents: number;
  readonly parts: readonly number[];
  readonly unfreeze: boolean;
}
export interface PureOrder {
  readonly facts: RefundFacts & SharingFacts;
  readonly terms: Terms;
  readonly refunds: readonly Refund[];
  /** The share on its way. */
  readonly share: Share | undefined;
  readonly lines: readonly (HeldLine & { readonly got_cents: number; readonly returned_cents: number })[];
  /** What the parts of the fee have by now, once it was shared. */
  readonly parts: Parts | undefined;
  /** How it was priced, where something came off. */
  readonly price?: { readonly lines: readonly Line[]; readonly paid: Paid } | undefined;
}
interface Withdrawal {
  readonly who: Part;
  readonly amount_cents: number;
  readonly fee_cents: number;
  readonly state: "held" | "paid" | "released" | "returned";
}
export interface PureMoney {
  now_ms: number;
  readonly orders: PureOrder[];
  readonly withdrawals: Withdrawal[];
  readonly book: PureBook;
  readonly claims: PureBook;
}
/** The first book and the second, empty. */
export const noMoney = (): PureMoney => ({
  now_ms: Date.parse("2026-11-20T04:00:00Z"),
  orders: [],
  withdrawals: [],
  book: pureBook(new Set(["channel", "returning"])),
  claims: pureBook(new Set(["fees", "available"])),
});

/** What an operation did. */
export interface Done {
  /** Of the order it touched. */
  readonly at?: number;
  /** Wholes that were cut, with their parts. */
  readonly cuts?: readonly (readonly [whole: number, parts: readonly number[]])[];
}
/** By operation: what it does, or undefined where the rules or a floor refused it and nothing changed. */
export type Steps = { readonly [K in PureOp["op"]]: (money: PureMoney, given: Extract<PureOp, { op: K }>) => Done | undefined };

const lines = (given: Readonly<Record<string, number>>): Lines =>
  Object.fromEntries(
    Object.entries(given)
      .filter(([, cents]) => cents !== 0)
      .map(([account, cents]) => [account, BigInt(cents)]),
  );
// The entries of docs/money.md.
export const entry = (cause: string, given: Readonly<Record<string, number>>): Entry => ({ cause, lines: lines(given) });
// A rule that changes what it was given has changed what was never taken.
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
export function put(money: PureMoney, at: number, order: PureOrder, entries: readonly Entry[], cuts: Done["cuts"] = []): Done | undefined {
  if (!money.book.post(entries)) return undefined;
  money.orders[at] = frozen(order);
  return { at, cuts };
}
export function pick<T>(all: readonly T[], index: number, fits: (one: T) => boolean): number {
  const found = all.flatMap((one, at) => (fits(one) ? [at] : []));
  // The newest are played with most.
  return found.at(-1 - (index % Math.max(1, Math.min(6, found.length)))) ?? -1;
}
export const iso = (ms: number): string => new Date(ms).toISOString();
/** A part of what is left, and what is beyond it. */
export function amountOf(what: string, left: number): number {
  if (what === "nothing") return 0;
  if (what === "a cent") return 1;
  if (what === "far too much") return Number.MAX_SAFE_INTEGER;
  if (what === "a cent too much") return Math.min(left + 1, Number.MAX_SAFE_INTEGER);
  return what === "all" ? left : Math.floor(left / (what === "half" ? 2 : 3));
}
