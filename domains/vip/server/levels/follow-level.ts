import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { dueOn, type LevelFact, rankOn, type Span, standingOf } from "./level-rules.ts";
import { laddersOf } from "./read-rules.ts";

/** A member at one merchant. */
export interface MemberRef {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly member_id: string;
}

/** Whoever moves a level of the same member waits here until the end of the transaction. */
export async function lockLevel(tx: Transaction, { merchant_id, member_id }: Pick<MemberRef, "merchant_id" | "member_id">): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`vip:${merchant_id}:${member_id}`}, 0))`.execute(tx);
}

/** A member and everybody who is one with them: who was merged stands for who they are now. */
export const family = ({
  service_provider_id,
  member_id,
}: {
  readonly [key in "service_provider_id" | "member_id"]: string | RawBuilder<unknown>;
}) => sql`(select f.id
  from members m join members f on f.service_provider_id = m.service_provider_id and coalesce(m.merged_into, m.id) in (f.id, f.merged_into)
  where m.service_provider_id = ${service_provider_id} and m.id = ${member_id})`;

/** Whoever moves a level waits as above, and moves it at who the member is by then. */
export async function lockSurvivor(tx: Transaction, { service_provider_id, merchant_id, member_id }: MemberRef): Promise<MemberRef> {
  await lockLevel(tx, { merchant_id, member_id });
  const row = await tx
    .selectFrom("members")
    .select("merged_into")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", member_id)
    .executeTakeFirst();
  const into = row?.merged_into;
  if (!into) return { service_provider_id, merchant_id, member_id };
  return lockSurvivor(tx, { service_provider_id, merchant_id, member_id: into });
}

/** What moved a member's level: the base of their orders (cash and principal), what went back of it, and the ladders that held. */
async function factsOf(tx: Transaction, member: MemberRef): Promise<LevelFact[]> {
  const { service_provider_id } = member;
  const { rows } = await sql<LevelFact>`
    with o as (select id, paid_at, paid_cents + principal_cents as cents from pay_orders
      where service_provider_id = ${service_provider_id} and member_id in ${family(member)} and purpose = 0 and status in (2, 3))
    select paid_at as at, 'paid' as kind, id as order_id, cents from o
    union all select r.finished_at, 'back', o.id, r.amount_cents + r.principal_cents from o
      join refunds r on r.service_provider_id = ${service_provider_id} and r.order_id = o.id where r.status = 2`.execute(tx);
  const { rows: merges } = await sql<LevelFact>`select at, 'merged' as kind, rank, keep_until, cause from level_merges
    where service_provider_id = ${service_provider_id} and member_id in ${family(member)}`.execute(tx);
  const ladders = await laddersOf(tx, member);
  return [...rows, ...merges, ...ladders.map(({ version, at, levels }): LevelFact => ({ kind: "rules", at, version, levels }))].map(
    (fact) => ({
      ...fact,
      at: new Date(fact.at).toISOString(),
    }),
  );
}
async function spansOf(tx: Transaction, member: MemberRef): Promise<Span[]> {
  const { rows } = await sql<Span>`select rank, first_day as "from", last_day as "to" from vip_terms
    where service_provider_id = ${member.service_provider_id} and member_id in ${family(member)} and status = 1 order by first_day, id`.execute(
    tx,
  );
  return rows;
}

/** Where a member must stand at a moment, from nothing but the facts. */
export async function levelFrom(tx: Transaction, member: MemberRef, now: string) {
  const facts = await factsOf(tx, member);
  const standing = standingOf(facts, now);
  const terms = await spansOf(tx, member);
  const today = shanghaiDay(now);
  const version = facts.reduce((last, fact) => (fact.kind === "rules" && fact.at <= now ? Math.max(last, fact.version) : last), 0);
  return { standing, terms, version, rank: rankOn(standing.rank, terms, today), due_on: dueOn(standing.keep_until, terms, today) };
}

/**
 * Reckons a member's level anew from everything they paid and got back and writes it down; again changes nothing. Past the fence of a
 * store: what was bought elsewhere counts.
 */
export async function followLevel(tx: Transaction, services: Services, whose: MemberRef): Promise<void> {
  const member = await lockSurvivor(tx, whose);
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { standing, terms, version, rank, due_on } = await levelFrom(tx, member, now);
  const { service_provider_id, merchant_id, member_id } = member;
  const before = await tx
    .selectFrom("vip_members")
    .select(["rank", "earned_rank"])
    .where("service_provider_id", "=", service_provider_id)
    .where("member_id", "=", member_id)
    .executeTakeFirst();
  if (!before && rank === 0 && standing.spent_cents === 0 && terms.length === 0) return;
  const level = {
    rank,
    earned_rank: standing.rank,
    keep_until: standing.keep_until,
    growth: standing.growth,
    spent_cents: standing.spent_cents,
    terms: JSON.stringify(terms),
    due_on,
    followed_at: now,
  };
  await tx
    .insertInto("vip_members")
    .values({ service_provider_id, merchant_id, member_id, ...level })
    .onConflict((there) => there.columns(["service_provider_id", "member_id"]).doUpdateSet(level))
    .execute();
  const from = before?.rank ?? 0;
  if (from === rank) return;
  const earned = standing.rank !== (before?.earned_rank ?? 0);
  await tx
    .insertInto("level_history")
    .values({
      service_provider_id,
      merchant_id,
      member_id,
      id: services.ids.uuid(now_ms),
      rank_from: from,
      rank_to: rank,
      version,
      cause: earned ? standing.cause : "term",
      order_id: earned ? standing.order_id : null,
      at: now,
    })
    .execute();
}

const ref = z.object({ service_provider_id: id, merchant_id: id, member_id: id });
/** After money of a member's order came in or went back. */
export const followLevelJob = job({
  name: "follow-level",
  data: ref,
  run: (services, member) => withScope(services.pool, platformScope("follow level"), (tx) => followLevel(tx, services, member)),
});

const AT_ONCE = 200;
/** A new ladder: each member who ever paid is looked at anew, some in one transaction. */
export const followMembersJob = job({
  name: "follow-members",
  data: z.object({ service_provider_id: id, merchant_id: id, after: id.nullable() }),
  lease_s: 600,
  run: (services, { after, ...merchant }) =>
    withScope(
      services.pool,
      platformScope("follow members"),
      async (tx) => {
        const { rows } = await sql<{ id: string }>`select m.id from members m
          where m.service_provider_id = ${merchant.service_provider_id} and m.merchant_id = ${merchant.merchant_id} and m.status < 4
            and (${after}::uuid is null or m.id > ${after}::uuid) order by m.id limit ${AT_ONCE}`.execute(tx);
        for (const { id: member_id } of rows) await followLevel(tx, services, { ...merchant, member_id });
        const last = rows.at(-1);
        if (last && rows.length === AT_ONCE) await services.jobs.enqueue(tx, followMembersJob, { ...merchant, after: last.id });
      },
      { deadline_ms: 300_000 },
    ),
});

/** At 00:10: levels whose keep period or term ended with the day, or begins with it. What fails comes round the next minute. */
export const followDays = lookAfter({
  name: "follow-days",
  due: (tx, now) =>
    tx
      .selectFrom("vip_members")
      .select(["service_provider_id", "merchant_id", "member_id"])
      .where("due_on", "<=", shanghaiDay(Date.parse(now) - TEN_MINUTES_MS))
      .orderBy("due_on")
      .limit(1_000)
      .execute(),
  one: (services, member) => withScope(services.pool, platformScope("follow days"), (tx) => followLevel(tx, services, member)),
});
const TEN_MINUTES_MS = 600_000;
