import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { qrPath } from "@zhangfang/contract/qr-path.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { ORDERED, PERSON } from "../../../coupons/server/index.ts";
import type { MemberRef } from "../../../members/server/index.ts";
import type { ActivityTerms } from "../../contract/index.ts";
import { grant } from "../grants/grant.ts";
import { holdBudget } from "../manage/find-activity.ts";
import { type Mark, marksOf, markShape } from "../grants/marks.ts";
import { readSealed, sealedCode } from "./sealed-code.ts";

const SCOPE = platformScope("recommendations");
/** For how long the first binding wins, and for how long an order has to stay unrefunded. */
const BOUND_DAYS = 30;
const SURE_DAYS = 7;

/** A member and whoever was merged into them: what somebody did stays under the name that they did it by. */
const familyOf = (provider: RawBuilder<unknown>, member: RawBuilder<unknown>) =>
  sql`any(array(select ${member} union all select x.id from members x where x.service_provider_id = ${provider} and x.merged_into = ${member}))`;

interface Own {
  readonly name: string;
  readonly worth: string;
  readonly terms: ActivityTerms;
}
/**
 * The code of a member who brings friends, with what came of it; the phone that they look on is one that no friend of theirs comes with.
 * @throws 404 where the activity is none that runs at their merchant
 */
export async function openInvitation(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, id }: MemberRef,
  { activity_id, device }: { readonly activity_id: string; readonly device?: string | undefined },
) {
  const now = new Date(services.clock.now_ms()).toISOString();
  return asPlatform(tx, async () => {
    const { rows } = await sql<Own>`select a.name, t.worth, t.terms from activities a
      join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
      where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.id = ${activity_id} and a.kind = 'recommend'
        and a.state = 'RUNNING' and a.begins_at <= ${now} and a.ends_at > ${now}`.execute(tx);
    const [activity] = rows;
    if (!activity) throw notFound("活动");
    const [mark] = marksOf(services, service_provider_id, { device });
    if (mark)
      await sql`insert into activity_inviters (service_provider_id, merchant_id, member_id, hash, at)
        values (${service_provider_id}, ${merchant_id}, ${id}, decode(${mark.hash}, 'hex'), ${now})
        on conflict (service_provider_id, member_id, hash) do update set at = excluded.at`.execute(tx);
    const { rows: counts } = await sql<{
      waiting: number;
      done: number;
      not: number;
    }>`select (count(*) filter (where i.status = 0))::int as waiting,
        (count(*) filter (where i.status = 1))::int as done, (count(*) filter (where i.status = 2))::int as not
      from activity_invitations i where i.service_provider_id = ${service_provider_id} and i.activity_id = ${activity_id}
          and i.inviter_id = ${familyOf(sql`${service_provider_id}::uuid`, sql`${id}::uuid`)}`.execute(tx);
    const url = `${services.config.public_url}/m/${merchant_id}#invited/${sealedCode(services, "invitations", activity_id, id)}`;
    return { name: activity.name, worth: activity.worth, url, qr: qrPath(url), ...counts[0]! };
  });
}

