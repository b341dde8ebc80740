import { sql } from "kysely";
import { shanghaiDay, daysBetween } from "@zhangfang/contract/time.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Author, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { AuditNote } from "@zhangfang/server/calls/ctx.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { askerOf } from "../../../orders/server/index.ts";
import {
  addMember,
  freezeMember,
  resetMemberPin,
  revealMember,
  setMemberRemark,
  updateMember,
  memberFormWord,
} from "../../contract/index.ts";
import { addMemberEvent } from "../events.ts";
import { NAME_DAYS } from "../list/named.ts";
import { tellJoined } from "../member-facts.ts";
import { addConsent, checkBirthday, findOrMake } from "../make-member.ts";
import { formOf, idCardOf, personColumns, personOf, sealed } from "../seal.ts";
import { holdLiving, type OwnMember, toldOf } from "./own-member.ts";

/** Makes a member at a store in sight; also for an import. @throws 400 at `phone` where it is a member's already, 404 */
export async function makeMemberAt(
  author: Author,
  tx: Transaction,
  given: Omit<ParsedOf<typeof addMember>, "consent">,
  way: "office" | "sheet",
): Promise<{ id: string; told: AuditNote }> {
  const { storeId, phone, guardian, ...facts } = given;
  checkBirthday(facts.birthday, guardian, author.now_ms);
  const { rows } = await sql<{ service_provider_id: string; merchant_id: string }>`select s.service_provider_id, s.merchant_id from stores s
    where s.id = ${storeId} and s.state = 'active' and ${inScope(author.scope, "s")}`.execute(tx);
  const [store] = rows;
  if (!store) throw notFound("门店");
  const member = await findOrMake(tx, author.services, {
    ...store,
    store_id: storeId,
    source: way === "office" ? 2 : 3,
    by: { kind: "phone", phone, confirmed: false },
    stage: 1,
    consent: way,
    guardian,
    by_name: askerOf(author).name,
    ...facts,
  });
  if (!member.made) throw invalid("phone", "这个手机号已是本商户会员");
  await tellJoined(tx, author.services, { ...store, store_id: storeId, member_id: member.id, way, by_name: askerOf(author).name });
  return {
    id: member.id,
    told: {
      targetKind: "member",
      targetId: member.id,
      provider: store.service_provider_id,
      merchant: store.merchant_id,
      after: { storeId },
    },
  };
}
/** 新增会员. */
export const addMemberRoute = implement(addMember, async (ctx, { consent: _agreed, ...given }) => {
  const { id, told } = await makeMemberAt(ctx, ctx.tx, given, "office");
  ctx.note(told);
  return { ok: true as const, id };
});

const BIRTHDAY_DAYS = 365;
/** What the columns say of a name that goes: the first one of ninety days stays, however often it changes in them. */
const nameBefore = ({ name_sealed, name_before_sealed, name_changed_on }: OwnMember, today: string) =>
  name_sealed !== null && (name_before_sealed === null || name_changed_on === null || daysBetween(name_changed_on, today) > NAME_DAYS)
    ? { name_before_sealed: name_sealed, name_changed_on: today }
    : {};
/** 修改会员资料: what the form was given; somebody else's change since is refused. */
export async function changeMember(
  ctx: Ctx,
  { id, revision, name, birthday, sex, guardian }: ParsedOf<typeof updateMember>,
  way: "office" | "page" = "office",
) {
  const own = await holdLiving(ctx, id);
  const { service_provider_id: provider } = own;
  const today = shanghaiDay(ctx.now_ms);
  const newBirthday = birthday !== undefined && birthday !== own.birthday;
  if (newBirthday) {
    checkBirthday(birthday, guardian, ctx.now_ms);
    const { birthday_changed_on: changed } = own;
    if (changed !== null && daysBetween(changed, today) < BIRTHDAY_DAYS) throw invalid("birthday", `生日一年只能改一次，上次在 ${changed}`);
    if (guardian) await addConsent(ctx.tx, ctx.services, own, "guardian", way, ctx.now);
  }
  const form = { ...formOf(ctx.services, provider, id, own.form_sealed), ...(sex && { sex }) };
  const changed = await ctx.tx
    .updateTable("members")
    .set({
      ...personColumns(ctx.services, provider, id, { ...(name && { name }) }),
      ...(name && name !== personOf(ctx.services, own).name && nameBefore(own, today)),
      ...(newBirthday && { birthday, birthday_changed_on: own.birthday === null ? null : today }),
      ...(sex && { form_sealed: sealed(ctx.services, "form", provider, id, JSON.stringify(form)) }),
      revision: revision + 1,
    })
    .where("service_provider_id", "=", provider)
    .where("id", "=", id)
    .where("revision", "=", revision)
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员已被别人修改，请重新打开后再改"));
  const fields = [name && "姓名", newBirthday && "生日", sex && "性别"].filter(Boolean).join("、");
  await addMemberEvent(ctx.tx, ctx.services, own, "changed", askerOf(ctx).name, fields);
  ctx.note(toldOf(own, { changed: fields }));
  return { ok: true as const };
}
export const updateMemberRoute = implement(updateMember, (ctx, given) => changeMember(ctx, given));

