import { sql } from "kysely";
import { z } from "zod";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { auditLater } from "@zhangfang/server/calls/audit.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { closeMember, keepMember, mergeMembers } from "../../contract/index.ts";
import { addMemberEvent } from "../events.ts";
import { membersInSight } from "../list/member-rows.ts";
import type { MemberRef } from "../member-facts.ts";
import { personOf, sealed, type Person } from "../seal.ts";
import { countMembers } from "../totals/count-orders.ts";
import { holdLiving, holdMember, toldOf } from "./own-member.ts";

/** Between asking and being forgotten: time to think again. */
export const CLOSE_DAYS = 7;
/** What the rules on prepaid cards want kept. */
const KEEP_YEARS = 5;

interface Holdings {
  readonly principal: number;
  readonly held: number;
  readonly gift: number;
  readonly points: number;
  readonly open: number;
}
/** What a member has, and the orders that are still open. */
async function holdingsOf(tx: Transaction, { service_provider_id, merchant_id, id }: MemberRef): Promise<Holdings> {
  const { rows } = await sql<Holdings>`select
      coalesce(sum(a.balance) filter (where a.kind = 'principal'), 0)::bigint as principal,
      coalesce(sum(a.balance) filter (where a.kind in ('principal-held', 'gift-held', 'points-held')), 0)::bigint as held,
      coalesce(sum(a.balance) filter (where a.kind = 'gift'), 0)::bigint as gift,
      coalesce(sum(a.balance) filter (where a.kind in ('points', 'points-pending')), 0)::bigint as points,
      ((select count(*) from pay_orders o where o.service_provider_id = ${service_provider_id} and o.member_id = ${id} and o.status = 0)
      + (select count(*) from member_openings w where w.service_provider_id = ${service_provider_id} and w.member_id = ${id} and w.status = 0))::int as open
    from value_accounts a where a.service_provider_id = ${service_provider_id} and a.merchant_id = ${merchant_id} and a.owner_id = ${id}`.execute(
    tx,
  );
  return rows[0]!;
}

/** 注销会员: asked for; what is owed comes back first. @throws 409 with what stands against it, 400 at `giveUp` */
export async function askClosing(ctx: Ctx, { id, giveUp, reason }: ParsedOf<typeof closeMember>) {
  const own = await holdLiving(ctx, id);
  if (own.status === 2) throw conflict("会员已冻结，请先解除冻结");
  const has = await holdingsOf(ctx.tx, own);
  if (has.principal > 0) throw conflict(`还有储值本金 ¥${yuan(has.principal)}，请先退卡再注销`, "member.principal");
  if (has.held > 0 || has.open > 0) throw conflict("还有未完成的订单或占用，请结束后再注销", "member.open");
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

const NOBODY = {
  name_sealed: null,
  name_hash: null,
  phone_sealed: null,
  tail_hash: null,
  phone_confirmed_at: null,
  id_card_sealed: null,
  birthday: null,
  form_sealed: null,
  pin_hash: null,
  remark: "",
  tags: sql<string[]>`'{}'::text[]`,
};
interface Closing extends MemberRef, Person {
  readonly id: string;
  readonly service_provider_id: string;
  readonly no: string;
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
      for (const table of ["member_codes", "member_tickets", "sms_codes", "sms_messages"] as const)
        await purge(tx, table, services.clock.now_ms());
      return tx
        .selectFrom("members")
        .select(["service_provider_id", "id"])
        .where("status", "=", 3)
        .where("close_asked_at", "<=", new Date(services.clock.now_ms() - CLOSE_DAYS * 86_400_000).toISOString())
        .execute();
    });
    for (const { service_provider_id, id } of due)
      await withScope(services.pool, own, (tx) => closeOne(tx, services, service_provider_id, id, now));
  },
});
/** Days that each is kept: longer than anything asks for it. */
const KEPT_DAYS = { member_codes: 1, member_tickets: 2, sms_codes: 2, sms_messages: 90 } as const;
// writes: member_codes, member_tickets, sms_codes, sms_messages
async function purge(tx: Transaction, table: keyof typeof KEPT_DAYS, now_ms: number): Promise<void> {
  const before = new Date(now_ms - KEPT_DAYS[table] * 86_400_000).toISOString();
  const moment = table === "member_codes" ? "at" : "created_at";
  await sql`delete from ${sql.table(table)} where ${sql.ref(moment)} < ${before}::timestamptz`.execute(tx);
}
async function closeOne(tx: Transaction, services: Services, provider: string, id: string, now: string): Promise<void> {
  const { rows } = await sql<Closing>`select m.service_provider_id, m.merchant_id, m.id, m.no, m.name_sealed, m.phone_sealed from members m
    where m.service_provider_id = ${provider} and m.id = ${id} and m.status = 3 for update`.execute(tx);
  const [row] = rows;
  if (!row) return;
  const has = await holdingsOf(tx, row);
  // A refund came in meanwhile: it waits until that is paid back.
  if (has.principal > 0 || has.held > 0 || has.open > 0) return;
  const kept = JSON.stringify({ no: row.no, ...personOf(services, row), closed: now });
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
  await forget(tx, row, { status: 4, closed_at: now });
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
/** Takes everything personal away, and what one is known by. */
async function forget(
  tx: Transaction,
  { service_provider_id, id }: MemberRef,
  state: { status: number; closed_at?: string; merged_into?: string },
): Promise<void> {
  const changed = await tx
    .updateTable("members")
    .set((column) => ({ ...NOBODY, ...state, revision: column("revision", "+", 1) }))
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "in", [1, 3])
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员不在正常状态"));
  await tx.deleteFrom("member_identities").where("service_provider_id", "=", service_provider_id).where("member_id", "=", id).execute();
  await tx.deleteFrom("member_tickets").where("service_provider_id", "=", service_provider_id).where("member_id", "=", id).execute();
}

