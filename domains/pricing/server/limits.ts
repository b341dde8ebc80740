import { share, yuan } from "@zhangfang/contract/money.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Where } from "./customers.ts";
import { type Facts, type Priced, sum } from "./rules/facts.ts";

/** How much one order may use at a merchant. */
export interface Limits {
  /** Coupons of the whole order, and of single goods. */
  readonly whole: number;
  readonly item: number;
  /** 手工优惠: of what the order comes to, and in cents; null: as much as the cashier may. */
  readonly manual_percent: number | null;
  readonly manual_cents: number | null;
}
/** Who knows a merchant's limits: one domain, above this one. */
export interface LimitsDoor {
  of(tx: Transaction, where: Where): Promise<Limits>;
}
declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who knows how much one order may use. */
    readonly limits?: LimitsDoor;
  }
}
/** A merchant's limits; nothing where nobody knows any: the product's own hold. */
export async function limitsOf(tx: Transaction, services: Services, where: Where): Promise<Limits | undefined> {
  const [door] = tiedTo(services).flatMap(({ limits }) => limits ?? []);
  return door?.of(tx, where);
}
/**
 * What 团购商品 takes off of the lines that a till names for it, above its own face: nobody at the platform paid for that, so it counts as
 * taken off by hand.
 */
export const overFace = ({ offers }: Facts, { parts }: Priced): number =>
  sum(
    parts.map(({ source, ref, off_cents }) => {
      const rule = offers.find((offer) => offer.source === source && offer.ref === ref)?.rule;
      return rule?.kind === "goods" ? Math.max(0, off_cents - rule.face_cents) : 0;
    }),
  );
/** @throws 400 at `manualOffCents` where the merchant allows less of an order of this much */
export function checkManual(limits: Limits | undefined, off_cents: number, gross_cents: number): void {
  const { manual_percent = null, manual_cents = null } = limits ?? {};
  const most = Math.min(
    manual_percent === null ? Number.POSITIVE_INFINITY : share(gross_cents, manual_percent * 1_000),
    manual_cents ?? Number.POSITIVE_INFINITY,
  );
  if (off_cents <= most) return;
  throw invalid("manualOffCents", most === 0 ? "商户没有开放手工优惠" : `手工优惠这单最多 ${yuan(most)} 元`);
}
