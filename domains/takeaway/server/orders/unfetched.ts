import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { fetchAgain, giveUpFetch, listUnfetched } from "../../contract/index.ts";

type Row = OutputOf<typeof listUnfetched>["rows"][number];
const MOST = 100;
/** Fetches `f` that are not done: waiting, or given up. */
const OPEN = sql`(f.next_at is not null or f.outcome in ('refused', 'unknown'))`;

/** 没取到的订单. */
export const listUnfetchedRoute = implement(listUnfetched, async ({ scope, tx }, { merchantId }) => {
  const { rows } =
    await sql<Row>`select f.id, a.platform, f.platform_order_id as "platformOrderId", m.short_name as "merchantName", f.outcome, f.why,
      f.tries, f.wanted_at as "wantedAt", f.asked_at as "askedAt", f.next_at as "nextAt"
    from takeaway_fetches f
    join platform_accounts a on a.service_provider_id = f.service_provider_id and a.id = f.account_id
    join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id
    where ${all([inScope(scope, "f", "merchant"), is("f.merchant_id", merchantId)])} and ${OPEN}
    order by f.wanted_at desc, f.id desc limit ${MOST + 1}`.execute(tx);
  return { rows: rows.slice(0, MOST), more: rows.length > MOST };
});

async function readFetch({ scope, tx }: Ctx, id: string) {
  const { rows } = await sql<{ merchant_id: string; service_provider_id: string; platform_order_id: string }>`
    select f.service_provider_id, f.merchant_id, f.platform_order_id from takeaway_fetches f
    where f.id = ${id} and ${inScope(scope, "f", "merchant")}`.execute(tx);
  if (!rows[0]) throw notFound("外卖订单");
  return rows[0];
}

/** 再取一次. */
export const fetchAgainRoute = implement(fetchAgain, async (ctx, { id }) => {
  const { tx, now } = ctx;
  const fetch = await readFetch(ctx, id);
  const next = sql`greatest(${now}::timestamptz, f.asked_at + interval '30 seconds')`;
  const asked = await sql`update takeaway_fetches f set next_at = ${next}, tries = 0,
      wanted_at = greatest(${now}::timestamptz, f.wanted_at + interval '1 millisecond')
    where f.service_provider_id = ${fetch.service_provider_id} and f.id = ${id} and ${OPEN} and (f.next_at is null or f.next_at > ${next})
    returning f.id`.execute(tx);
  if (asked.rows.length !== 1) throw conflict("这一单已经取到，或正要去取，请刷新");
  const { service_provider_id: provider, merchant_id: merchant, platform_order_id } = fetch;
  ctx.note({ targetKind: "takeaway-fetch", targetId: id, provider, merchant, after: { order: platform_order_id } });
  return { ok: true } as const;
});

/** 不再取: it becomes one that the platform has not, with who said so and why. */
export const giveUpFetchRoute = implement(giveUpFetch, async (ctx, { id, reason }) => {
  const { tx, now } = ctx;
  const { service_provider_id: provider, merchant_id: merchant, platform_order_id } = await readFetch(ctx, id);
  const why = `不再取：${reason}（${ctx.principal.name}）`;
  const given = await sql`update takeaway_fetches f set outcome = 'none', why = ${why}, answered_at = ${now}::timestamptz
    where f.service_provider_id = ${provider} and f.id = ${id} and f.next_at is null and f.outcome in ('refused', 'unknown')`.execute(tx);
  if (given.numAffectedRows !== 1n) throw conflict("这一单已经取到，或还会自己再取，请刷新");
  ctx.note({ targetKind: "takeaway-fetch", targetId: id, provider, merchant, after: { order: platform_order_id, givenUp: reason } });
  return { ok: true } as const;
});
