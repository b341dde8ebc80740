import { sql } from "kysely";
import { conflict, type Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { CouponSource } from "../../contract/index.ts";
import { type CampaignRef, claimBatch, type Claimed, type Way } from "./claim-batch.ts";

/** What has limits of its own. */
const OWN_LIMITS: ReadonlySet<CouponSource> = new Set(["package", "gift", "lottery"]);
/** One coupon for somebody; `source_id` is what it is given by, once. */
export interface Give {
  readonly member_id: string;
  readonly source_id: string;
}

/**
 * Sets pieces of a campaign aside for what will be given, so that nobody else receives them.
 * @param value_cents what one of them was reckoned to cost at most
 * @throws 409 `coupon.gone` where so many are not left, `coupon.over` where it gives out none, or where one costs something else by now
 */
export async function holdCouponStock(
  tx: Transaction,
  { service_provider_id, campaign_id }: CampaignRef,
  count: number,
  value_cents?: number,
): Promise<void> {
  const held = await sql`update coupon_stock s set held = s.held + ${count} from coupon_campaigns c
    where s.service_provider_id = ${service_provider_id} and s.campaign_id = ${campaign_id} and s.issued + s.held + ${count} <= s.total
      and c.service_provider_id = s.service_provider_id and c.id = s.campaign_id and c.state in ('RUNNING', 'PAUSED')`.execute(tx);
  if (held.numAffectedRows === 1n) {
    if (value_cents === undefined) return;
    // Behind the stock, as whoever betters the terms is.
    const { rows: now } = await sql<{ value: number }>`select t.value_cents as value from coupon_campaigns c
      join coupon_terms t on t.service_provider_id = c.service_provider_id and t.campaign_id = c.id and t.version = c.version
      where c.service_provider_id = ${service_provider_id} and c.id = ${campaign_id}`.execute(tx);
    if (now[0]?.value !== value_cents) throw conflict("送的优惠券改过条款，成本与提交时不同，请撤回后重新提交", "coupon.changed");
    return;
  }
  const { rows } = await sql<{
    left: number;
    going: boolean;
  }>`select s.total - s.issued - s.held as left, c.state in ('RUNNING', 'PAUSED') as going
    from coupon_stock s join coupon_campaigns c on c.service_provider_id = s.service_provider_id and c.id = s.campaign_id
    where s.service_provider_id = ${service_provider_id} and s.campaign_id = ${campaign_id}`.execute(tx);
  if (rows[0]?.going !== true) throw conflict("此优惠券不在发放中", "coupon.over");
  throw conflict(`此优惠券只剩 ${rows[0].left.toLocaleString("en-US")} 张，不够 ${count.toLocaleString("en-US")} 张`, "coupon.gone");
}
/** Pieces that were set aside and will not be given are free again. */
export async function freeCouponStock(tx: Transaction, { service_provider_id, campaign_id }: CampaignRef, count: number): Promise<void> {
  if (count === 0) return;
  const freed = await sql`update coupon_stock s set held = s.held - ${count} where s.service_provider_id = ${service_provider_id}
    and s.campaign_id = ${campaign_id} and s.held >= ${count}`.execute(tx);
  mustChange({ numUpdatedRows: freed.numAffectedRows ?? 0n }, () => new Error("fewer pieces are held than are given back"));
}

/**
 * Gives coupons of a campaign, one for each of `gives`, in their order. What was given by the same `source_id` before is that coupon.
 * Whom the terms leave out gets none: it is the campaign's sentence that says for whom it is. Its limits of a day are for who comes for one,
 * and the limit of a human holds for what is sent and given by activities, not for packages, prizes of lotteries, and what comes with something
 * that was bought or earned (a recharge, a card, a level): those have their own.
 * @param way.paid where it was paid for, won, or set aside with the thing that brings it: whatever became of the campaign and of whom it is for meanwhile, whoever has not left gets it
 * @param way.earned when it was earned, where that is heard of later: how the campaign stood then counts, but for one that somebody stopped
 * @param way.again somebody decided to give it, though it was earned while the campaign rested
 * @param way.held where a piece was set aside for each of them; what is not given is free again
 * @returns for each the coupon, or why there is none
 */
export const giveCoupons = (
  tx: Transaction,
  services: Services,
  campaign: CampaignRef,
  gives: readonly Give[],
  way: Omit<Way, "source" | "limited"> & { readonly source: Exclude<CouponSource, "claim"> },
): Promise<(Claimed | Refusal)[]> =>
  claimBatch(
    tx,
    services,
    campaign,
    gives.map(({ member_id, source_id }) => ({ member_id, request_id: source_id })),
    { ...way, limited: !OWN_LIMITS.has(way.source) },
  );
