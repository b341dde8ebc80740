import { sql } from "kysely";
import { type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { ALONE_CENTS } from "../../coupons/contract/index.ts";
import { KEPT } from "./events/paid.ts";

/** Activities, grants and what was given against each other (marketing.md 12), as far as the transaction's scope shows them. */
export const verifyActivities = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

const RULES: Rules = {
  "18: a budget holds and has spent what its grants cost, and no more than there is": sql`select b.activity_id from activity_budgets b
    left join lateral (select coalesce(sum(g.cost_cents) filter (where g.status in ('owed', 'review')), 0) as held,
        coalesce(sum(g.cost_cents) filter (where g.status in ('given', 'failed')), 0) as spent, count(*) filter (where g.status <> 'refused') as taken
      from activity_grants g where g.service_provider_id = b.service_provider_id and g.activity_id = b.activity_id) g on true
    where b.spent_cents + b.held_cents > b.budget_cents or b.taken > b.places or b.held_cents <> g.held or b.spent_cents <> g.spent or b.taken <> g.taken`,
  "19: one grant for a human and an occasion": sql`select g.activity_id from activity_grants g
    join members m on m.service_provider_id = g.service_provider_id and m.id = g.member_id
    where g.status <> 'refused' group by g.service_provider_id, g.activity_id, g.member_id, g.occasion having count(*) > 1`,
  "19: a grant costs what its things do": sql`select g.id from activity_grants g
    left join lateral (select coalesce(sum(x.cost_cents), 0) as cost from activity_gifts x where x.service_provider_id = g.service_provider_id
      and x.grant_id = g.id and (x.status = 1 or x.status = 0 and g.status in ('owed', 'review'))) x on true
    where g.cost_cents <> x.cost`,
  "what was given has its coupon": sql`select x.id from activity_gifts x
    left join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id and c.source = 'activity' and c.source_id = x.id
      and c.campaign_id = x.campaign_id
    where x.kind = 'coupon' and x.status in (1, 4) and (c.id is null or x.status = 4 and c.state <> 'DEACTIVATED')`,
  "what was given has its entry in the value book": sql`select x.id from activity_gifts x
    where x.kind <> 'coupon' and (x.status in (1, 4)) <> exists (select from value_entries e where e.service_provider_id = x.service_provider_id
      and e.cause in ('points-given', 'birthday', 'gift')
      and (e.cause = 'points-given') = (x.kind = 'points') and e.cause_id = x.id)`,
  "coupons of activities come from them": sql`select c.no from coupons c
    left join activity_gifts x on x.service_provider_id = c.service_provider_id and x.id = c.source_id and x.coupon_id = c.id
    where c.source = 'activity' and x.id is null`,
  "of an order of which too little is left its gift went back within the hour": sql`select g.id from ${KEPT}
    and not exists (select from refunds r where r.service_provider_id = o.service_provider_id and r.order_id = o.id and r.status = 2
      and r.finished_at > now() - interval '1 hour')`,
  "an activity holds the pieces of its free places and of what it owes": sql`select s.activity_id from activity_stock s
    join activities a on a.service_provider_id = s.service_provider_id and a.id = s.activity_id
    join activity_budgets b on b.service_provider_id = s.service_provider_id and b.activity_id = s.activity_id
    where s.held <> case when a.state in ('RUNNING', 'PAUSED') then (b.places - b.taken)::bigint * s.each else 0 end
      + (select count(*) from activity_grants g join activity_gifts x on x.service_provider_id = g.service_provider_id and x.grant_id = g.id
        where g.service_provider_id = s.service_provider_id and g.activity_id = s.activity_id and x.campaign_id = s.campaign_id and x.status = 0)`,
  "25: another than who made it approved an activity, but a small one": sql`select a.no from activities a
    join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
    join activity_budgets b on b.service_provider_id = a.service_provider_id and b.activity_id = a.id
    where a.state in ('RUNNING', 'PAUSED') and a.decided_by = a.made_by and not (a.alone and t.place_cents * b.places <= ${sql.lit(ALONE_CENTS)})`,
};
