import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { PEOPLE_LEFT } from "./holding/gifts.ts";

export interface CardBreach {
  readonly rule: string;
  readonly id: string;
}
/** Holders are counted, what activities gave is what was given, and each gift stands in the book of value once. */
export async function verifyCards(tx: Transaction): Promise<CardBreach[]> {
  const { rows } = await sql<CardBreach>`
    select 'holders' as rule, c.id from member_cards c where c.holders <> (select count(*) from card_holders h
      where h.service_provider_id = c.service_provider_id and h.card_id = c.id)
    union all select 'gifts of an activity', a.id from card_activities a left join lateral (select count(*) as n, coalesce(sum(g.points), 0) as points,
        coalesce(sum(g.gift_cents), 0) as cents from card_gifts g where g.service_provider_id = a.service_provider_id and g.activity_id = a.id) g on true
      where (a.given_count, a.given_points, a.given_cents) is distinct from (g.n, g.points, g.cents)
    union all select 'coupons that are set aside', a.id from card_activities a where a.held_coupons > 0
      and (a.status not in (1, 2) or a.held_coupons <> ${PEOPLE_LEFT} * coalesce(a.coupon_count, 0))
    union all select 'a gift in the book', g.id from card_gifts g where (g.points > 0) <> exists (select 1 from value_entries e
        where e.service_provider_id = g.service_provider_id and e.cause = 'points-given' and e.cause_id = g.id)
      or (g.gift_cents > 0) <> exists (select 1 from value_entries e
        where e.service_provider_id = g.service_provider_id and e.cause = 'gift' and e.cause_id = g.id)`.execute(tx);
  return rows;
}
