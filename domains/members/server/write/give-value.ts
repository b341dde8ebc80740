import { sql } from "kysely";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { type Ctx, implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addLot, addPoints, type Holder, lockHolder, lockHolders } from "../../../value-book/server/index.ts";
import { decideOpenings, listOpenings, SENT_A_DAY, sendPoints } from "../../contract/index.ts";
import { addMemberEvent } from "../events.ts";
import { membersInSight } from "../list/member-rows.ts";
import type { MemberRef } from "../member-facts.ts";
import { maskedOf, type Person } from "../seal.ts";

/** 发送积分: to each once for the request; whoever left gets none, and then nobody does. */
export const sendPointsRoute = implement(sendPoints, async (ctx, { ids, points, endsOn, reason }) => {
  const today = shanghaiDay(ctx.now_ms);
  if (endsOn !== null && endsOn < today) throw invalid("endsOn", "有效期须在今天或以后");
  const wanted = [...new Set(ids)].toSorted();
  // In one order, so that two who send to the same people never wait for each other in a ring.
  const { stores } = ctx.scope;
  // What a shop gives stands in the book as that shop's; what the merchant gives is no shop's.
  const at = stores
    ? sql`(select v.store_id from member_stores v where v.service_provider_id = m.service_provider_id and v.member_id = m.id
        and v.store_id = any(${`{${stores.join(",")}}`}::uuid[]) order by v.home desc, v.store_id limit 1)`
    : sql`null::uuid`;
  const mine = sql`m.id = any(${`{${wanted.join(",")}}`}::uuid[]) and ${membersInSight(ctx.scope)}`;
  // Value first, then the rows, as a merge does.
  const holders =
    await sql<Holder>`select m.service_provider_id, m.merchant_id, m.id as member_id from members m where ${mine} order by m.merchant_id, m.id`.execute(
      ctx.tx,
    );
  for (const own of Map.groupBy(holders.rows, (holder) => holder.merchant_id).values()) await lockHolders(ctx.tx, own);
  const { rows } = await sql<
    MemberRef & { status: number; store_id: string | null }
  >`select m.service_provider_id, m.merchant_id, m.id, m.status, ${at} as store_id from members m
    where ${mine} order by m.id for no key update of m`.execute(ctx.tx);
  if (rows.length < wanted.length) throw notFound("会员");
  if (rows.some(({ status }) => status > 2)) throw conflict("选中的会员有已注销或注销中的，请去掉后再发");
  const poster = { ids: ctx.services.ids, now_ms: ctx.now_ms };
  for (const member of rows) {
    const holder = { service_provider_id: member.service_provider_id, merchant_id: member.merchant_id, member_id: member.id };
    const sent = {
      cause: "points-earned" as const,
      cause_id: ctx.services.ids.uuid(ctx.now_ms),
      points,
      usable_from: today,
      expires_on: endsOn,
      ...(member.store_id !== null && { store_id: member.store_id }),
    };
    if ((await sentOn(ctx, holder, today)) + points > SENT_A_DAY)
      throw invalid("points", `每人每天最多 ${SENT_A_DAY} 分，更多请用「积分调整」由另一人审核`);
    await addPoints(ctx.tx, poster, holder, sent);
    await addMemberEvent(ctx.tx, ctx.services, member, "points", askerOf(ctx).name, `+${points}：${reason}`);
  }
  const [first] = rows;
  ctx.note({
    targetKind: "member",
    ...(rows.length === 1 && { targetId: first!.id }),
    ...(first && { provider: first.service_provider_id, merchant: first.merchant_id }),
    after: { count: rows.length, points, reason },
  });
  return { ok: true as const, sent: rows.length };
});

/** What a member was sent by hand on a day, as far as the caller sees it; the member is held until the end. */
async function sentOn({ tx }: Pick<Ctx, "tx">, holder: Holder, day: string): Promise<number> {
  await lockHolder(tx, holder);
  const { rows } = await sql<{ points: number }>`select coalesce(sum(p.amount), 0)::bigint as points from value_entries e
    join value_postings p on p.service_provider_id = e.service_provider_id and p.entry_id = e.id
    where e.service_provider_id = ${holder.service_provider_id} and e.merchant_id = ${holder.merchant_id} and e.owner_id = ${holder.member_id}
      and e.cause = 'points-earned' and e.order_id is null and e.occurred_at >= ${dayStart(day)} and p.owner_id = e.owner_id`.execute(tx);
  return rows[0]?.points ?? 0;
}

