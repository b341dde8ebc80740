import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { lockHolders, mergeHolders } from "../../../value-book/server/index.ts";
import { decideMerge, mergeMembers, sendMergeCode } from "../../contract/index.ts";
import { addMemberEvent } from "../events.ts";
import { membersInSight } from "../list/member-rows.ts";
import { type MemberRef, tellMerged, whatIsAgainst } from "../member-facts.ts";
import { personOf, type Person } from "../seal.ts";
import { AGAIN_S, sendCode, spendSmsCode } from "../sms/sms-codes.ts";
import { countMembers } from "../totals/count-orders.ts";
import { forget, holdingsOf } from "./forget.ts";
import { holdLiving, type OwnMember, toldOf } from "./own-member.ts";

interface Named extends MemberRef, Person {
  readonly id: string;
  readonly service_provider_id: string;
}
/** A member in sight, or with a number another of the same merchant. @throws 404 */
async function findNamed({ tx, scope }: Ctx, id: string, no?: string): Promise<Named> {
  const which =
    no === undefined
      ? sql`m.id = ${id}`
      : sql`m.no = ${no} and (m.service_provider_id, m.merchant_id) = (select x.service_provider_id, x.merchant_id from members x where x.id = ${id})`;
  const { rows } = await sql<Named>`select m.service_provider_id, m.merchant_id, m.id, m.name_sealed, m.phone_sealed
    from members m where ${which} and ${membersInSight(scope)}`.execute(tx);
  if (!rows[0]) throw notFound("会员");
  return rows[0];
}
/** 合并会员发送验证码. */
export const sendMergeCodeRoute = implement(sendMergeCode, async (ctx, { id, intoNo }) => {
  const member = await findNamed(ctx, id, intoNo);
  const { phone } = personOf(ctx.services, member);
  if (phone === "") throw conflict("会员没有手机号，请先在收银端登记并确认", "member.unconfirmed");
  await sendCode(ctx.tx, ctx.services, member, phone, "merge", { address: ctx.incoming.ip });
  const { service_provider_id: provider, merchant_id } = member;
  ctx.note({ targetKind: "member", targetId: member.id, provider, merchant: merchant_id });
  return { ok: true as const, againAfter: AGAIN_S };
});

/** Who said yes by a code to their phone; each try counts in a transaction of its own, before anybody is held. @throws 400 at the field */
async function whoSaidYes(
  { services, incoming }: Ctx,
  asked: readonly (readonly [Named, string | undefined, string])[],
): Promise<Set<string>> {
  const said = new Set<string>();
  for (const [member, code, field] of asked) {
    if (code === undefined) continue;
    await spendSmsCode(services, member, personOf(services, member).phone, "merge", code, incoming).catch((error: unknown) =>
      Promise.reject(error instanceof Refusal ? invalid(field, "验证码错误或已过期，请重新获取") : error),
    );
    said.add(member.id);
  }
  return said;
}

interface Pair {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  /** Who goes, and who stays. */
  readonly id: string;
  readonly into: string;
}
interface Held {
  readonly own: OwnMember;
  readonly other: OwnMember;
  /** Of the two, who holds anything. */
  readonly holding: readonly OwnMember[];
}
/**
 * Both, held to the end, where they may become one.
 * @param second another person says yes: the phone of the one that goes need not have been confirmed
 * @throws 404, 409
 */
async function holdPair(ctx: Ctx, pair: Pair, second: boolean): Promise<Held> {
  const { tx, services } = ctx;
  // Value first, as whoever refunds does; then the rows, by id, so that two merges of the same pair wait for each other.
  await lockHolders(tx, [holderOf(pair, pair.id), holderOf(pair, pair.into)]);
  const held = new Map<string, OwnMember>();
  for (const one of [pair.id, pair.into].toSorted()) held.set(one, await holdLiving(ctx, one));
  const [own, other] = [held.get(pair.id)!, held.get(pair.into)!];
  if (own.status !== 1 || other.status !== 1) throw conflict("两个会员都须在正常状态");
  const holding: OwnMember[] = [];
  for (const one of [own, other]) {
    if (one.stage !== 1 || (!one.confirmed && !(second && one === own)))
      throw conflict(`会员 ${one.no} 的手机号还没确认，请先在收银端用短信验证码确认，再合并`, "member.unconfirmed");
    const { held: aside, open, ...has } = await asPlatform(tx, () => holdingsOf(tx, one));
    if (aside > 0 || open > 0) throw conflict(`会员 ${one.no} 还有未完成的订单或占用，请结束后再合并`, "member.open");
    const why = await whatIsAgainst(tx, services, one);
    if (why !== undefined) throw conflict(`会员 ${one.no} ${why}，请处理后再合并`, "member.open");
    if (Object.values(has).some((left) => left !== 0)) holding.push(one);
  }
  return { own, other, holding };
}
const holderOf = ({ service_provider_id, merchant_id }: Pair, member_id: string) => ({ service_provider_id, merchant_id, member_id });

/**
 * The one that goes points to the one that stays. What it is known by, its stores and what it holds go over; its orders keep its id and are
 * found through it, and what comes back of them comes to the one that stays. Final. The caller holds both.
 * @param second another person said yes in place of a code: what the one that goes is known by was proved by nobody, and opens nothing of the other
 */
