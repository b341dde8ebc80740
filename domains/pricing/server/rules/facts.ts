import type { Lot } from "../../../value-book/server/index.ts";
import type { PriceRefusal, PriceSource } from "../../contract.ts";

/** A line as it was rung up. Freight and goods without discount say so themselves. */
export interface Line {
  readonly place: number;
  readonly name: string;
  readonly goods_no?: string;
  readonly units: number;
  readonly unit_cents: number;
  /** Level, coupons and automatic offers leave it alone. */
  readonly no_discount?: boolean;
  /** Only tenders pay it. */
  readonly freight?: boolean;
  /** What the shop knows of it: its sku, what item coupons go by, its own price for members, a unit, and its tax. */
  readonly sku_id?: string;
  readonly tags?: readonly string[];
  readonly member_cents?: number;
  readonly tax_code?: string;
  readonly tax_rate?: number;
}

/** How an offer reckons; each on what the steps before it left. Rates are parts per 100,000 that come off. */
export type Rule =
  /** 满减, 立减, 抹零, a voucher's face: so much off, at most what there is. */
  | { readonly kind: "off"; readonly off_cents: number }
  /** 团购商品: one unit of each of its lines, whatever it costs here; and what it is worth at its platform. */
  | { readonly kind: "goods"; readonly face_cents: number }
  /** 折扣. */
  | { readonly kind: "rate"; readonly rate: number }
  /** 每满减: once for each whole step. */
  | { readonly kind: "each"; readonly every_cents: number; readonly off_cents: number }
  /** 单品折扣: on the dearest units. */
  | { readonly kind: "units"; readonly rate: number; readonly most_units: number }
  /** 换购: one unit for this price, where the others reach the minimum. */
  | { readonly kind: "exchange"; readonly price_cents: number }
  /** 会员: for each line the lower of its own price by place and the level's. */
  | { readonly kind: "member"; readonly rate: number; readonly prices: Readonly<Record<number, number>> }
  /** 积分: whole steps of what there is, from the least on, at most this part of what is left. */
  | {
      readonly kind: "points";
      readonly balance: number;
      readonly least_points: number;
      readonly step_points: number;
      readonly step_cents: number;
      readonly most_rate: number;
    }
  /** 储值: a tender. It draws these lots, the oldest first, each by the mode that it was sold with. */
  | { readonly kind: "stored"; readonly lots: readonly Lot[] };

/** Something that may come off, as its contributor describes it: data alone, so that a price can be reckoned again years later. */
export interface Offer {
  readonly source: PriceSource;
  /** The contributor's own name of it; unique within the facts. */
  readonly ref: string;
  readonly name: string;
  /** Of offers of one group the best by priority stands; they apply by themselves. */
  readonly group?: string;
  readonly priority: number;
  /** The places it is good for; every line where left out. One that names lines is an item offer. */
  readonly places?: readonly number[];
  /** What its lines must come to. */
  readonly min_cents: number;
  readonly rule: Rule;
  /** The most it takes off. */
  readonly cap_cents?: number;
  /** The provider's part of what it takes off, in parts per 100,000. */
  readonly provider_rate: number;
  /** 不同享: never together with these. */
  readonly without: readonly PriceSource[];
  /** Equal coupons are one to the search, which takes the one that ends first. */
  readonly same?: string;
  readonly ends?: string;
}
export interface Facts {
  readonly version: 1;
  readonly at: string;
  readonly lines: readonly Line[];
  readonly offers: readonly Offer[];
  /** How many coupons of the whole order and of single goods may be used, where the merchant says so. */
  readonly most?: { readonly whole: number; readonly item: number };
}

/** What the customer and the cashier want of the offers. */
export interface Wish {
  /** Coupons, vouchers and manual offers to use, by ref. */
  readonly chosen: readonly string[];
  /** Sources that are not to apply by themselves. */
  readonly leave: readonly PriceSource[];
  readonly points: number;
  readonly stored_cents: number;
}
export const NO_WISH: Wish = { chosen: [], leave: [], points: 0, stored_cents: 0 };

/** What one offer took off, and from which lines. */
export interface Part {
  readonly source: PriceSource;
  readonly ref: string;
  readonly name: string;
  readonly step: number;
  readonly off_cents: number;
  readonly provider_cents: number;
  readonly merchant_cents: number;
  readonly points: number;
  /** Stored value alone: what of it was given, not paid for. */
  readonly gift_cents: number;
  /** By line, in the order of the facts; they sum to `off_cents`. */
  readonly lines: readonly number[];
}
/** Why something took off nothing, with what it wanted and what there was. */
export interface Why {
  readonly source: PriceSource;
  readonly ref: string;
  readonly name: string;
  readonly code: PriceRefusal;
  readonly need_cents?: number;
  readonly short_cents?: number;
}
export interface Priced {
  readonly gross_cents: number;
  readonly parts: readonly Part[];
  /** What each line comes to before tenders: its value in a refund. */
  readonly nets: readonly number[];
  /** Money and stored value: what a refund gives back. */
  readonly value_cents: number;
  readonly money_cents: number;
  readonly principal_cents: number;
  readonly gift_cents: number;
  readonly refused: readonly Why[];
}

export const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
export const grossOf = (line: Line): number => line.units * line.unit_cents;
