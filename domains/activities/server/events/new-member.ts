import { sql } from "kysely";
import { z } from "zod";
import { asPlatform, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { ORDERED } from "../../../coupons/server/index.ts";
import type { MemberFacts } from "../../../members/server/index.ts";
import { bindFriend } from "./recommend.ts";
import { grant } from "../grants/grant.ts";
import { marksOf, markShape } from "../grants/marks.ts";

const joinedShape = z.object({
  service_provider_id: z.uuid(),
  merchant_id: z.uuid(),
  store_id: z.uuid(),
  member_id: z.uuid(),
  marks: z.array(markShape).max(4),
});
type Joined = z.output<typeof joinedShape>;
const SCOPE = platformScope("new members");

/** That a running `activities a` with its terms `t` is one for whoever joins at a store. */
const FOR_STORE = (store: unknown) => sql`(t.terms -> 'storeIds' = '[]'::jsonb or t.terms -> 'storeIds' ? ${store}::text)`;
/** Since when a `members m` is one: made, or confirmed. */
const SINCE = sql`greatest(m.created_at, m.phone_confirmed_at)`;

/** From when on somebody is new to an `activities a`. */
const FROM_THEN = sql`greatest(a.begins_at, a.decided_at)`;

/** 新人有礼: somebody joined, or signed in once more. Whoever comes on a sheet is no new guest. */
export const hearJoined: NonNullable<MemberFacts["joined"]> = async (tx, services, joining) => {
  const { service_provider_id, merchant_id, store_id, member_id, way, from = {} } = joining;
  if (way === "sheet") return;
  if (from.invitation !== undefined) {
    const bound = { service_provider_id, merchant_id, store_id, friend_id: member_id, code: from.invitation };
    await services.jobs.enqueue(tx, bindFriend, { ...bound, marks: marksOf(services, service_provider_id, from) });
  }
  const now = new Date(services.clock.now_ms()).toISOString();
  const { rows } = await asPlatform(tx, () =>
    sql`select 1 from activities a where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.kind = 'new'
      and a.state = 'RUNNING' and a.begins_at <= ${now} and a.ends_at > ${now} limit 1`.execute(tx),
  );
  if (rows.length === 0) return;
  const marks = marksOf(services, service_provider_id, from);
  await services.jobs.enqueue(tx, grantNewMember, { service_provider_id, merchant_id, store_id, member_id, marks });
};

/** Grants a new member what each running 新人有礼 gives, once for a human. */
export const grantNewMember: Job<typeof joinedShape> = job({
  name: "grant-new-member",
  data: joinedShape,
  run: (services, joined) => grantAll(services, joined),
});
async function grantAll(services: Services, { service_provider_id, merchant_id, store_id, member_id, marks }: Joined): Promise<void> {
  const activities = await withScope(services.pool, SCOPE, (tx) =>
    activitiesFor(tx, { service_provider_id, merchant_id, store_id, member_id }),
  );
  // One transaction each: what stands against one of them is nothing to the next.
  for (const activity_id of activities)
    await withScope(services.pool, SCOPE, (tx) =>
      grant(tx, services, { service_provider_id, activity_id, member_id, store_id, occasion: "life", marks }),
    );
}
/** Those that run for whoever joins at a store, where the member came to be one in their time, by no sheet, and never paid an order. */
async function activitiesFor(
  tx: Transaction,
  { service_provider_id, merchant_id, store_id, member_id }: Omit<Joined, "marks">,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select a.id from activities a
    join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
    join members m on m.service_provider_id = a.service_provider_id and m.merchant_id = a.merchant_id and m.id = ${member_id} and m.source <> 3
    where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.kind = 'new' and a.state = 'RUNNING'
      and ${SINCE} >= ${FROM_THEN} and ${FOR_STORE(store_id)} and not ${ORDERED} order by a.id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Each minute: who came to be a member in the last day, whose job was lost. */
export const lookAfterNewMembers = lookAfter<Omit<Joined, "marks">>({
  name: "look-after-new-members",
  due: async (tx, now) =>
    (
      await sql<Omit<Joined, "marks">>`select distinct m.service_provider_id, m.merchant_id, m.id as member_id, h.store_id
        from activities a join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
        join members m on m.service_provider_id = a.service_provider_id and m.merchant_id = a.merchant_id and m.stage = 1 and m.status = 1 and m.source <> 3
        join member_stores h on h.service_provider_id = m.service_provider_id and h.member_id = m.id and h.home
        where a.kind = 'new' and a.state = 'RUNNING' and a.begins_at <= ${now} and a.ends_at > ${now}
          and ${SINCE} >= greatest(${FROM_THEN}, ${now}::timestamptz - interval '1 day') and ${SINCE} < ${now}::timestamptz - interval '1 minute'
          and ${FOR_STORE(sql`h.store_id`)} and not ${ORDERED}
          and not exists (select from activity_grants g where g.service_provider_id = m.service_provider_id and g.activity_id = a.id and g.member_id = m.id)
        limit 500`.execute(tx)
    ).rows,
  one: (services, joined) => grantAll(services, { ...joined, marks: [] }),
});
