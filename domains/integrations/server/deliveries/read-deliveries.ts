import { sql, type RawBuilder } from "kysely";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { all, during, is, narrowed } from "@zhangfang/server/lists/conditions.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { getPushDelivery, listPushDeliveries } from "../../contract/index.ts";
import { MASKED_URL, seesWhole } from "../endpoints/read-endpoints.ts";
import { lastTryAt } from "../rules/pace.ts";
import { webhookIdOf } from "../send/take-due.ts";

const COLUMNS = sql`d.id, d.endpoint_id as "endpointId", e.name as "endpointName", d.type, d.about, d.object_id as "objectId", d.state, d.sent, d.replays,
  d.last_status as "lastStatus", d.created_at as "createdAt"`;
const FROM = sql`push_deliveries d join push_endpoints e on e.service_provider_id = d.service_provider_id and e.id = d.endpoint_id`;

/** A number of the object as it is written, or a webhook-id. */
function named(keyword: string): RawBuilder<unknown> {
  const hex = /^msg_([0-9a-f]{32})$/.exec(keyword)?.[1];
  return hex ? sql`d.event_id = ${hex}::uuid` : sql`d.about = ${keyword}`;
}
/** 推送记录. */
export const listPushDeliveriesRoute = implement(listPushDeliveries, ({ tx, scope }, input) =>
  listPage<RowOf<typeof listPushDeliveries>>(tx, input, {
    columns: COLUMNS,
    from: FROM,
    where: all([
      inScope(scope, "d", "provider"),
      narrowed({ serviceProviderId: input.serviceProviderId }, "d"),
      is("d.endpoint_id", input.endpointId),
      is("d.state", input.state),
      is("d.type", input.type),
      during(input, "d.created_at"),
      input.keyword !== undefined && input.keyword !== "" && named(input.keyword),
    ]),
    order: "d.created_at",
    counted: sql`push_deliveries d`,
  }),
);

/** The last ones: replays have no end. */
const ATTEMPTS_SHOWN = 100;
type Detail = OutputOf<typeof getPushDelivery>;
interface Found extends Omit<Detail, "urlWhole" | "webhookId" | "lastAt" | "answersTold" | "attempts"> {
  readonly service_provider_id: string;
  readonly event_id: string;
}
export const getPushDeliveryRoute = implement(getPushDelivery, async (ctx, { id }) => {
  const { tx, scope, now, principal } = ctx;
  const urlWhole = seesWhole(ctx);
  const { rows } =
    await sql<Found>`select ${COLUMNS}, d.service_provider_id, d.event_id, ${urlWhole ? sql`e.url` : MASKED_URL} as url, v.body, v.bytes, encode(v.sha256, 'hex') as sha256, d.tries,
      case when d.settled_at is null and d.next_at > 'epoch' then d.next_at end as "nextAt",
      coalesce(d.taken_until > ${now}::timestamptz, false) as "inFlight",
      (d.settled_at is not null and v.body is not null and d.type <> 'push.test' and e.state in ('active', 'paused')) as "mayReplay"
    from ${FROM} join push_events v on v.service_provider_id = d.service_provider_id and v.id = d.event_id
    where d.id = ${id} and ${inScope(scope, "d", "provider")}`.execute(tx);
  const found = rows[0];
  if (!found) throw notFound("推送记录");
  const { service_provider_id, event_id, ...shown } = found;
  const { rows: attempts } = await sql<
    Detail["attempts"][number]
  >`select a.n, a.started_at as "startedAt", a.ended_at as "endedAt", a.outcome, a.status, a.fault,
      a.ms, a.signature, a.retry_after as "retryAfter", a.answer
    from push_attempts a where a.service_provider_id = ${service_provider_id} and a.delivery_id = ${id} order by a.n desc limit ${ATTEMPTS_SHOWN}`.execute(
    tx,
  );
  const shownAttempts = attempts.toReversed();
  // The provider's own root in person: neither the platform's nor whoever acts for it.
  const answersTold =
    scope.level === "SP" &&
    principal.actorId === undefined &&
    principal.session !== undefined &&
    principal.session["login"] === principal.session["root_login"];
  return {
    ...shown,
    urlWhole,
    webhookId: webhookIdOf(event_id),
    lastAt: shown.nextAt && (new Date(lastTryAt(shown.tries, Date.parse(shown.nextAt))).toISOString() as typeof shown.nextAt),
    answersTold,
    attempts: answersTold ? shownAttempts : shownAttempts.map((one) => ({ ...one, answer: null })),
  };
});