const boundShape = z.object({
  service_provider_id: z.uuid(),
  merchant_id: z.uuid(),
  store_id: z.uuid(),
  friend_id: z.uuid(),
  code: z.string().max(80),
  marks: z.array(markShape).max(4),
});
type Bound = z.output<typeof boundShape>;
/** Somebody who joined by a member's code is brought by them: the first binding wins, and who ordered before is nobody's friend. */
export const bindFriend: Job<typeof boundShape> = job({
  name: "bind-invited-friend",
  data: boundShape,
  run: (services, bound) => withScope(services.pool, SCOPE, (tx) => bind(tx, services, bound)),
});
async function bind(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id, friend_id, code, marks }: Bound,
): Promise<void> {
  const read = readSealed(services, "invitations", code);
  if (!read || read.other_id === friend_id) return;
  const { activity_id, other_id: inviter_id } = read;
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const devices = marks.filter(({ kind }) => kind === "device").map(({ hash }) => hash);
  // One level, and nobody brings themselves: neither as who they were merged with, nor with the phone on which they look at their code.
  const { rows } = await sql<{ friend: string }>`select encode(${PERSON}, 'hex') as friend from members m
    join members w on w.service_provider_id = m.service_provider_id and w.merchant_id = m.merchant_id and w.id = ${inviter_id}
    join members v on v.service_provider_id = w.service_provider_id and v.id = coalesce(w.merged_into, w.id) and v.stage = 1 and v.status = 1
    join activities a on a.service_provider_id = m.service_provider_id and a.merchant_id = m.merchant_id and a.id = ${activity_id}
      and a.kind = 'recommend' and a.state = 'RUNNING' and a.begins_at <= ${now} and a.ends_at > ${now}
    where m.service_provider_id = ${service_provider_id} and m.merchant_id = ${merchant_id} and m.id = ${friend_id} and m.stage = 1 and m.status = 1
      and m.created_at >= greatest(a.begins_at, a.decided_at) and not ${ORDERED}
      and v.id <> m.id
      and not exists (select from activity_inviters d where d.service_provider_id = m.service_provider_id
        and d.member_id = ${familyOf(sql`v.service_provider_id`, sql`v.id`)}
        and encode(d.hash, 'hex') = any(${devices}::text[]))`.execute(tx);
  if (!rows[0]) return;
  const { friend } = rows[0];
  await sql`update activity_invitations i set status = 2, reason = '30 天内没有消费', settled_at = ${now} where i.service_provider_id = ${service_provider_id}
    and i.merchant_id = ${merchant_id} and i.friend = decode(${friend}, 'hex') and i.status = 0 and i.ends_at <= ${now}`.execute(tx);
  await sql`insert into activity_invitations (service_provider_id, id, merchant_id, activity_id, inviter_id, friend_id, friend, store_id, marks, bound_at, ends_at)
    values (${service_provider_id}, ${services.ids.uuid(now_ms)}, ${merchant_id}, ${activity_id}, ${inviter_id}, ${friend_id}, decode(${friend}, 'hex'), ${store_id},
      ${JSON.stringify(marks)}, ${now}, ${new Date(now_ms + BOUND_DAYS * 86_400_000).toISOString()})
    on conflict (service_provider_id, merchant_id, friend) where status = 0 do nothing`.execute(tx);
}

interface Open {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly activity_id: string;
  readonly inviter_id: string;
  readonly friend_id: string;
  readonly store_id: string;
  readonly marks: readonly Mark[];
  readonly terms: ActivityTerms;
  readonly order_id: string | null;
  readonly payer: string | null;
  /** What is known of it by now: why it does not count, nothing (it does), or null: not yet. */
  readonly verdict: string | null;
}
/**
 * An open binding by the friend's first paid order. Both are who they are now: two who were merged are one friend, whose first order and first
 * binding count.
 */
const openAt = (
  now: string,
) => sql`select i.service_provider_id, i.merchant_id, i.id, i.activity_id, w.inviter_id, w.friend_id, i.store_id, i.marks, i.bound_at, t.terms,
    o.id as order_id, o.payer, case
      when w.inviter_id = w.friend_id then '和推荐人是同一个人'
      when o.paid_at is null or o.paid_at > i.ends_at then case when i.ends_at <= ${now}::timestamptz then '30 天内没有消费' end
      when o.paid_at < i.bound_at then '绑定前已经消费过'
      when exists (select from activity_invitations j where j.service_provider_id = i.service_provider_id and j.merchant_id = i.merchant_id
        and j.friend_id = ${familyOf(sql`i.service_provider_id`, sql`w.friend_id`)} and j.friend_id <> i.friend_id
        and (j.status = 1 or j.status = 0 and j.ends_at >= o.paid_at and (j.bound_at, j.id) < (i.bound_at, i.id))) then '朋友已由别人先推荐'
      when o.paid_cents < coalesce((t.terms ->> 'minCents')::bigint, 0) then '第一单没满金额'
      when o.payer is not null and exists (select from pay_orders p where p.service_provider_id = i.service_provider_id
        and p.member_id = ${familyOf(sql`i.service_provider_id`, sql`w.inviter_id`)} and p.payer = o.payer) then '和推荐人用同一个付款账号'
      when o.refunded_cents > 0 or o.refunding_cents > 0 or o.status <> 2 then '第一单退了款'
      when o.paid_at <= ${now}::timestamptz - interval '1 day' * ${sql.lit(SURE_DAYS)} then '' end as verdict
  from activity_invitations i
  join activities a on a.service_provider_id = i.service_provider_id and a.id = i.activity_id
  join activity_terms t on t.service_provider_id = a.service_provider_id and t.activity_id = a.id and t.version = a.version
  join members f on f.service_provider_id = i.service_provider_id and f.id = i.friend_id
  join members v on v.service_provider_id = i.service_provider_id and v.id = i.inviter_id
  cross join lateral (select coalesce(f.merged_into, f.id) as friend_id, coalesce(v.merged_into, v.id) as inviter_id) w
  left join lateral (select p.* from pay_orders p where p.service_provider_id = i.service_provider_id
    and p.member_id = ${familyOf(sql`i.service_provider_id`, sql`w.friend_id`)} and p.purpose = 0 and p.paid_at is not null order by p.paid_at, p.id limit 1) o on true
  where i.status = 0`;