interface Opening extends MemberRef {
  readonly member_id: string;
  readonly store_id: string;
  readonly principal_cents: number;
  readonly gift_cents: number;
  readonly asked_by: string;
}
/** 待确认的期初本金: of the caller's sight. */
export const listOpeningsRoute = implement(listOpenings, async (ctx) => {
  const me = askerOf(ctx).id;
  const { rows } = await sql<
    Omit<Person, "id"> & Opening & { no: string; store: string; asked_name: string; created_at: string }
  >`select w.id, w.service_provider_id, w.merchant_id, w.member_id, w.store_id, m.no, m.name_sealed, m.phone_sealed, s.short_name as store,
      w.principal_cents, w.gift_cents, w.asked_by, w.asked_name, w.created_at
    from member_openings w join members m on m.service_provider_id = w.service_provider_id and m.id = w.member_id
    join stores s on s.service_provider_id = w.service_provider_id and s.id = w.store_id
    where w.status = 0 and ${inScope(ctx.scope, "w", "store")} order by w.created_at, w.id limit 200`.execute(ctx.tx);
  const { rows: sums } = await sql<{
    count: number;
    cents: number;
  }>`select count(*)::int as count, coalesce(sum(w.principal_cents), 0)::bigint as cents
    from member_openings w where w.status = 0 and ${inScope(ctx.scope, "w", "store")}`.execute(ctx.tx);
  return {
    items: rows.map((row) => ({
      id: row.id,
      memberId: row.member_id,
      memberNo: row.no,
      ...maskedOf(ctx.services, { ...row, id: row.member_id }),
      storeName: row.store,
      principalCents: row.principal_cents as never,
      giftCents: row.gift_cents as never,
      askedBy: row.asked_name,
      createdAt: row.created_at as never,
      mayConfirm: row.asked_by !== me,
    })),
    count: sums[0]?.count ?? 0,
    principalCents: (sums[0]?.cents ?? 0) as never,
  };
});

/** 确认期初本金: by somebody else than who brought it. Each comes to its member once. */
export const decideOpeningsRoute = implement(decideOpenings, async (ctx, { ids, approve }) => {
  const me = askerOf(ctx);
  const wanted = [...new Set(ids)].toSorted();
  const { rows } = await sql<
    Opening & { status: number }
  >`select w.id, w.service_provider_id, w.merchant_id, w.member_id, w.store_id, w.principal_cents, w.gift_cents,
      w.asked_by, m.status from member_openings w join members m on m.service_provider_id = w.service_provider_id and m.id = w.member_id
    where w.id = any(${`{${wanted.join(",")}}`}::uuid[]) and w.status = 0 and ${inScope(ctx.scope, "w", "store")} order by w.id for update of w`.execute(
    ctx.tx,
  );
  if (rows.length < wanted.length) throw conflict("有的记录已被处理，请刷新后再试");
  if (rows.some(({ asked_by }) => asked_by === me.id)) throw conflict("自己导入的本金须由另一人确认", "second-person");
  if (approve && rows.some(({ status }) => status > 2)) throw conflict("有的会员已注销或正在注销，请先驳回这些记录");
  for (const row of rows) {
    const changed = await ctx.tx
      .updateTable("member_openings")
      .set({ status: approve ? 1 : 2, ended_by: me.id, ended_name: me.name, ended_at: ctx.now })
      .where("service_provider_id", "=", row.service_provider_id)
      .where("id", "=", row.id)
      .where("status", "=", 0)
      .executeTakeFirst();
    mustChange(changed, () => conflict("有的记录已被处理，请刷新后再试"));
    if (!approve) continue;
    const holder = { service_provider_id: row.service_provider_id, merchant_id: row.merchant_id, member_id: row.member_id };
    const { store_id: sold_store_id, principal_cents, gift_cents } = row;
    await addLot(ctx.tx, { ids: ctx.services.ids, now_ms: ctx.now_ms }, holder, {
      cause: "opening",
      cause_id: row.id,
      sold_store_id,
      mode: "ratio",
      principal_cents,
      gift_cents,
    });
    await addMemberEvent(ctx.tx, ctx.services, { ...row, id: row.member_id }, "balance", me.name, "导入的本金已确认");
  }
  const [first] = rows;
  const cents = rows.reduce((sum, row) => sum + row.principal_cents, 0);
  ctx.note({
    targetKind: "member_opening",
    ...(first && { provider: first.service_provider_id, merchant: first.merchant_id }),
    after: { count: rows.length, principalCents: cents, approve },
  });
  return { ok: true as const, decided: rows.length };
});
