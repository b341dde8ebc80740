import { sql } from "kysely";
import { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job, type Job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { askRevoke, decideRevoke } from "../../contract/index.ts";
import { moveCoupons } from "../holding/move-coupons.ts";
import { COUPONS_OF_ROW, ownTask } from "./task-thing.ts";

const SCOPE = platformScope("revoke the coupons of a sending");
/** Members whose coupons are taken back in one transaction; of packages fewer, for each has many. */
const AT_ONCE = { coupon: 500, package: 50 } as const;
/** How long one turn works before the next one goes on: well within the queue's lease. */
const TURN_MS = 30_000;

/** 申请作废: of a sending that does nothing any more. */
export const askRevokeRoute = implement(askRevoke, async (ctx, { id, reason }) => {
  const { rows } = await sql<{ service_provider_id: string; merchant_id: string | null; status: number; sent: boolean }>`
    select t.service_provider_id, t.merchant_id, t.status, exists (select from send_rows r where r.service_provider_id = t.service_provider_id
      and r.task_id = t.id and r.status = 1) as sent
    from send_tasks t where t.id = ${id} and ${ownTask(ctx.scope)} for update of t`.execute(ctx.tx);
  const task = rows[0];
  if (!task) throw notFound("任务");
  if (task.status === 0 || task.status === 4) throw conflict("任务还在发送，请先暂停或取消");
  if (!task.sent) throw conflict("这个任务还没有发出任何券");
  const by = askerOf(ctx);
  const asked =
    await sql`insert into send_revokes (service_provider_id, id, merchant_id, task_id, reason, asked_by, asked_by_name, asked_at)
    values (${task.service_provider_id}, ${ctx.services.ids.uuid(ctx.now_ms)}, ${task.merchant_id}, ${id}, ${reason}, ${by.id}, ${by.name}, ${ctx.now})
    on conflict (service_provider_id, task_id) where status < 3 do nothing`.execute(ctx.tx);
  if (asked.numAffectedRows !== 1n) throw conflict("已经有人申请作废这次发放，请刷新后查看");
  ctx.note({
    targetKind: "coupon-send",
    targetId: id,
    after: { 申请作废: reason },
    provider: task.service_provider_id,
    merchant: task.merchant_id ?? undefined,
  });
  return { ok: true as const };
});

/** 确认作废: by another than who asked. */
export const decideRevokeRoute = implement(decideRevoke, async (ctx, { id, approve }) => {
  const { rows } = await sql<{ service_provider_id: string; merchant_id: string | null; asked_by: string; id: string }>`
    select v.service_provider_id, v.merchant_id, v.asked_by, v.id from send_revokes v
    join send_tasks t on t.service_provider_id = v.service_provider_id and t.id = v.task_id
    where v.task_id = ${id} and v.status = 0 and ${ownTask(ctx.scope)} for update of v`.execute(ctx.tx);
  const asked = rows[0];
  if (!asked) {
    await mustSee(ctx, id);
    throw conflict("没有等待确认的作废申请，请刷新后查看");
  }
  if (mineOf(ctx, asked.asked_by)) throw new Refusal(403, "second-person", "须由另一人确认，不能确认自己申请的");
  const by = askerOf(ctx);
  await sql`update send_revokes v set status = ${approve ? 1 : 3}, decided_by = ${by.id}, decided_by_name = ${by.name}, decided_at = ${ctx.now}
    where v.service_provider_id = ${asked.service_provider_id} and v.id = ${asked.id} and v.status = 0`.execute(ctx.tx);
  const { service_provider_id, merchant_id } = asked;
  if (approve) await ctx.services.jobs.enqueue(ctx.tx, runRevoke, { service_provider_id, id: asked.id });
  ctx.note({
    targetKind: "coupon-send",
    targetId: id,
    after: { 作废: approve },
    provider: service_provider_id,
    merchant: merchant_id ?? undefined,
  });
  return { ok: true as const };
});
/** Whether the caller asked for it, or acts through who did. */
export const mineOf = ({ principal }: Pick<Ctx, "principal">, asked_by: string): boolean =>
  asked_by === principal.id || asked_by === principal.actorId;
async function mustSee(ctx: Ctx, id: string): Promise<void> {
  const { rows } = await sql`select t.service_provider_id from send_tasks t where t.id = ${id} and ${ownTask(ctx.scope)}`.execute(ctx.tx);
  if (rows.length === 0) throw notFound("任务");
}

const which = z.object({ service_provider_id: z.uuid(), id: z.uuid() });
type Which = z.output<typeof which>;
/** Takes back what is usable, from the sending's first row to its last; what an order has is marked, and is void as soon as it is free. */
export const runRevoke: Job<typeof which> = job({
  name: "revoke-coupons",
  data: which,
  async run(services, revoke) {
    const until_ms = services.clock.now_ms() + TURN_MS;
    while (await withScope(services.pool, SCOPE, (tx) => revokeSome(tx, services, revoke)))
      if (services.clock.now_ms() >= until_ms) return withScope(services.pool, SCOPE, (tx) => services.jobs.enqueue(tx, runRevoke, revoke));
  },
});
/** Each minute: what was confirmed and stands still goes on. */
export const lookAfterRevokes = lookAfter<Which>({
  name: "look-after-revokes",
  due: async (tx, now) =>
    (
      await sql<Which>`select v.service_provider_id, v.id from send_revokes v where v.status = 1
        and coalesce(v.moved_at, v.decided_at) < ${now}::timestamptz - interval '5 minutes' order by v.decided_at limit 100`.execute(tx)
    ).rows,
  one: (services, revoke) => runRevoke.run(services, revoke),
});
/** The next rows of the sending; with the last of them it is done. Two that do it wait for each other. @returns whether there may be more */
async function revokeSome(tx: Transaction, services: Services, { service_provider_id, id }: Which): Promise<boolean> {
  const { rows: found } = await sql<{ task_id: string; place: number; most: number }>`select v.task_id, v.place,
      case when t.package_id is null then ${sql.lit(AT_ONCE.coupon)} else ${sql.lit(AT_ONCE.package)} end as most
    from send_revokes v join send_tasks t on t.service_provider_id = v.service_provider_id and t.id = v.task_id
    where v.service_provider_id = ${service_provider_id} and v.id = ${id} and v.status = 1 for no key update of v`.execute(tx);
  const [revoke] = found;
  if (!revoke) return false;
  const { rows: next } = await sql<{ place: number }>`select r.place from send_rows r where r.service_provider_id = ${service_provider_id}
    and r.task_id = ${revoke.task_id} and r.place > ${revoke.place} order by r.place limit ${revoke.most}`.execute(tx);
  const end = next.at(-1)?.place ?? revoke.place;
  const more = next.length === revoke.most;
  await sql`update send_revokes v set place = ${end}, moved_at = ${new Date(services.clock.now_ms()).toISOString()}, status = ${more ? 1 : 2}
    where v.service_provider_id = ${service_provider_id} and v.id = ${id} and v.status = 1`.execute(tx);
  // What was used stays; where a whole refund would give it back, it is void.
  const { rows } = await sql<{ id: string; merchant_id: string; state: string }>`select c.id, c.merchant_id, c.state from send_rows r
    ${COUPONS_OF_ROW}
    where r.service_provider_id = ${service_provider_id} and r.task_id = ${revoke.task_id} and r.place > ${revoke.place} and r.place <= ${end}
      and r.status = 1 and (c.state = 'SENDED' or (c.state in ('LOCKED', 'USED') and not c.revoked))
    order by c.id for no key update of c`.execute(tx);
  // Of a provider's sending they are of several merchants: in the order in which what is out of a campaign is counted (`coupon_outs`).
  for (const merchant_id of [...new Set(rows.map((row) => row.merchant_id))].toSorted())
    await moveCoupons(
      tx,
      services,
      { service_provider_id, merchant_id },
      rows.filter((row) => row.state === "SENDED" && row.merchant_id === merchant_id),
      { to: "DEACTIVATED", cause: "revoked" },
    );
  const had = rows.filter(({ state }) => state !== "SENDED").map((one) => one.id);
  await sql`update coupons c set revoked = true where c.service_provider_id = ${service_provider_id} and c.id = any(${had}::uuid[])`.execute(
    tx,
  );
  return more;
}
