import { sql, type RawBuilder } from "kysely";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { couponEntries } from "../../coupons/server/index.ts";
import { entriesInScope } from "../../platforms/server/index.ts";
import { timesEntries } from "../../vip/server/index.ts";
import type { EntryPart, EntrySource } from "../contract/index.ts";

interface Asked {
  readonly platform?: EntrySource | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly part?: EntryPart | undefined;
}
type Own = Extract<EntrySource, "times" | "coupon">;
/** What the merchant itself gave out: no platform holds money of it, so it is shown where it is asked for, and is in no sum beside platforms'. */
export const isOwn = (platform: EntrySource | undefined): platform is Own => platform === "times" || platform === "coupon";
const ITEMS: Readonly<Record<Own, ItemPath>> = { times: "/vip-member/timesRecords", coupon: "/dataCentre/couponDetail" };
/** Own uses are for whoever sees them in their own room. @throws 403 */
export function mustSee({ principal }: Pick<Ctx, "principal">, platform: EntrySource | undefined): void {
  if (isOwn(platform) && !principal.holds([ITEMS[platform]])) throw forbidden();
}
/** Files of them are made in their own rooms, by the rights there. @throws 400 at `platform` */
export function mustBePlatforms({ platform }: Asked): void {
  if (isOwn(platform)) throw invalid("platform", "次卡在次卡核销里导出，商家券在优惠券明细里导出");
}
/** The facts `e` that a filter is about, in the caller's sight: those of platforms, or own uses in their shape. */
export function entriesOf(
  scope: Scope,
  { platform, from, to, part }: Asked,
): { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<boolean> } {
  // Uses that wait for their bill stand by themselves too, row for row (`vouchers_waiting`, migration 0460).
  if (!isOwn(platform))
    return { from: part === "pending" ? sql`vouchers_waiting e` : sql`platform_entries e`, where: entriesInScope(scope, "e") };
  const uses = platform === "times" ? timesEntries(scope, { from, to }) : couponEntries(scope, { from, to });
  return {
    from: sql`(select x.*, ${platform}::text as platform, null::smallint as goods_kind, ''::text as verify_id, ''::text as platform_order_no,
      ''::text as platform_store_id, 0::bigint as platform_ticket_cents, 0::bigint as expected_fee_cents, 0::bigint as fee_cents, 0::bigint as talent_cents,
      0::bigint as agency_cents, 0::bigint as provider_cents, 0::bigint as platform_fee_cents, 0::bigint as operator_cents, 0::bigint as goods_cents,
      0::bigint as total_cents from (${uses}) x) e`,
    where: sql<boolean>`true`,
  };
}
