import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { freeCouponStock } from "../../../coupons/server/index.ts";
import { touchWxHolders } from "../wx/touch-wx.ts";

interface Ended {
  readonly service_provider_id: string;
  readonly id: string;
  readonly what: "card" | "activity";
}
const MARKS_DAYS = 180;
/** At 00:05: cards and activities whose last day was yesterday are over, an activity with its card at the latest. What holders have stays theirs. Marks of phones and accounts are forgotten. */
export const endCards = job({
  name: "end-member-cards",
  data: z.object({}),
  every: "5 0 * * *",
  concurrency: 1,
  lease_s: 600,
  run: (services) =>
    withScope(services.pool, platformScope("member cards that end"), async (tx) => {
      const now_ms = services.clock.now_ms();
      const today = shanghaiDay(now_ms);
      const { rows } = await sql<Ended>`
        select c.service_provider_id, c.id, 'card' as what from member_cards c where c.status in (1, 2, 3, 4) and c.ends_on < ${today}::date
        union all select a.service_provider_id, a.id, 'activity' from card_activities a
          join member_cards c on c.service_provider_id = a.service_provider_id and c.id = a.card_id
          where a.status in (0, 1, 2) and (a.last_day < ${today}::date or c.status = 5 or (c.status > 0 and c.ends_on < ${today}::date))
        order by 3 desc, 2`.execute(tx);
      const old = new Date(now_ms - MARKS_DAYS * 86_400_000).toISOString();
      await sql`delete from card_marks m using service_providers p where m.service_provider_id = p.id and m.kind <> 'phone' and m.at < ${old}`.execute(
        tx,
      );
      const over: Over[] = [];
      for (const { service_provider_id, id, what } of rows) {
        if (what === "activity") {
          over.push(...(await endActivity(tx, { service_provider_id, id }, today)));
          continue;
        }
        // Whoever put the day off meanwhile keeps the card.
        const { numAffectedRows } = await sql`update member_cards set status = 5, revision = revision + 1
          where service_provider_id = ${service_provider_id} and id = ${id} and status in (1, 2, 3, 4) and ends_on < ${today}::date`.execute(
          tx,
        );
        if (numAffectedRows === 1n) await touchWxHolders(tx, { service_provider_id, id }, new Date(now_ms).toISOString());
      }
      // Campaigns after all activities, in one order: whoever starts one holds it first, and then its campaign.
      for (const { service_provider_id, campaign_id, pieces } of over.toSorted((a, b) => (a.campaign_id < b.campaign_id ? -1 : 1)))
        await freeCouponStock(tx, { service_provider_id, campaign_id }, pieces);
    }),
});
interface Over {
  readonly service_provider_id: string;
  readonly campaign_id: string;
  readonly pieces: number;
}
/** @returns the coupons that it had set aside */
async function endActivity(tx: Transaction, { service_provider_id, id }: Pick<Ended, "service_provider_id" | "id">, today: string) {
  const over = sql`a.service_provider_id = ${service_provider_id} and a.id = ${id} and a.status in (0, 1, 2) and (a.last_day < ${today}::date
    or exists (select from member_cards c where c.service_provider_id = a.service_provider_id and c.id = a.card_id and c.status = 5))`;
  const { rows } =
    await sql<Over>`select a.service_provider_id, a.coupon_campaign_id as campaign_id, a.held_coupons as pieces from card_activities a
    where ${over} for no key update of a`.execute(tx);
  await sql`update card_activities a set status = 3, held_coupons = 0, revision = revision + 1 where ${over}`.execute(tx);
  return rows.filter(({ pieces }) => pieces > 0);
}