async function mergePair(ctx: Ctx, pair: Pair, { own, other }: Held, reason: string, second: boolean): Promise<void> {
  const { tx, services } = ctx;
  const { service_provider_id: provider, merchant_id, id, into } = pair;
  const poster = { ids: services.ids, now_ms: ctx.now_ms };
  // Past the fence of stores: what was sold elsewhere goes over too.
  await asPlatform(tx, () => mergeHolders(tx, poster, holderOf(pair, id), holderOf(pair, into), services.ids.uuid(ctx.now_ms)));
  // All that it is known by leads to the one that stays.
  if (!second)
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
  await note(own, `并入 ${other.no}：${reason}`);
  await note({ service_provider_id: provider, merchant_id, id: into }, `并入了 ${own.no}：${reason}`);
  // What else waited of the one that went can't be any more.
  await sql`update member_merges set status = 2, ended_name = '系统', ended_at = ${ctx.now}
    where service_provider_id = ${provider} and ${id}::uuid in (member_id, into_id) and status = 0`.execute(tx);
  ctx.note(toldOf(own, { mergedInto: other.no, reason }));
}

/** 合并会员: whoever of the two holds anything has said yes by a code; or another person decides. */
export const mergeMembersRoute = implement(mergeMembers, async (ctx, { id, intoNo, reason, sms, intoSms, second }) => {
  const found = await findNamed(ctx, id, intoNo);
  const { id: into, service_provider_id, merchant_id } = found;
  if (into === id) throw invalid("intoNo", "不能合并到自己");
  const pair = { service_provider_id, merchant_id, id, into };
  if (second) {
    await askSecond(ctx, pair, await holdPair(ctx, pair, true), reason);
    return { ok: true as const, id: into, waits: true };
  }
  const yes = await whoSaidYes(ctx, [
    [await findNamed(ctx, id), sms, "sms"],
    [found, intoSms, "intoSms"],
  ]);
  const held = await holdPair(ctx, pair, false);
  // What somebody holds goes to whoever has the other's phone, or is open to them: no one person in the shop decides that.
  for (const one of held.holding)
    if (!yes.has(one.id))
      throw invalid(
        one === held.own ? "sms" : "intoSms",
        `会员 ${one.no} 有储值、积分或次卡，请输入发到其手机的短信验证码，或由另一人审核`,
      );
  await mergePair(ctx, pair, held, reason, false);
  return { ok: true as const, id: into, waits: false };
});

/** 待审核 is written down, once for the one that goes. */
async function askSecond(ctx: Ctx, pair: Pair, { own, other }: Held, reason: string): Promise<void> {
  const { service_provider_id, merchant_id, id: member_id, into: into_id } = pair;
  const asked = askerOf(ctx);
  const made = await ctx.tx
    .insertInto("member_merges")
    .values({
      service_provider_id,
      merchant_id,
      member_id,
      into_id,
      reason,
      id: ctx.services.ids.uuid(ctx.now_ms),
      asked_by: asked.id,
      asked_name: asked.name,
      created_at: ctx.now,
    })
    .onConflict((there) => there.columns(["service_provider_id", "member_id"]).where("status", "=", 0).doNothing())
    .executeTakeFirst();
  if (made.numInsertedOrUpdatedRows !== 1n) throw conflict(`会员 ${own.no} 已有待审核的合并，请先审核或撤回`);
  ctx.note(toldOf(own, { mergeAsked: other.no, reason }));
}
/** 审核合并. Both are held and looked at once more: what changed since it was asked for is said. */
export const decideMergeRoute = implement(decideMerge, async (ctx, { id, approve }) => {
  const { tx, now } = ctx;
  const asked = await tx
    .selectFrom("member_merges as w")
    .selectAll()
    .where("w.id", "=", id)
    .where(inScope(ctx.scope, "w", "merchant"))
    .executeTakeFirst();
  if (!asked) throw notFound("合并申请");
  const me = askerOf(ctx);
  if (approve && asked.asked_by === me.id) throw conflict("自己申请的合并须由另一人审核", "second-person");
  const { service_provider_id, merchant_id, member_id, into_id } = asked;
  const pair = { service_provider_id, merchant_id, id: member_id, into: into_id };
  const decided = () => conflict("此申请已被处理，请刷新后查看");
  if (asked.status !== 0) throw decided();
  // Held before the request is: a merge by codes ends requests while it holds its members.
  const held = approve ? await holdPair(ctx, pair, true) : undefined;
  const ended = await tx
    .updateTable("member_merges")
    .set({ status: approve ? 1 : 2, ended_by: me.id, ended_name: me.name, ended_at: now })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .executeTakeFirst();
  mustChange(ended, decided);
  if (held) await mergePair(ctx, pair, held, `${asked.reason}（${asked.asked_name}申请）`, true);
  else
    ctx.note({
      targetKind: "member",
      targetId: member_id,
      provider: service_provider_id,
      merchant: merchant_id,
      after: { mergeRefused: true },
    });
  return { ok: true as const, id: into_id };
});
