import { sql, type RawBuilder } from "kysely";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { goodSecrets } from "../keys.ts";
import { waitAfter } from "../rules/pace.ts";
import { signaturesOf } from "../rules/sign.ts";

/** At one endpoint, from all servers together; at one that fails a single one, since each holds a place until its time is over. */
const IN_FLIGHT = 4;
/** At all endpoints of a provider, of the 256 that a server has. Servers that look in the same moment may take a few more. */
const OF_PROVIDER = 32;
/** Longer than a call lasts: whoever has not settled by then has died. */
const TAKEN_S = 40;
const LOST_MOST = 100;

/** A delivery that this process sends now: written down as a try. */
export interface Taken {
  readonly service_provider_id: string;
  readonly id: string;
  readonly endpoint_id: string;
  readonly type: string;
  readonly n: number;
  readonly tries: number;
  readonly url: string;
  readonly body: string;
  readonly webhookId: string;
  readonly timestamp: number;
  readonly signature: string;
}
interface Found extends Omit<Taken, "webhookId" | "timestamp" | "signature" | "body"> {
  readonly body: string | null;
  readonly event_id: string;
  readonly secret_sealed: string;
  readonly old_secret_sealed: string | null;
  readonly old_until: string | null;
}
/** The receiver knows a message by it, however often it comes. */
export const webhookIdOf = (eventId: string): string => `msg_${eventId.replaceAll("-", "")}`;

/**
 * Takes what is due, at most `room`: providers in turn, of each its endpoints in turn, who waited longest first; four at a time at each. What
 * is new and what is tried again go by how long they have been due. Each try is written down, committed, and only then made. Endpoints that another process
 * looks at right now are left to it.
 */
export const takeDue = (services: Services, room: number): Promise<readonly Taken[]> =>
  withScope(services.pool, platformScope("send pushes"), async (tx) => {
    await endLost(tx, services.clock.now_ms());
    return take(tx, services, room);
  });

/** A try that nobody settled ended with its process, as one of the ten: the next is at the pace of every other. */
async function endLost(tx: Transaction, now_ms: number): Promise<void> {
  const now = new Date(now_ms).toISOString();
  const { rows } = await sql<{ service_provider_id: string; id: string; sent: number; tries: number; type: string; taken_until: string }>`
    select d.service_provider_id, d.id, d.sent, d.tries, d.type, d.taken_until from push_deliveries d
    where d.taken_until <= ${now}::timestamptz and d.settled_at is null limit ${LOST_MOST} for update of d skip locked`.execute(tx);
  if (rows.length === 0) return;
  const ended = rows.map(({ service_provider_id, id, sent, tries, type, taken_until }) => {
    const wait = type === "push.test" ? undefined : waitAfter(tries, id);
    const next_at = wait === undefined ? null : new Date(Date.parse(taken_until) - TAKEN_S * 1000 + wait).toISOString();
    return { service_provider_id, id, n: sent, next_at };
  });
  const given = sql`jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) as g(service_provider_id uuid, id uuid, n int, next_at timestamptz)`;
  await sql`update push_attempts a set outcome = 'lost', ended_at = ${now}::timestamptz from ${given}
    where a.service_provider_id = g.service_provider_id and a.delivery_id = g.id and a.outcome is null`.execute(tx);
  await sql`update push_deliveries d set taken_until = null, state = case when g.next_at is null then 'abandoned' else 'retrying' end,
      next_at = coalesce(g.next_at, d.next_at), settled_at = case when g.next_at is null then ${now}::timestamptz end from ${given}
    where d.service_provider_id = g.service_provider_id and d.id = g.id and d.sent = g.n and d.settled_at is null`.execute(tx);
}

