import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
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
        where v.rank > 0 and m.status = 1 and to_char(m.birthday, 'MM-DD') = any(${ends})
        order by v.service_provider_id, v.member_id`.execute(tx),
    );
    for (const member of rows) {
      const day = days.find((one) => birthdayIn(Number(one.slice(0, 4)), member.birthday) === one);
      if (day === undefined) continue;
      await giveOne(services, member, day.slice(0, 4)).catch((error: unknown) =>
        services.log.error({ err: error, member: member.member_id }, "a birthday right will be given the next morning"),
      );
    }
  },
});

const giveOne = (services: Services, { store_id, ...member }: Celebrant, period: string): Promise<void> =>
  withScope(services.pool, SCOPE, async (tx) => {
    const now_ms = services.clock.now_ms();
    const now = new Date(now_ms).toISOString();
    const level = levelAt((await ladderOf(tx, member)).levels, await rankOf(tx, member, member.member_id, now));
    if (!level) return;
    const { version, of } = await rightsOf(tx, member);
    const rights = of.get(level.rank) ?? {};
    const { service_provider_id, merchant_id, member_id } = member;
    const poster = { ids: services.ids, now_ms };
    for (const kind of ["birthday-points", "birthday-gift"] as const) {
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
      const holder = { service_provider_id, merchant_id, member_id };
      if (kind === "birthday-points")
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
          cause: "gift",
          cause_id: id,
          sold_store_id: store_id,
          mode: "ratio",
          principal_cents: 0,
          gift_cents: value,
        });
    }
  });
