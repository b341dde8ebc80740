import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { oweCoupons } from "../../../coupons/server/index.ts";
import { addLot, addPoints } from "../../../value-book/server/index.ts";
import { family, type MemberRef } from "../levels/follow-level.ts";
import { birthdayIn } from "../levels/level-rules.ts";
import { rankOf } from "../levels/member-level.ts";
import { ladderOf, levelAt, rightsOf } from "../levels/read-rules.ts";

/** A birthday whose morning the service slept through is caught up for so long. */
const CATCH_UP_DAYS = 7;
const SCOPE = platformScope("birthday rights");
interface Celebrant extends MemberRef {
  readonly birthday: string;
  readonly store_id: string;
}

/** At 08:00: what their level is worth on a birthday, once a year for each right, whatever the birthday is changed to. */
export const giveBirthdays = job({
  name: "give-birthday-rights",
  data: z.object({}),
  every: "0 8 * * *",
  concurrency: 1,
  lease_s: 3_600,
  run: async (services) => {
    const today = shanghaiDay(services.clock.now_ms());
    const days = Array.from({ length: CATCH_UP_DAYS + 1 }, (_none, n) => addDays(today, -n));
    // Every month and day that those days are somebody's birthday on; 02-29 is 02-28 where the year has none.
    const ends = days.flatMap((day) => [day.slice(5), ...(birthdayIn(Number(day.slice(0, 4)), "2000-02-29") === day ? ["02-29"] : [])]);
    const { rows } = await withScope(services.pool, SCOPE, (tx) =>
      sql<Celebrant>`select v.service_provider_id, v.merchant_id, v.member_id, m.birthday, s.store_id
        from vip_members v join members m on m.service_provider_id = v.service_provider_id and m.id = v.member_id
          join member_stores s on s.service_provider_id = m.service_provider_id and s.member_id = m.id and s.home
        where v.rank > 0 and m.status = 1 and m.stage = 1 and to_char(m.birthday, 'MM-DD') = any(${ends})
        order by v.service_provider_id, v.member_id`.execute(tx),
    );
    for (const member of rows) {
      const day = days.find((one) => birthdayIn(Number(one.slice(0, 4)), member.birthday) === one);
      if (day === undefined) continue;
      await giveOne(services, member, day.slice(0, 4), BIRTHDAY).catch((error: unknown) =>
        services.log.error({ err: error, member: member.member_id }, "a birthday right will be given the next morning"),
      );
    }
  },
});

const BIRTHDAY = ["birthday-points", "birthday-gift", "birthday-coupons"] as const;
const MONTHLY = ["monthly-coupons"] as const;
/** Each morning: coupons of the month for whoever has a level that brings some, once a month; who reaches one later has theirs the next morning. */
export const giveMonthly = job({
  name: "give-monthly-coupons",
  data: z.object({}),
  every: "20 8 * * *",
  concurrency: 1,
  lease_s: 3_600,
  run: async (services) => {
    const month = shanghaiDay(services.clock.now_ms()).slice(0, 7);
    const { rows } = await withScope(services.pool, SCOPE, (tx) =>
      sql<Omit<Celebrant, "birthday">>`select v.service_provider_id, v.merchant_id, v.member_id, s.store_id
        from vip_members v join members m on m.service_provider_id = v.service_provider_id and m.id = v.member_id
          join member_stores s on s.service_provider_id = m.service_provider_id and s.member_id = m.id and s.home
        where v.rank > 0 and m.status = 1 and m.stage = 1 and exists (select 1 from right_rules r where r.service_provider_id = v.service_provider_id
            and r.merchant_id = v.merchant_id and r.kind = 'monthly-coupons' and r.version = (select max(x.version) from vip_versions x
              where x.service_provider_id = v.service_provider_id and x.merchant_id = v.merchant_id and x.kind = 'rights'))
          and not exists (select 1 from right_grants g where g.service_provider_id = v.service_provider_id and g.member_id = v.member_id
            and g.kind = 'monthly-coupons' and g.period = ${month})
        order by v.service_provider_id, v.member_id`.execute(tx),
    );
    for (const member of rows)
      await giveOne(services, member, month, MONTHLY).catch((error: unknown) =>
        services.log.error({ err: error, member: member.member_id }, "a coupon of the month will be given the next morning"),
      );
  },
});

const giveOne = (
  services: Services,
  { service_provider_id, merchant_id, member_id, store_id }: Omit<Celebrant, "birthday">,
  period: string,
  kinds: readonly ((typeof BIRTHDAY)[number] | (typeof MONTHLY)[number])[],
): Promise<void> =>
  withScope(services.pool, SCOPE, async (tx) => {
    const now_ms = services.clock.now_ms();
    const now = new Date(now_ms).toISOString();
    const member = { service_provider_id, merchant_id, member_id };
    const level = levelAt((await ladderOf(tx, member)).levels, await rankOf(tx, member, member.member_id, now));
    if (!level) return;
    const { version, of, campaigns } = await rightsOf(tx, member);
    const rights = of.get(level.rank) ?? {};
    const poster = { ids: services.ids, now_ms };
    for (const kind of kinds) {
      const value = rights[kind];
      if (value === undefined) continue;
      // Of somebody who was merged into them it counts too.
      const { rows: had } = await sql`select 1 from right_grants where service_provider_id = ${service_provider_id} and kind = ${kind}
        and period = ${period} and member_id in ${family(member)} limit 1`.execute(tx);
      if (had.length > 0) continue;
      const id = services.ids.uuid(now_ms);
      const { numInsertedOrUpdatedRows: fresh } = await tx
        .insertInto("right_grants")
        .values({ service_provider_id, merchant_id, member_id, id, kind, period, rank: level.rank, version, value, at: now })
        .onConflict((twice) => twice.columns(["service_provider_id", "member_id", "kind", "period"]).doNothing())
        .executeTakeFirstOrThrow();
      if (fresh !== 1n) continue;
      const holder = member;
      const campaign_id = campaigns.get(level.rank)?.[kind];
      if (campaign_id !== undefined) await oweCoupons(tx, services, { ...holder, cause: "right", cause_id: id, campaign_id, count: value });
      else if (kind === "birthday-points")
        await addPoints(tx, poster, holder, {
          cause: "points-given",
          cause_id: id,
          points: value,
          usable_from: shanghaiDay(now_ms),
          expires_on: null,
          store_id,
        });
      else
        await addLot(tx, poster, holder, {
          cause: "birthday",
          cause_id: id,
          sold_store_id: store_id,
          mode: "ratio",
          principal_cents: 0,
          gift_cents: value,
        });
    }
  });