async function take(tx: Transaction, services: Services, room: number): Promise<readonly Taken[]> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const due = sql`d.service_provider_id = e.service_provider_id and d.endpoint_id = e.id and d.settled_at is null
    and d.next_at <= ${now}::timestamptz and d.taken_until is null and d.rank = r.rank`;
  // Each rank by itself: the index leads straight to what is due, however much waits.
  const ranks = sql`generate_series(0, case when e.state = 'active' then 3 else 0 end) as r (rank)`;
  const busy = sql`busy as (select f.service_provider_id, f.endpoint_id, count(*)::int as n from push_deliveries f
    where f.settled_at is null and f.taken_until > ${now}::timestamptz group by 1, 2)`;
  const freeAt = sql`case when e.failed_at is null and e.failing_since is null then ${IN_FLIGHT}::int else 1 end
    - coalesce((select b.n from busy b where b.service_provider_id = e.service_provider_id and b.endpoint_id = e.id), 0)`;
  const freeOf = (provider: RawBuilder<unknown>) =>
    sql`${OF_PROVIDER}::int - coalesce((select sum(b.n) from busy b where b.service_provider_id = ${provider}), 0)`;
  const { rows: turns } = await sql<{ service_provider_id: string; id: string }>`
    with ${busy},
    last as (select e.service_provider_id, max(e.turn_at) as at from push_endpoints e group by 1),
    line as (
      select e.service_provider_id, e.id, row_number() over (partition by e.service_provider_id order by e.turn_at nulls first, e.id) as place
      from push_endpoints e
        cross join lateral (select from ${ranks} cross join lateral (select from push_deliveries d where ${due} limit 1) one limit 1) waits
      where e.state <> 'removed' and ${freeAt} > 0 and ${freeOf(sql`e.service_provider_id`)} > 0)
    select e.service_provider_id, e.id from push_endpoints e join line on line.service_provider_id = e.service_provider_id and line.id = e.id
      join last on last.service_provider_id = e.service_provider_id
    order by line.place, last.at nulls first, e.id limit ${room} for no key update of e skip locked`.execute(tx);
  if (turns.length === 0) return [];
  const ids = turns.map(({ id }) => id);
  const { rows } = await sql<Found>`
    with ${busy},
    line as (
      select e.service_provider_id, e.id as endpoint_id, d.id, d.place, t.turn
      from unnest(${ids}::uuid[]) with ordinality as t (id, turn) join push_endpoints e on e.id = t.id cross join lateral (
        select found.id, row_number() over (order by found.rank, found.since, found.id) as place
        from ${ranks} cross join (values (false, 'epoch'::timestamptz), (true, ${now}::timestamptz)) as part (retried, until)
        cross join lateral (
          select d.id, r.rank, case when part.retried then d.next_at else d.created_at end as since from push_deliveries d
          where ${due} and d.next_at <= part.until and (not part.retried or d.next_at > 'epoch')
          order by d.next_at, d.created_at, d.id limit ${IN_FLIGHT}) found
        order by place limit ${IN_FLIGHT}) d
      where d.place <= ${freeAt}),
    fair as (select line.*, row_number() over (partition by line.service_provider_id order by line.place, line.turn) as of_provider from line),
    mine as (
      select fair.service_provider_id, fair.id from fair where fair.of_provider <= ${freeOf(sql`fair.service_provider_id`)}
      order by fair.of_provider, fair.turn limit ${room}),
    taken as (
      update push_deliveries d set taken_until = ${now}::timestamptz + ${TAKEN_S} * interval '1 second', sent = d.sent + 1, tries = d.tries + 1
      from mine where d.service_provider_id = mine.service_provider_id and d.id = mine.id and d.settled_at is null and d.taken_until is null
      returning d.*),
    turned as (
      update push_endpoints e set turn_at = ${now}::timestamptz where e.id in (select endpoint_id from taken) returning e.id)
    select d.service_provider_id, d.id, d.endpoint_id, d.event_id, d.type, d.sent as n, d.tries, e.url, v.body, e.secret_sealed, e.old_secret_sealed, e.old_until
    from taken d join push_endpoints e on e.service_provider_id = d.service_provider_id and e.id = d.endpoint_id
      join push_events v on v.service_provider_id = d.service_provider_id and v.id = d.event_id`.execute(tx);
  // Sent again in the moment in which its body went.
  const empty = rows.filter(({ body }) => body === null);
  if (empty.length > 0)
    await sql`update push_deliveries d set state = 'abandoned', settled_at = ${now}::timestamptz, taken_until = null, sent = d.sent - 1, tries = d.tries - 1
      where d.service_provider_id = any(${empty.map((one) => one.service_provider_id)}::uuid[]) and d.id = any(${empty.map(({ id }) => id)}::uuid[])
        and d.settled_at is null`.execute(tx);
  const whole = rows.filter((one): one is Found & { readonly body: string } => one.body !== null);
  return whole.length === 0 ? [] : writeTries(tx, services, whole);
}

/** Signs each and writes it down as a try. */
async function writeTries(
  tx: Transaction,
  services: Services,
  rows: readonly (Found & { readonly body: string })[],
): Promise<readonly Taken[]> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const timestamp = Math.floor(now_ms / 1000);
  const all = rows.map(({ event_id, secret_sealed, old_secret_sealed, old_until, ...one }): Taken => {
    const webhookId = webhookIdOf(event_id);
    const endpoint = { service_provider_id: one.service_provider_id, id: one.endpoint_id, secret_sealed, old_secret_sealed, old_until };
    return {
      ...one,
      webhookId,
      timestamp,
      signature: signaturesOf(goodSecrets(services, endpoint, now_ms), webhookId, timestamp, one.body),
    };
  });
  const given = JSON.stringify(all.map(({ service_provider_id, id, n, signature }) => ({ service_provider_id, id, n, signature })));
  await sql`insert into push_attempts (service_provider_id, delivery_id, n, started_at, signature)
    select g.service_provider_id, g.id, g.n, ${now}::timestamptz, g.signature
    from jsonb_to_recordset(${given}::jsonb) as g(service_provider_id uuid, id uuid, n int, signature text)`.execute(tx);
  return all;
}
