import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform } from "@zhangfang/server/database/db.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { lockBoth, mergeHolders } from "../../../value-book/server/index.ts";
import { mergeMembers } from "../../contract/index.ts";
import { addMemberEvent } from "../events.ts";
import { membersInSight } from "../list/member-rows.ts";
import { type MemberRef, tellMerged, whatIsAgainst } from "../member-facts.ts";
import { countMembers } from "../totals/count-orders.ts";
import { forget, holdingsOf } from "./forget.ts";
import { holdLiving, type OwnMember, toldOf } from "./own-member.ts";

/**
 * 合并会员: the one that goes points to the one that stays. What it is known by, its stores and what it holds go over; its orders keep its
 * id and are found through it, and what comes back of them comes to the one that stays. Final.
 */
export const mergeMembersRoute = implement(mergeMembers, async (ctx, { id, intoNo, reason }) => {
  const { tx, services } = ctx;
  const named = await sql<{
    id: string;
    service_provider_id: string;
    merchant_id: string;
  }>`select m.id, m.service_provider_id, m.merchant_id
    from members m where m.no = ${intoNo} and m.merchant_id = (select x.merchant_id from members x where x.id = ${id}) and ${membersInSight(ctx.scope)}`.execute(
    tx,
  );
  const [found] = named.rows;
  if (!found) throw notFound("会员");
  const { id: into, service_provider_id: provider, merchant_id } = found;
  if (into === id) throw invalid("intoNo", "不能合并到自己");
  const holder = (member_id: string) => ({ service_provider_id: provider, merchant_id, member_id });
  // Value first, as whoever refunds does; then the rows, by id, so that two merges of the same pair wait for each other.
  await lockBoth(tx, holder(id), holder(into));
  const held = new Map<string, OwnMember>();
  for (const one of [id, into].toSorted()) held.set(one, await holdLiving(ctx, one));
  const [own, other] = [held.get(id)!, held.get(into)!];
  if (own.status !== 1 || other.status !== 1) throw conflict("两个会员都须在正常状态");
  for (const one of [own, other]) {
    if (one.stage !== 1 || !one.confirmed)
      throw conflict(`会员 ${one.no} 的手机号还没确认，请先在收银端用短信验证码确认，再合并`, "member.unconfirmed");
    const { held: aside, open } = await holdingsOf(tx, one);
    if (aside > 0 || open > 0) throw conflict(`会员 ${one.no} 还有未完成的订单或占用，请结束后再合并`, "member.open");
    const why = await whatIsAgainst(tx, services, one);
    if (why !== undefined) throw conflict(`会员 ${one.no} ${why}，请处理后再合并`, "member.open");
  }
  const poster = { ids: services.ids, now_ms: ctx.now_ms };
  // Past the fence of stores: what was sold elsewhere goes over too.
  await asPlatform(tx, () => mergeHolders(tx, poster, holder(id), holder(into), services.ids.uuid(ctx.now_ms)));
  // All that it is known by leads to the one that stays.
  await sql`update member_identities set member_id = ${into} where service_provider_id = ${provider} and member_id = ${id}`.execute(tx);
  // Who was merged into the one that goes points to the one that stays; its orders keep its own id and are found through that.
  await sql`update members set merged_into = ${into} where service_provider_id = ${provider} and merged_into = ${id}`.execute(tx);
  await sql`insert into member_stores (service_provider_id, merchant_id, member_id, store_id, home, first_at)
    select service_provider_id, merchant_id, ${into}, store_id, false, first_at from member_stores
    where service_provider_id = ${provider} and member_id = ${id} on conflict (service_provider_id, member_id, store_id) do nothing`.execute(
    tx,
  );
  await forget(tx, own, { status: 5, merged_into: into });
  await asPlatform(tx, () => tellMerged(tx, services, { service_provider_id: provider, merchant_id, from: id, into }));
  await countMembers(tx, provider, [id, into]);
  const note = (member: MemberRef, words: string) => addMemberEvent(tx, services, member, "merged", askerOf(ctx).name, words);
  await note(own, `并入 ${intoNo}：${reason}`);
  await note({ service_provider_id: provider, merchant_id, id: into }, `并入了 ${own.no}：${reason}`);
  ctx.note(toldOf(own, { mergedInto: intoNo, reason }));
  return { ok: true as const, id: into };
});
