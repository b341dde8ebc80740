import type { PlatformAccount } from "../../../platforms/server/index.ts";
import type { AskedPlatform, TakeawayStatus } from "../../contract/index.ts";

/** An order as a platform tells it, in our words. Amounts in cents, instants ISO in UTC. Nobody's phone, name or address is among it. */
export interface TakeawayOrder {
  readonly platform_order_id: string;
  readonly platform_store_id: string;
  readonly platform_store_name: string;
  readonly day_no: string;
  readonly status: TakeawayStatus;
  readonly placed_at: string;
  readonly completed_at: string | null;
  readonly changed_at: string;
  readonly lines: readonly { readonly name: string; readonly count: number; readonly cents: number }[];
  readonly original_cents: number;
  readonly package_cents: number;
  readonly delivery_cents: number;
  readonly shop_off_cents: number;
  readonly platform_off_cents: number;
  readonly paid_cents: number;
  readonly fee_cents: number;
  readonly income_cents: number;
  /** The income out of its parts; null where they are not all told. */
  readonly parts_cents: number | null;
  readonly refund_cents: number;
  readonly shop_refund_cents: number;
}
export type OrderAnswer =
  | { readonly outcome: "ok"; readonly order: TakeawayOrder }
  /** The platform knows no such order: a notice may come before it can be read. */
  | { readonly outcome: "none"; readonly why: string }
  /** It will not answer us: keys, authorisation. */
  | { readonly outcome: "refused"; readonly why: string };
/** A platform's interface. What it throws leaves the outcome unknown, and it is asked again. */
export interface TakeawayDoor {
  /**
   * What an answer is bound to. Of the shop: its token is in the call, and it is told of its own orders alone. Of the application: whoever names
   * an order of any shop of it is told, so under a provider's application the answered shop says whose order it is.
   */
  readonly boundTo: "shop" | "application";
  order(account: PlatformAccount, platformOrderId: string): Promise<OrderAnswer>;
}
export type Doors = Readonly<Record<AskedPlatform, TakeawayDoor>>;
/** What an answer cannot be read as. */
export class Unreadable extends Error {}
