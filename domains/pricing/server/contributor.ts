import type { Transaction } from "@zhangfang/server/database/db.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PriceSource } from "../contract.ts";
import type { Customer, Where } from "./customers.ts";
import type { Back } from "./rules/back.ts";
import type { Line, Offer, Priced } from "./rules/facts.ts";

/** A use of a platform's voucher, and the lines that it pays for where it stands for goods. */
export interface VoucherAsk {
  readonly id: string;
  readonly places?: readonly number[] | undefined;
}
/** Where and when something is priced, for what, and for whom. */
export interface PriceAsk extends Where {
  readonly lines: readonly Line[];
  /** Coupons that were read at the till, by code or number; or all that the customer has. */
  readonly coupons: "best" | readonly string[];
  /** The coupons of the quote that is priced anew, by their refs: they were read then. */
  readonly quoted?: readonly string[];
  /** Uses of platforms' vouchers that are to stand in the order. */
  readonly vouchers?: readonly VoucherAsk[] | undefined;
  readonly customer?: Customer | undefined;
  /** The till's own number of the order, where there is one: the same question has the same answer. */
  readonly till_no?: string | undefined;
}
/** The order, as far as those need it who take something off. */
export interface PricedOrder {
  readonly service_provider_id: string;
  readonly id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly member_id: string | null;
}
/** What one of its offers took off an order. */
export interface Used {
  readonly ref: string;
  readonly off_cents: number;
  /** What of it the provider pays. */
  readonly provider_cents: number;
  readonly points: number;
  readonly gift_cents: number;
}
/** What of it comes back with one refund. */
export interface UsedBack extends Used {
  readonly points_back: number;
  /** Of what the provider pays. */
  readonly provider_back: number;
  /** Of stored value. */
  readonly principal_back: number;
  readonly gift_back: number;
  /** Nothing of the order is left: coupons come back too. */
  readonly whole: boolean;
}

/** What a refund would do to a contributor's things, besides its cut (marketing.md 6). */
export interface BackPreview {
  /** Points that the order earned and that are taken back. */
  readonly points_clawed?: number;
  readonly coupons?: readonly { readonly no: string; readonly name: string; readonly back: boolean; readonly why: string }[];
  /** What was given with the order and goes or stays, in words. */
  readonly gifts?: readonly string[];
}
/**
 * Whoever lowers what is paid is asked at each step, in the transaction of the order, and never calls the outside. Each step may
 * come once more for the same order or refund and then changes nothing.
 */
export interface Contributor {
  readonly source: PriceSource;
  /** What it offers there and then: one query, beside those of all others (`together`). */
  offers(tx: Transaction, services: Services, ask: PriceAsk): Promise<readonly Offer[]>;
  /** Sets aside what an order uses, by guarded statements. @throws 409 with the reason where somebody was faster */
  hold(tx: Transaction, services: Services, order: PricedOrder, used: readonly Used[]): Promise<void>;
  /** The order is paid. @returns refs of what is gone meanwhile: the merchant bears it, for money is never refused */
  take(tx: Transaction, services: Services, order: PricedOrder, used: readonly Used[]): Promise<readonly string[]>;
  /** The order was closed unpaid. */
  release(tx: Transaction, services: Services, order: PricedOrder, used: readonly Used[]): Promise<void>;
  /** A refund that was set aside is done, and gives this back. */
  giveBack(tx: Transaction, services: Services, order: PricedOrder, refund_id: string, backs: readonly UsedBack[]): Promise<void>;
  /**
   * What stands in a book of the merchant's, once everybody has taken or given back theirs: its accounts are those of every sale, and are held
   * as short as can be.
   */
  bookTaken?(tx: Transaction, services: Services, order: PricedOrder): Promise<void>;
  bookGiven?(tx: Transaction, services: Services, order: PricedOrder, refund_id: string, backs: readonly UsedBack[]): Promise<void>;
  /** How many points the customer would earn by this price. */
  earns?(tx: Transaction, services: Services, ask: PriceAsk, priced: Priced): Promise<number>;
  /** How many points the order earned; null until that is booked. */
  earned?(tx: Transaction, services: Services, order: PricedOrder): Promise<number | null>;
  /**
   * What a refund would do besides, before anybody clicks. Asked of everybody, whether the order used something of theirs or not.
   * @param except the refund itself, where it is set aside already: it does not count beside what it gives back
   */
  previewBack?(tx: Transaction, services: Services, order: PricedOrder, back: Back, except?: string): Promise<BackPreview>;
}

declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who lowers what is paid: one for each source. */
    readonly contributors?: readonly Contributor[];
  }
}

// Rows are locked in one order everywhere (marketing.md 5): whoever holds a later one never waits for an earlier one.
const LOCKS: readonly PriceSource[] = ["voucher", "member", "coupon", "auto", "manual", "points", "stored"];

/** Whoever is asked, in the order in which they lock. @throws where a source has two */
export function contributorsOf(services: Services): readonly Contributor[] {
  const all = tiedTo(services).flatMap(({ contributors = [] }) => contributors);
  const twice = all.find(({ source }, at) => all.findIndex((other) => other.source === source) !== at);
  if (twice) throw new Error(`two contributors of ${twice.source}`);
  return all.toSorted((a, b) => LOCKS.indexOf(a.source) - LOCKS.indexOf(b.source));
}
