import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { all, during } from "@zhangfang/server/lists/conditions.ts";
import { BODIES_KEPT_DAYS, REPLAY_MOST, replayFailedPushes, replayPushDelivery } from "../../contract/index.ts";
import { findEndpoint } from "../endpoints/read-endpoints.ts";

const AGAIN = sql`state = 'waiting', next_at = 'epoch', settled_at = null, tries = 0, replays = d.replays + 1, taken_until = null`;
/**
 * An address that takes replays. It is not held, so that what is under way is settled meanwhile: what goes to one that is switched off in
 * this moment is given up with what else waited.
 * @throws 404, and 409 where it is off
 */
async function takesReplays({ tx, scope }: Ctx, endpointId: string) {
  const endpoint = await findEndpoint({ tx, scope }, endpointId);
  if (endpoint.state === "disabled") throw conflict("这个地址已停用，先发一条测试，通过后再重放", "push-endpoint.disabled");
  return endpoint;
}

/** 重放这一条: the same bytes, the same webhook-id. */
export const replayPushDeliveryRoute = implement(replayPushDelivery, async (ctx, { id }) => {
  const { rows } = await sql<{ endpoint_id: string; type: string }>`select d.endpoint_id, d.type from push_deliveries d
    where d.id = ${id} and ${inScope(ctx.scope, "d", "provider")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("推送记录");
  const endpoint = await takesReplays(ctx, rows[0].endpoint_id);
  if (rows[0].type === "push.test") throw conflict("测试事件不重放，再发一条就是", "push.test");
  const done = await sql`update push_deliveries d set ${AGAIN} from push_events v
    where d.service_provider_id = ${endpoint.service_provider_id} and d.id = ${id} and d.settled_at is not null
      and v.service_provider_id = d.service_provider_id and v.id = d.event_id and v.body is not null`.execute(ctx.tx);
  mustChange({ numUpdatedRows: done.numAffectedRows ?? 0n }, () => conflict("还在推送，或者正文已过 30 天，不能重放", "push.not-settled"));
  ctx.note({ targetKind: "push_delivery", targetId: id, provider: endpoint.service_provider_id, after: { replayed: 1 } });
  return { ok: true } as const;
});

/** 重放失败的. */
export const replayFailedPushesRoute = implement(replayFailedPushes, async (ctx, { endpointId, ...days }) => {
  const endpoint = await takesReplays(ctx, endpointId);
  const done = await sql`with failed as (
      select d.id from push_deliveries d join push_events v on v.service_provider_id = d.service_provider_id and v.id = d.event_id
      where d.service_provider_id = ${endpoint.service_provider_id} and d.endpoint_id = ${endpointId} and d.state = 'abandoned'
        and d.type <> 'push.test' and v.body is not null and d.created_at > ${ctx.now}::timestamptz - ${BODIES_KEPT_DAYS} * interval '1 day' and ${all([during(days, "d.created_at")])} limit ${REPLAY_MOST + 1})
    update push_deliveries d set ${AGAIN}
    where d.service_provider_id = ${endpoint.service_provider_id} and d.state = 'abandoned' and d.id in (select id from failed)`.execute(
    ctx.tx,
  );
  const replayed = Number(done.numAffectedRows ?? 0n);
  // Thrown, so that none of them goes.
  if (replayed > REPLAY_MOST) throw conflict(`超过 ${REPLAY_MOST.toLocaleString("en-US")} 条，请缩短日期范围`, "push.replay-most");
  if (replayed === 0) throw conflict("这段时间没有可重放的失败推送", "push.none");
  ctx.note({ targetKind: "push_endpoint", targetId: endpointId, provider: endpoint.service_provider_id, after: { replayed, ...days } });
  return { replayed };
});
