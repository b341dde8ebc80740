import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, forbidden, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { typedUrlFault } from "@zhangfang/server/outside/outbound.ts";
import { addPushEndpoint, listenable, steerPushEndpoint, updatePushEndpoint } from "../../contract/index.ts";
import { newSecret } from "../keys.ts";
import { pushDoorOf } from "../push-door.ts";
import { giveUpWaiting } from "../send/give-up.ts";
import { holdEndpoint } from "./read-endpoints.ts";

/** Each event is written down for all of them. */
const MOST = 20;
type Facts = Pick<ParsedOf<typeof updatePushEndpoint>, "name" | "url" | "events" | "merchantIds">;
/** What somebody typed, as the row holds it. @throws 400 at its field, 404 for a merchant out of sight */
async function factsOf({ tx, scope, services }: Ctx, { name, url, events, merchantIds }: Facts) {
  const fault = typedUrlFault(url, pushDoorOf(services).loopback);
  if (fault) throw invalid("url", fault);
  const wanted = listenable.filter((type) => events.includes(type));
  if (wanted.length === 0) throw invalid("events", "至少选一种事件");
  const ids = [...new Set(merchantIds)];
  if (ids.length > 0) {
    const found = await tx.selectFrom("merchants as m").select("m.id").where("m.id", "in", ids).where(inScope(scope, "m")).execute();
    if (found.length !== ids.length) throw notFound("商户");
  }
  // Signs beyond ASCII become three or nine.
  const { href } = new URL(url);
  if (href.length > 500) throw invalid("url", "不能超过 500 个字");
  return { name, url: href, events: wanted as string[], merchant_ids: ids.length > 0 ? ids : null };
}
/** The record has no more of an address than where it leads: what stands behind may be a key. */
const told = (ctx: Ctx, row: { id: string; service_provider_id: string }, { url, ...after }: { url?: string; [name: string]: unknown }) =>
  ctx.note({
    targetKind: "push_endpoint",
    targetId: row.id,
    provider: row.service_provider_id,
    after: { ...after, ...(url !== undefined && { url: new URL(url).origin }) },
  });
export const changed = () => conflict("推送地址已被他人修改，请刷新后再改", "push-endpoint.changed");

/** 新建推送地址. */
export const addPushEndpointRoute = implement(addPushEndpoint, async (ctx, { requestId: _once, ...given }) => {
  const { tx, scope, services, now, now_ms, principal } = ctx;
  if (scope.level !== "SP" || scope.provider === undefined) throw forbidden();
  // One after the other: each sees the number before it.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`push-endpoints:${scope.provider}`}, 0))`.execute(tx);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from push_endpoints e where e.service_provider_id = ${scope.provider}
    and e.state <> 'removed'`.execute(tx);
  if (rows[0]!.n >= MOST) throw conflict(`最多 ${MOST} 个推送地址`, "push-endpoint.most");
  const facts = await factsOf(ctx, given);
  const row = { service_provider_id: scope.provider, id: services.ids.uuid(now_ms) };
  await tx
    .insertInto("push_endpoints")
    .values({ ...row, ...facts, secret_sealed: newSecret(services, row), by_name: principal.name, created_at: now, updated_at: now })
    .execute();
  told(ctx, row, facts);
  return { id: row.id };
});

export const updatePushEndpointRoute = implement(updatePushEndpoint, async (ctx, { id, revision, ...given }) => {
  const endpoint = await holdEndpoint(ctx, id);
  const facts = await factsOf(ctx, given);
  const done = await ctx.tx
    .updateTable("push_endpoints")
    .set({
      ...facts,
      // What the old address did says nothing of the new one.
      ...(facts.url !== endpoint.url && { failed_at: null, failing_since: null }),
      revision: revision + 1,
      by_name: ctx.principal.name,
      updated_at: ctx.now,
    })
    .where("service_provider_id", "=", endpoint.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(done, changed);
  told(ctx, endpoint, facts);
  return { ok: true } as const;
});

/** 暂停, 恢复 and 删除. */
export const steerPushEndpointRoute = implement(steerPushEndpoint, async (ctx, { id, revision, to }) => {
  const endpoint = await holdEndpoint(ctx, id);
  if (endpoint.state === to) return { ok: true } as const;
  if (endpoint.state === "disabled" && to !== "removed")
    throw conflict("已停用的地址要发一条测试，通过后自动恢复", "push-endpoint.disabled");
  const done = await ctx.tx
    .updateTable("push_endpoints")
    .set({ state: to, off_why: null, off_at: null, failed_at: null, failing_since: null, revision: revision + 1, updated_at: ctx.now })
    .where("service_provider_id", "=", endpoint.service_provider_id)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .where("state", "=", endpoint.state)
    .executeTakeFirst();
  mustChange(done, changed);
  if (to === "removed") await giveUpWaiting(ctx.tx, endpoint, ctx.now, "all");
  told(ctx, endpoint, { state: to });
  return { ok: true } as const;
});

/** Of a provider that was restored elsewhere: what it is told waits until somebody resumes the address. */
export const holdBackPushes = (tx: Transaction, provider: string) =>
  tx
    .updateTable("push_endpoints")
    .set({ state: "paused" })
    .where("service_provider_id", "=", provider)
    .where("state", "=", "active")
    .execute();
