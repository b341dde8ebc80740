import { sql } from "kysely";
import { shanghaiTime } from "@zhangfang/contract/time.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { tell } from "../../../messages/server/index.ts";
import { FAILING_DAYS, offWhy, type pushFault } from "../../contract/index.ts";
import { askedWait, waitAfter } from "../rules/pace.ts";
import { giveUpWaiting, lostWith } from "./give-up.ts";
import type { Taken } from "./take-due.ts";

/** How a try ended. */
export interface Ended {
  readonly status: number | null;
  readonly fault: (typeof pushFault)["values"][number] | null;
  readonly answer: string | null;
  readonly retryAfter: string | null;
  readonly ms: number;
}
const DAY_MS = 86_400_000;
interface Endpoint {
  readonly service_provider_id: string;
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly failed_at: string | null;
  readonly failing_since: string | null;
}

/** One try and its end. */
export interface Settling {
  readonly taken: Taken;
  readonly ended: Ended;
}
/**
 * Writes down how many tries ended at once, and what that means. A try that was taken for lost meanwhile says nothing any more: another one is
 * under way. @returns those that change how their endpoint stands: each is settled by itself, so that whoever holds an endpoint keeps no
 * other's tries from being settled
 */
export const settleMany = (services: Services, all: readonly Settling[]): Promise<readonly Settling[]> =>
  withScope(services.pool, platformScope("settle pushes"), async (tx) => {
    const ids = [...new Set(all.map(({ taken }) => taken.endpoint_id))];
    const { rows } =
      await sql<Endpoint>`select e.service_provider_id, e.id, e.name, e.state, e.failed_at, e.failing_since from push_endpoints e
      where e.id = any(${ids}::uuid[])`.execute(tx);
    const endpoints = new Map(rows.map((one) => [one.id, one]));
    const changing = all.filter((one) => changes(endpoints.get(one.taken.endpoint_id)!, one));
    const plain = all.filter((one) => !changing.includes(one));
    const now_ms = services.clock.now_ms();
    if (plain.length > 0)
      await writeEnds(
        tx,
        plain.map((one) => endOf(endpoints.get(one.taken.endpoint_id)!, one, now_ms)),
        now_ms,
      );
    return changing;
  });

/**
 * The same of one try, with how its endpoint stands then. The endpoint is held last, and only where its standing changes, so that whoever
 * works on it keeps no try from being settled.
 */
export async function settle(services: Services, taken: Taken, ended: Ended): Promise<void> {
  await withScope(services.pool, platformScope("settle push"), async (tx) => {
    const now_ms = services.clock.now_ms();
    const seen = await endpointOf(tx, taken).executeTakeFirstOrThrow();
    const written = await writeEnds(tx, [endOf(seen, { taken, ended }, now_ms)], now_ms);
    if (written === 0 || !changes(seen, { taken, ended })) return;
    const endpoint = await endpointOf(tx, taken).forNoKeyUpdate().executeTakeFirstOrThrow();
    if (isOk(ended)) await standWell(tx, endpoint, taken.type === "push.test", new Date(now_ms).toISOString());
    else if (endpoint.state === "active") await standBadly(tx, endpoint, ended.status === 410, now_ms);
  });
}
const endpointOf = (tx: Transaction, { service_provider_id, endpoint_id }: Taken) =>
  tx
    .selectFrom("push_endpoints as e")
    .select(["e.service_provider_id", "e.id", "e.name", "e.state", "e.failed_at", "e.failing_since"])
    .where("e.service_provider_id", "=", service_provider_id)
    .where("e.id", "=", endpoint_id);
const isOk = ({ status }: Ended): boolean => status !== null && status >= 200 && status < 300;
function changes(seen: Endpoint, { taken, ended }: Settling): boolean {
  const isTest = taken.type === "push.test";
  if (isOk(ended)) return seen.failed_at !== null || seen.failing_since !== null || (isTest && seen.state === "disabled");
  return !isTest && seen.state === "active" && (ended.status === 410 || seen.failing_since === null);
}

