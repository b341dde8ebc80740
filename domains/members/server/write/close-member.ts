import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { auditLater } from "@zhangfang/server/calls/audit.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { closeMember, keepMember } from "../../contract/index.ts";
import { endHolder, lockHolders } from "../../../value-book/server/index.ts";
import { addMemberEvent } from "../events.ts";
import { type MemberRef, whatIsAgainst } from "../member-facts.ts";
import { idCardOf, personOf, sealed, type Person } from "../seal.ts";
import { forget, holdingsOf } from "./forget.ts";
import { holdLiving, toldOf } from "./own-member.ts";

/** Between asking and being forgotten: time to think again. */
export const CLOSE_DAYS = 7;
/** What the rules on prepaid cards want kept. */
const KEEP_YEARS = 5;

/** 注销会员: asked for; what is owed comes back first. @throws 409 with what stands against it, 400 at `giveUp` */
export async function askClosing(ctx: Ctx, { id, giveUp, reason }: ParsedOf<typeof closeMember>) {
  const own = await holdLiving(ctx, id);
  if (own.status === 2) throw conflict("会员已冻结，请先解除冻结");
  // Past the fence of a store: what is open elsewhere counts.
  const [has, why] = await asPlatform(
    ctx.tx,
    async () => [await holdingsOf(ctx.tx, own), await whatIsAgainst(ctx.tx, ctx.services, own)] as const,
  );
  if (has.principal > 0) throw conflict(`还有储值本金 ¥${yuan(has.principal)}，请先退卡再注销`, "member.principal");
  if (has.times > 0) throw conflict(`还有没用完的次卡，值 ¥${yuan(has.times)}，请先用完或退款再注销`, "member.times");
  if (has.held > 0 || has.open > 0) throw conflict("还有未完成的订单或占用，请结束后再注销", "member.open");
  if (why !== undefined) throw conflict(`${why}，请处理后再注销`, "member.open");
  if (has.gift + has.points > 0 && !giveUp) throw invalid("giveUp", `赠送 ${yuan(has.gift)} 和 ${has.points} 积分会作废，须会员同意`);
  const changed = await ctx.tx
    .updateTable("members")
    .set({ status: 3, close_asked_at: ctx.now, revision: own.revision + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 1)
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员已在注销中"));
  await addMemberEvent(ctx.tx, ctx.services, own, "close-asked", askerOf(ctx).name, reason);
  const closeOn = addDays(shanghaiDay(ctx.now_ms), CLOSE_DAYS);
  ctx.note(toldOf(own, { status: 3, reason }, { status: 1 }));
  return { ok: true as const, closeOn };
}
export const closeMemberRoute = implement(closeMember, askClosing);

/** 撤回注销, within the seven days. */
export async function withdrawClosing(ctx: Ctx, { id }: ParsedOf<typeof keepMember>) {
  const own = await holdLiving(ctx, id);
  const changed = await ctx.tx
    .updateTable("members")
    .set({ status: 1, close_asked_at: null, revision: own.revision + 1 })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 3)
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员不在注销中"));
  await addMemberEvent(ctx.tx, ctx.services, own, "close-withdrawn", askerOf(ctx).name);
  ctx.note(toldOf(own, { status: 1 }, { status: 3 }));
  return { ok: true as const };
}
export const keepMemberRoute = implement(keepMember, withdrawClosing);

interface Closing extends MemberRef, Person {
  readonly id: string;
  readonly service_provider_id: string;
  readonly no: string;
  readonly id_card_sealed: string | null;
}
/** Each night: whose seven days are over is forgotten; orders and books keep the bare id, the archive what the law wants, for its time. */
export const closeMembers = job({
  name: "close-members",
  data: z.object({}),
  every: "20 1 * * *",
  concurrency: 1,
  lease_s: 1800,
  async run(services) {
    const own = platformScope("close members");
    const now = new Date(services.clock.now_ms()).toISOString();
    const due = await withScope(services.pool, own, async (tx) => {
      await tx.deleteFrom("member_archive").where("keep_until", "<", shanghaiDay(services.clock.now_ms())).execute();
      for (const table of ["code_faults", "member_codes", "member_tickets", "sms_codes", "sms_messages"] as const)
        await purge(tx, table, services.clock.now_ms());
      return tx
        .selectFrom("members")
        .select(["service_provider_id", "merchant_id", "id"])
        .where("status", "=", 3)
        .where("close_asked_at", "<=", new Date(services.clock.now_ms() - CLOSE_DAYS * 86_400_000).toISOString())
        .execute();
    });
    for (const one of due) await withScope(services.pool, own, (tx) => closeOne(tx, services, one, now));
  },
});
/** Days that each is kept: longer than anything asks for it. */
const KEPT_DAYS = { code_faults: 1, member_codes: 1, member_tickets: 2, sms_codes: 2, sms_messages: 90 } as const;
// writes: code_faults, member_codes, member_tickets, sms_codes, sms_messages
async function purge(tx: Transaction, table: keyof typeof KEPT_DAYS, now_ms: number): Promise<void> {
  const before = new Date(now_ms - KEPT_DAYS[table] * 86_400_000).toISOString();
  const moment = table === "code_faults" ? "minute" : table === "member_codes" ? "at" : "created_at";
  await sql`delete from ${sql.table(table)} where ${sql.ref(moment)} < ${before}::timestamptz`.execute(tx);
}
async function closeOne(tx: Transaction, services: Services, one: MemberRef & { readonly id: string }, now: string): Promise<void> {
  const { service_provider_id: provider, merchant_id, id } = one;
  // Value first, then the row, as everybody does.
  await lockHolders(tx, [{ service_provider_id: provider, merchant_id, member_id: id }]);
  const { rows } =
    await sql<Closing>`select m.service_provider_id, m.merchant_id, m.id, m.no, m.name_sealed, m.phone_sealed, m.id_card_sealed from members m
    where m.service_provider_id = ${provider} and m.id = ${id} and m.status = 3 for update`.execute(tx);
  const [row] = rows;
  if (!row) return;
  const has = await holdingsOf(tx, row);
  // A refund came in meanwhile: it waits until that is paid back.
  if (has.principal > 0 || has.times > 0 || has.held > 0 || has.open > 0) return;
  if ((await whatIsAgainst(tx, services, row)) !== undefined) return;
  const kept = JSON.stringify({ no: row.no, ...personOf(services, row), idCard: idCardOf(services, row), closed: now });
  await tx
    .insertInto("member_archive")
    .values({
      service_provider_id: provider,
      merchant_id: row.merchant_id,
      member_id: id,
      kept_sealed: sealed(services, "archive", provider, id, kept),
      keep_until: `${Number(now.slice(0, 4)) + KEEP_YEARS}-12-31`,
    })
    .execute();
  const holder = { service_provider_id: provider, merchant_id: row.merchant_id, member_id: id };
  await endHolder(tx, { ids: services.ids, now_ms: Date.parse(now) }, holder);
  await forget(tx, row, { status: 4, closed_at: now });
  // A merge that waited for it can't be any more.
  await sql`update member_merges set status = 2, ended_name = '系统', ended_at = ${now}
    where service_provider_id = ${row.service_provider_id} and ${row.id}::uuid in (member_id, into_id) and status = 0`.execute(tx);
  await addMemberEvent(tx, services, row, "closed", "系统");
  await auditLater(tx, services, {
    endpoint: "close-members",
    title: "会员注销到期",
    targetKind: "member",
    targetId: id,
    provider,
    merchant: row.merchant_id,
    after: { memberNo: row.no, status: 4 },
  });
}