/** 会员备注与标签. */
export const setMemberRemarkRoute = implement(setMemberRemark, async (ctx, { id, remark, tags }) => {
  const own = await holdLiving(ctx, id);
  const changed = await ctx.tx
    .updateTable("members")
    .set({ remark, tags: sql`${[...new Set(tags)]}::text[]` })
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("status", "<", 4)
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员已注销或已合并，不能再操作"));
  await addMemberEvent(ctx.tx, ctx.services, own, "note", askerOf(ctx).name, [remark, tags.join("、")].filter(Boolean).join(" · "));
  ctx.note(toldOf(own, { remark, tags }));
  return { ok: true as const };
});

/** 查看会员完整信息: with a reason, on the timeline and in the record. */
export const revealMemberRoute = implement(revealMember, async (ctx, { id, reason }) => {
  const own = await holdLiving(ctx, id);
  await addMemberEvent(ctx.tx, ctx.services, own, "revealed", askerOf(ctx).name, reason);
  ctx.note(toldOf(own, { shown: "姓名、手机号、生日、证件号、开卡表单", reason }));
  const said = formOf(ctx.services, own.service_provider_id, id, own.form_sealed);
  return {
    ...personOf(ctx.services, own),
    birthday: own.birthday,
    idCard: idCardOf(ctx.services, own),
    form: memberFormWord.values.flatMap((field) => (said[field] ? [{ label: memberFormWord.label(field), text: said[field] }] : [])),
  };
});

/** 冻结, 解除冻结. Where the shop freezes, everybody who is signed in as this member is signed out. @param by who wants it */
export async function setFrozen(ctx: Ctx, { id, frozen, reason }: ParsedOf<typeof freezeMember>, by: "shop" | "self" = "shop") {
  const own = await holdLiving(ctx, id);
  const [from, to] = frozen ? [1, 2] : [2, 1];
  if (own.status === to) return { ok: true as const };
  const changed = await ctx.tx
    .updateTable("members")
    .set((column) => ({
      status: to,
      revision: own.revision + 1,
      ...(frozen && by === "shop" && { code_version: column("code_version", "+", 1) }),
    }))
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("status", "=", from)
    .executeTakeFirst();
  mustChange(changed, () => conflict(frozen ? "会员不在正常状态，不能冻结" : "会员不在冻结状态"));
  await addMemberEvent(ctx.tx, ctx.services, own, frozen ? "frozen" : "unfrozen", askerOf(ctx).name, reason);
  ctx.note(toldOf(own, { status: to, reason }, { status: from }));
  return { ok: true as const };
}
export const freezeMemberRoute = implement(freezeMember, (ctx, given) => setFrozen(ctx, given));

/** 重置会员支付密码: a store looked who it is. What the one before had in hand opens nothing any more. */
export const resetMemberPinRoute = implement(resetMemberPin, async (ctx, { id, reason }) => {
  const own = await holdLiving(ctx, id);
  const changed = await ctx.tx
    .updateTable("members")
    .set((column) => ({
      pin_hash: null,
      pin_wrong: 0,
      pin_locked_until: null,
      code_version: column("code_version", "+", 1),
      revision: own.revision + 1,
    }))
    .where("service_provider_id", "=", own.service_provider_id)
    .where("id", "=", id)
    .where("status", "<", 4)
    .executeTakeFirst();
  mustChange(changed, () => conflict("会员已注销或已合并，不能再操作"));
  await ctx.tx
    .deleteFrom("member_identities")
    .where("service_provider_id", "=", own.service_provider_id)
    .where("member_id", "=", id)
    .where("kind", "in", ["openid", "alipay"])
    // Who is known by nothing else would be lost.
    .where(sql<boolean>`exists (select from member_identities p where p.service_provider_id = member_identities.service_provider_id
      and p.member_id = member_identities.member_id and p.kind = 'phone')`)
    .execute();
  await addMemberEvent(ctx.tx, ctx.services, own, "changed", askerOf(ctx).name, `重置支付密码：${reason}`);
  ctx.note(toldOf(own, { changed: "支付密码", reason }));
  return { ok: true as const };
});
