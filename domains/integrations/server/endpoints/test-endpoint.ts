import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { testPushEndpoint } from "../../contract/index.ts";
import { holdEndpoint } from "./read-endpoints.ts";

/** Each is a call to an address that somebody typed. */
const MOST_OPEN = 3;
/** 发一条测试: an event of its own for this address, sent like every other but tried once. Passed, it brings a disabled address back. @throws 409 where three are open */
export const testPushEndpointRoute = implement(testPushEndpoint, async (ctx, { id }) => {
  const endpoint = await holdEndpoint(ctx, id);
  const { rows: open } = await sql<{ n: number }>`select count(*)::int as n from push_deliveries d
    where d.service_provider_id = ${endpoint.service_provider_id} and d.endpoint_id = ${id} and d.settled_at is null and d.type = 'push.test'`.execute(
    ctx.tx,
  );
  if (open[0]!.n >= MOST_OPEN) throw conflict(`已有 ${MOST_OPEN} 条测试在等结果，请稍后再发`, "push-endpoint.testing");
  const { rows } = await sql<{ id: string }>`
    with made as (select app.push(${endpoint.service_provider_id}::uuid, 'push.test', null, ${id}::uuid, ${ctx.now}::timestamptz,
      ',"endpoint":' || to_json(${endpoint.name}::text), '', ${id}::uuid) as event)
    select event as id from made`.execute(ctx.tx);
  const delivery = await ctx.tx
    .selectFrom("push_deliveries as d")
    .select("d.id")
    .where("d.service_provider_id", "=", endpoint.service_provider_id)
    .where("d.event_id", "=", rows[0]!.id)
    .where("d.endpoint_id", "=", id)
    .executeTakeFirstOrThrow();
  ctx.note({ targetKind: "push_endpoint", targetId: id, provider: endpoint.service_provider_id, after: { test: delivery.id } });
  return { deliveryId: delivery.id };
});