/** A try's end as its two rows hold it. */
function endOf(seen: Endpoint, { taken, ended }: Settling, now_ms: number) {
  const { service_provider_id, id, n, type } = taken;
  const ok = isOk(ended);
  const off = seen.state === "disabled" || seen.state === "removed" || ended.status === 410;
  const wait = ok || type === "push.test" || off ? undefined : waitAfter(taken.tries, id, waitAsked(ended, now_ms));
  const { status, fault, ms, answer, retryAfter: retry_after } = ended;
  return {
    service_provider_id,
    id,
    n,
    status,
    fault,
    ms,
    answer,
    retry_after,
    outcome: ok ? "ok" : "failed",
    state: ok ? "succeeded" : wait === undefined ? "abandoned" : "retrying",
    next_at: new Date(now_ms + (wait ?? 0)).toISOString(),
    settled_at: wait === undefined ? new Date(now_ms).toISOString() : null,
  };
}
/** Of tries that nobody wrote down otherwise. @returns how many */
async function writeEnds(tx: Transaction, ends: readonly ReturnType<typeof endOf>[], now_ms: number): Promise<number> {
  const now = new Date(now_ms).toISOString();
  const { numAffectedRows = 0n } = await sql`with g as (
      select * from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as g(service_provider_id uuid, id uuid, n int, status int, fault text, ms int,
        answer text, retry_after text, outcome text, state text, next_at timestamptz, settled_at timestamptz)),
    written as (update push_attempts a set ended_at = ${now}::timestamptz, outcome = g.outcome, status = g.status, fault = g.fault, ms = g.ms,
        answer = g.answer, retry_after = g.retry_after
      from g where a.service_provider_id = g.service_provider_id and a.delivery_id = g.id and a.n = g.n and a.outcome is null
      returning g.*)
    update push_deliveries d set state = w.state, next_at = w.next_at, taken_until = null, last_status = w.status, settled_at = w.settled_at
      from written w where d.service_provider_id = w.service_provider_id and d.id = w.id and d.sent = w.n`.execute(tx);
  return Number(numAffectedRows);
}
const waitAsked = ({ status, retryAfter }: Ended, now_ms: number): number =>
  status === 429 || status === 503 ? askedWait(retryAfter ?? undefined, now_ms) : 0;

async function standWell(
  tx: Transaction,
  { service_provider_id, id, state, failed_at, failing_since }: Endpoint,
  isTest: boolean,
  now: string,
) {
  const back = isTest && state === "disabled";
  if (!back && failed_at === null && failing_since === null) return;
  await sql`update push_endpoints e set failed_at = null, failing_since = null, state = ${back ? "active" : state},
      off_why = case when ${back} then null else e.off_why end, off_at = case when ${back} then null else e.off_at end,
      revision = e.revision + ${back ? 1 : 0}, updated_at = case when ${back} then ${now}::timestamptz else e.updated_at end
    where e.service_provider_id = ${service_provider_id} and e.id = ${id}`.execute(tx);
}
/** The clock starts with the second failure within a day, and stops with the first success. */
async function standBadly(tx: Transaction, endpoint: Endpoint, gone: boolean, now_ms: number): Promise<void> {
  const now = new Date(now_ms).toISOString();
  if (gone) return switchOff(tx, endpoint, "gone", now);
  if (endpoint.failing_since !== null) return;
  const second = endpoint.failed_at !== null && now_ms - Date.parse(endpoint.failed_at) <= DAY_MS;
  await sql`update push_endpoints e set failed_at = ${now}::timestamptz, failing_since = ${second ? now : null}::timestamptz
    where e.service_provider_id = ${endpoint.service_provider_id} and e.id = ${endpoint.id}`.execute(tx);
}

/** 停用: once, with what waited given up and the provider told. The endpoint's row is held. */
async function switchOff(
  tx: Transaction,
  endpoint: Pick<Endpoint, "service_provider_id" | "id" | "name">,
  why: "failing" | "gone",
  now: string,
) {
  const { service_provider_id: provider, id, name } = endpoint;
  const done = await sql`update push_endpoints e set state = 'disabled', off_why = ${why}, off_at = ${now}::timestamptz, failed_at = null,
      failing_since = null, revision = e.revision + 1, updated_at = ${now}::timestamptz
    where e.service_provider_id = ${provider} and e.id = ${id} and e.state = 'active'`.execute(tx);
  if (done.numAffectedRows !== 1n) return;
  await giveUpWaiting(tx, endpoint, now);
  await tell(
    tx,
    { level: "SP", provider },
    {
      kind: "pushOff",
      title: `数据推送「${name}」已停用`,
      body: `${offWhy.label(why)}，${shanghaiTime(now)} 起不再推送。修好后发一条测试，通过就恢复；没推到的可以重放`,
      href: `/admin/dataPush?id=${id}`,
      item: "/admin/dataPush",
      once: `push-off:${id}:${now}`,
      at: now,
    },
  );
}

/** Switches off whatever failed for five days, in the minute that its notice names. */
export async function switchOffFailing(services: Services): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  await withScope(services.pool, platformScope("switch off pushes"), async (tx) => {
    const { rows } = await sql<Endpoint>`select e.service_provider_id, e.id, e.name, e.state from push_endpoints e
      where e.state = 'active' and e.failing_since <= ${now}::timestamptz - ${FAILING_DAYS} * interval '1 day' limit 100 for no key update skip locked`.execute(
      tx,
    );
    for (const endpoint of rows) await switchOff(tx, endpoint, "failing", now);
    // What was written while its address went off, by somebody who still saw it on.
    await sql`with gone as (update push_deliveries d set state = 'abandoned', settled_at = ${now}::timestamptz, taken_until = null from push_endpoints e
      where e.state in ('disabled', 'removed') and d.service_provider_id = e.service_provider_id and d.endpoint_id = e.id and d.settled_at is null
        and (d.taken_until is null or d.taken_until <= ${now}::timestamptz) and (d.type <> 'push.test' or e.state = 'removed') returning d.service_provider_id, d.id)
      ${lostWith("gone", now)}`.execute(tx);
  });
}
