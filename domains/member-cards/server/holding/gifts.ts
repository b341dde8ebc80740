import { sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { couponWords, oweCoupons } from "../../../coupons/server/index.ts";
import { addLot, addPoints } from "../../../value-book/server/index.ts";

export interface Opened {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly card_id: string;
  readonly member_id: string;
  readonly holder_id: string;
}
interface Gift {
  readonly id: string;
  readonly points: number;
  readonly points_days: number | null;
  readonly gift_cents: number;
  readonly coupon_campaign_id: string | null;
  readonly coupon_count: number | null;
}
/** Everybody who was merged into a member, and the member. */
const family = (provider: string, member: string) => sql`(select f.id from members f where f.service_provider_id = ${provider}
  and (f.id = ${member} or f.merged_into = ${member}))`;

/**
 * What opening a card brings, by each activity that runs: once for a member and an activity, and only while there is some of it left. One
 * statement takes it from the budget, so that no two take the last.
 * @returns what was given
 */
export async function giveOpeningGifts(
  tx: Transaction,
  services: Services,
  opened: Opened,
  now_ms: number,
): Promise<{ points: number; giftCents: number; coupons: string }> {
  const { service_provider_id, merchant_id, store_id, card_id, member_id, holder_id } = opened;
  const today = shanghaiDay(now_ms);
  const given = { points: 0, giftCents: 0, coupons: "" };
  const running = await asPlatform(tx, () =>
    sql<{ id: string }>`select a.id from card_activities a where a.service_provider_id = ${service_provider_id} and a.card_id = ${card_id}
      and a.status = 1 and a.first_day <= ${today}::date and a.last_day >= ${today}::date and not exists (select 1 from card_gifts g
        where g.service_provider_id = a.service_provider_id and g.activity_id = a.id and g.member_id in ${family(service_provider_id, member_id)})
      order by a.id`.execute(tx),
  );
  for (const { id: activity_id } of running.rows) {
    const { rows } = await sql<Gift>`update card_activities set given_count = given_count + 1, given_points = given_points + points,
        given_cents = given_cents + gift_cents
      where service_provider_id = ${service_provider_id} and id = ${activity_id} and status = 1 and first_day <= ${today}::date
        and last_day >= ${today}::date and given_count < most_count and given_cents + gift_cents <= coalesce(budget_cents, 0)
      returning id, points, points_days, gift_cents, coupon_campaign_id, coupon_count`.execute(tx);
    const [gift] = rows;
    if (!gift) continue;
    const id = services.ids.uuid(now_ms);
    const { points, points_days, gift_cents, coupon_campaign_id, coupon_count } = gift;
    const at = new Date(now_ms).toISOString();
    // Twice for one member is a broken key, and undoes the whole.
    await tx
      .insertInto("card_gifts")
      .values({ service_provider_id, id, merchant_id, store_id, activity_id, holder_id, member_id, points, gift_cents, at })
      .execute();
    const holder = { service_provider_id, merchant_id, member_id };
    const poster = { ids: services.ids, now_ms };
    if (points > 0) {
      const expires_on = points_days === null ? null : addDays(today, points_days);
      await addPoints(tx, poster, holder, { cause: "points-given", cause_id: id, points, usable_from: today, expires_on, store_id });
    }
    if (gift_cents > 0)
      await addLot(tx, poster, holder, {
        cause: "gift",
        cause_id: id,
        sold_store_id: store_id,
        mode: "ratio",
        principal_cents: 0,
        gift_cents,
      });
    if (coupon_campaign_id !== null) {
      const count = coupon_count ?? 1;
      await oweCoupons(tx, services, { ...holder, cause: "card", cause_id: id, campaign_id: coupon_campaign_id, count });
      const worth = (await couponWords(tx, service_provider_id, [coupon_campaign_id])).get(coupon_campaign_id) ?? "优惠券";
      given.coupons = [given.coupons, `${worth} ${count} 张`].filter(Boolean).join("、");
    }
    given.points += points;
    given.giftCents += gift_cents;
  }
  return given;
}