/** How many friends of an inviter an activity counted today. */
const countedToday = (w: Pick<Open, "service_provider_id" | "activity_id" | "inviter_id"> | "w", now: string) => {
  const of = (column: "service_provider_id" | "activity_id" | "inviter_id") =>
    w === "w" ? sql.ref(`w.${column}`) : sql`${w[column]}::uuid`;
  return sql<number>`(select count(*)::int from activity_grants g where g.service_provider_id = ${of("service_provider_id")} and g.activity_id = ${of("activity_id")}
    and g.member_id = ${familyOf(of("service_provider_id"), of("inviter_id"))} and g.side = 'own' and g.status <> 'refused' and g.at >= ${dayStart(shanghaiDay(Date.parse(now)))})`;
};

/** Each ten minutes: friends whose first order is sure by now, or can't count any more. Of whom nothing can be said yet, or whose inviter had the day's number, holds up nobody. */
export const settleInvitations = lookAfter<Pick<Open, "service_provider_id" | "id">>({
  name: "settle-invitations",
  every: 600,
  due: async (tx, now) =>
    (
      await sql<Pick<Open, "service_provider_id" | "id">>`select w.service_provider_id, w.id from (${openAt(now)}) w
        where w.verdict <> '' or w.verdict = '' and ${countedToday("w", now)} < coalesce((w.terms ->> 'perDay')::int, 100)
        order by w.bound_at limit 2000`.execute(tx)
    ).rows,
  one: (services, { service_provider_id, id }) =>
    withScope(services.pool, SCOPE, async (tx) => {
      await sql`select 1 from activity_invitations i where i.service_provider_id = ${service_provider_id} and i.id = ${id} for no key update`.execute(
        tx,
      );
      const now = new Date(services.clock.now_ms()).toISOString();
      const { rows } = await sql<Open>`${openAt(now)} and i.service_provider_id = ${service_provider_id} and i.id = ${id}`.execute(tx);
      if (rows[0]) await settle(tx, services, rows[0], now);
    }),
});
async function settle(tx: Transaction, services: Services, open: Open, now: string): Promise<void> {
  const { service_provider_id, activity_id, inviter_id, friend_id, store_id, terms, verdict } = open;
  if (verdict === null) return;
  let why = verdict === "" ? undefined : verdict;
  if (verdict === "") {
    // So many a day: the next ones wait for tomorrow. Behind the budget, so that two at once are counted one after the other.
    await holdBudget(tx, { service_provider_id, id: activity_id });
    const { rows } = await sql<{ n: number }>`select ${countedToday(open, now)} as n`.execute(tx);
    if (rows[0]!.n >= terms.perDay) return;
    const given = { service_provider_id, activity_id, store_id };
    const marks = [...open.marks, ...marksOf(services, service_provider_id, { payer: open.payer ?? undefined })];
    // The friend is who is known again: two friends with one phone are one.
    const outcome = await grant(tx, services, {
      ...given,
      member_id: inviter_id,
      occasion: friend_id,
      marks,
      marked: { member_id: friend_id, span: "invited" },
    });
    if (outcome === "refused") why = "朋友领过，或名额已满";
    if (outcome === "over") why = "活动已暂停或结束";
    if (why === undefined && terms.friendToo)
      await grant(tx, services, { ...given, member_id: friend_id, occasion: "invited", side: "friend", marks: [], marked: null });
  }
  const settled = await tx
    .updateTable("activity_invitations")
    .set({ status: why === undefined ? 1 : 2, reason: why ?? "", order_id: open.order_id, settled_at: now })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", open.id)
    .where("status", "=", 0)
    .executeTakeFirst();
  mustChange(settled, () => new Error("an invitation was settled meanwhile"));
}
