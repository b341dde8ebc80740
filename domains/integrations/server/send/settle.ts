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

/**
 * Writes down how a try ended and what that means. A try that was taken for lost meanwhile says nothing any more: another one is under way.
 * The endpoint is held last, and only where its standing changes, so that whoever works on it keeps no try from being settled.
 */
export async function settle(services: Services, taken: Taken, ended: Ended): Promise<void> {
  await withScope(services.pool, platformScope("settle push"), async (tx) => {
    const now_ms = services.clock.now_ms();
    const now = new Date(now_ms).toISOString();
    const { service_provider_id, id, n, type } = taken;
    const seen = await endpointOf(tx, taken).executeTakeFirstOrThrow();
    const ok = ended.status !== null && ended.status >= 200 && ended.status < 300;
    const written =
      await sql`update push_attempts a set ended_at = ${now}::timestamptz, outcome = ${ok ? "ok" : "failed"}, status = ${ended.status},
        fault = ${ended.fault}, ms = ${ended.ms}, answer = ${ended.answer}, retry_after = ${ended.retryAfter}
      where a.service_provider_id = ${service_provider_id} and a.delivery_id = ${id} and a.n = ${n} and a.outcome is null`.execute(tx);
    if (written.numAffectedRows !== 1n) return;
    const isTest = type === "push.test";
    const off = seen.state === "disabled" || seen.state === "removed" || ended.status === 410;
    const wait = ok || isTest || off ? undefined : waitAfter(taken.tries, id, waitAsked(ended, now_ms));
    const state = ok ? "succeeded" : wait === undefined ? "abandoned" : "retrying";
    const next = new Date(now_ms + (wait ?? 0)).toISOString();
    await sql`update push_deliveries d set state = ${state}, next_at = ${next}::timestamptz, taken_until = null, last_status = ${ended.status},
        settled_at = ${wait === undefined ? now : null}::timestamptz
      where d.service_provider_id = ${service_provider_id} and d.id = ${id} and d.sent = ${n}`.execute(tx);
    const changes = ok
      ? seen.failed_at !== null || seen.failing_since !== null || (isTest && seen.state === "disabled")
      : !isTest && seen.state === "active" && (ended.status === 410 || seen.failing_since === null);
    if (!changes) return;
    const endpoint = await endpointOf(tx, taken).forNoKeyUpdate().executeTakeFirstOrThrow();
    if (ok) await standWell(tx, endpoint, isTest, now);
    else if (endpoint.state === "active") await standBadly(tx, endpoint, ended.status === 410, now_ms);
  });
}
const endpointOf = (tx: Transaction, { service_provider_id, endpoint_id }: Taken) =>
  tx
    .selectFrom("push_endpoints as e")
    .select(["e.service_provider_id", "e.id", "e.name", "e.state", "e.failed_at", "e.failing_since"])
    .where("e.service_provider_id", "=", service_provider_id)
    .where("e.id", "=", endpoint_id);
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
