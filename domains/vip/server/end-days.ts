import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { followLevel, lockSurvivor } from "./levels/follow-level.ts";
import { closeGap } from "./terms/hear-term.ts";

/** At 00:10: terms and times cards whose last day was yesterday are over. What a card still holds stays owed. */
export const endDays = job({
  name: "end-vip-days",
  data: z.object({}),
  every: "10 0 * * *",
  concurrency: 1,
  lease_s: 600,
  run: (services) =>
    withScope(services.pool, platformScope("terms and times cards that end"), async (tx) => {
      const today = shanghaiDay(services.clock.now_ms());
      await sql`update vip_terms set status = 5 where status = 1 and last_day < ${today}::date`.execute(tx);
      await sql`update times_cards set status = 3 where status = 1 and last_day < ${today}::date`.execute(tx);
    }),
});

interface Waiting {
  readonly service_provider_id: string;
  readonly id: string;
  readonly order_id: string;
  readonly kind: "term" | "card";
}
/** Each minute: what was to go back and does not (rejected, taken back, failed) is there again. A failed refund that is sent once more still ends it. */
export const followRefunds = lookAfter<Waiting>({
  name: "follow-vip-refunds",
  due: async (tx) => {
    const not_back = sql`r.status in (3, 4, 5)`;
    const { rows } = await sql<Waiting>`
      select t.service_provider_id, t.id, t.order_id, 'term' as kind from vip_terms t
        join refunds r on r.service_provider_id = t.service_provider_id and r.id = t.refund_id where t.status = 3 and ${not_back}
      union all select c.service_provider_id, c.id, c.order_id, 'card' from times_cards c
        join refunds r on r.service_provider_id = c.service_provider_id and r.id = c.refund_id where c.status = 4 and ${not_back} limit 500`.execute(
      tx,
    );
    return rows;
  },
  one: (services, { service_provider_id, id, order_id, kind }) =>
    withScope(services.pool, platformScope("a refund that does not come"), async (tx) => {
      // The order first, as by its money: a success that comes right now waits.
      await sql`select 1 from pay_orders where service_provider_id = ${service_provider_id} and id = ${order_id} for update`.execute(tx);
      const today = shanghaiDay(services.clock.now_ms());
      const still = sql`exists (select 1 from refunds r where r.service_provider_id = x.service_provider_id and r.id = x.refund_id and r.status in (3, 4, 5))`;
      if (kind === "card") {
        await sql`update times_cards x set status = case when last_day < ${today}::date then 3 else 1 end
          where service_provider_id = ${service_provider_id} and id = ${id} and status = 4 and ${still}`.execute(tx);
        return;
      }
      const term = await tx
        .selectFrom("vip_terms")
        .select(["service_provider_id", "merchant_id", "member_id", "rank"])
        .where("service_provider_id", "=", service_provider_id)
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const member = await lockSurvivor(tx, term);
      await sql`update vip_terms x set status = 1 where service_provider_id = ${service_provider_id} and id = ${id} and status = 3 and ${still}`.execute(
        tx,
      );
      // What went back before it meanwhile left a gap: its days were kept as long as it might go back too.
      await closeGap(tx, member, term.rank, today);
      await followLevel(tx, services, member);
    }),
});