/**
 * 合并会员: the one that goes points to the one that stays; what it is known by and its stores go over, its orders are found through it. What it holds
 * would have to move in the book, which has no way for it yet, so it must hold nothing.
 */
export const mergeMembersRoute = implement(mergeMembers, async (ctx, { id, intoNo, reason }) => {
  const named = await sql<{ id: string }>`select m.id from members m where m.no = ${intoNo}
    and m.merchant_id = (select x.merchant_id from members x where x.id = ${id}) and ${membersInSight(ctx.scope)}`.execute(ctx.tx);
  const into = named.rows[0]?.id;
  if (into === undefined) throw notFound("会员");
  if (into === id) throw invalid("intoNo", "不能合并到自己");
  // By id, so that two merges of the same pair wait for each other.
  for (const one of [id, into].toSorted()) await holdMember(ctx, one);
  const [own, other] = [await holdLiving(ctx, id), await holdLiving(ctx, into)];
  if (own.status !== 1 || other.status !== 1) throw conflict("两个会员都须在正常状态");
  const has = await holdingsOf(ctx.tx, own);
  if (has.held > 0 || has.open > 0) throw conflict("还有未完成的订单或占用，请结束后再合并", "member.open");
  if (has.principal + has.gift + has.points > 0) throw conflict("被合并的会员还有储值或积分，请先用完或转出", "member.holds");
  const { service_provider_id: provider, merchant_id } = own;
  // All that it is known by leads to the one that stays.
  const mine = sql`service_provider_id = ${provider} and member_id = ${id}`;
  await sql`update member_identities set member_id = ${into} where ${mine}`.execute(ctx.tx);
  // Who was merged into the one that goes points to the one that stays; its orders keep its own id and are found through that.
  await sql`update members set merged_into = ${into} where service_provider_id = ${provider} and merged_into = ${id}`.execute(ctx.tx);
  await sql`insert into member_stores (service_provider_id, merchant_id, member_id, store_id, home, first_at)
    select service_provider_id, merchant_id, ${into}, store_id, false, first_at from member_stores
    where service_provider_id = ${provider} and member_id = ${id} on conflict (service_provider_id, member_id, store_id) do nothing`.execute(
    ctx.tx,
  );
  await forget(ctx.tx, own, { status: 5, merged_into: into });
  await countMembers(ctx.tx, provider, [id, into]);
  await addMemberEvent(ctx.tx, ctx.services, own, "merged", askerOf(ctx).name, `并入 ${intoNo}：${reason}`);
  await addMemberEvent(
    ctx.tx,
    ctx.services,
    { service_provider_id: provider, merchant_id, id: into },
    "merged",
    askerOf(ctx).name,
    `并入了 ${own.no}：${reason}`,
  );
  ctx.note(toldOf(own, { mergedInto: intoNo, reason }));
  return { ok: true as const, id: into };
});
