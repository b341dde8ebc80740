import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { identifyMember, joinMember, sendMemberCode } from "../../contract/index.ts";
import { levelsOf, tellJoined, thingsOf, type MemberRef } from "../member-facts.ts";
import { confirmPhone, findOrMake, memberOfPhone, seeAt } from "../make-member.ts";
import { checkPin } from "../pin.ts";
import { maskedOf } from "../seal.ts";
import { AGAIN_S, sendCode, spendSmsCode } from "../sms/sms-codes.ts";
import { issueMemberTicket, type Place } from "../tickets.ts";
import { whoseAuthCode } from "./pay-code.ts";
import { spendMemberCode } from "./member-code.ts";

type Proof = "full" | "weak";
function whereOf({ scope }: Ctx): Place {
  const { provider, merchant, stores } = scope;
  if (!provider || !merchant || stores?.length !== 1) throw new Error("a till stands in one store");
  return { service_provider_id: provider, merchant_id: merchant, store_id: stores[0]! };
}
const byTill = ({ principal }: Ctx): string => `收银端 ${principal.name}`;
const joiningAt = (ctx: Ctx, where: Place, member: MemberRef) =>
  ({ ...where, member_id: member.id, way: "till", by_name: byTill(ctx), device_id: ctx.principal.id }) as const;
const unknown = () => new Refusal(404, "member.none", "还不是会员，可为顾客入会", { phone: "还不是会员，可为顾客入会" });

/** 收银识别会员. What is shown decides what it may; codes and PINs that are wrong count, whatever else becomes of the call. */
export const identifyMemberRoute = implement(identifyMember, async (ctx, { code, phone, authCode, sms, pin }) => {
  const where = whereOf(ctx);
  const { service_provider_id: provider, merchant_id: merchant } = where;
  if (code !== undefined)
    return ctx.transaction(async (tx) => tellMember(tx, ctx.services, where, await spendMemberCode(tx, ctx.services, where, code), "full"));
  if (phone === undefined) {
    const payer = await whoseAuthCode(ctx, where, authCode ?? "");
    if (!payer) throw unknown();
    if (pin !== undefined) await checkPin(ctx.services, payer, pin);
    return ctx.transaction(async (tx) => tellMember(tx, ctx.services, where, payer, await proofOf(tx, payer, { pin })));
  }
  if (sms !== undefined) await spendSmsCode(ctx.services, where, phone, "till", sms);
  const member = await ctx.transaction((tx) => memberOfPhone(tx, ctx.services, provider, merchant, phone));
  if (!member) throw unknown();
  if (pin !== undefined) await checkPin(ctx.services, member, pin);
  return ctx.transaction(async (tx) => {
    if (sms !== undefined) {
      await confirmPhone(tx, ctx.services, member, byTill(ctx), ctx.now);
      await tellJoined(tx, ctx.services, joiningAt(ctx, where, member));
    }
    return tellMember(tx, ctx.services, where, member, await proofOf(tx, member, { sms, pin }));
  });
});

/** 收银入会. Two tills and one phone: one member, and one of them hears that it was made. */
export const joinMemberRoute = implement(joinMember, async (ctx, { phone, sms }) => {
  const where = whereOf(ctx);
  if (sms !== undefined) await spendSmsCode(ctx.services, where, phone, "till", sms);
  return ctx.transaction(async (tx) => {
    const confirmed = sms !== undefined;
    const member = await findOrMake(tx, ctx.services, {
      ...where,
      source: 1,
      by: { kind: "phone", phone, confirmed },
      stage: confirmed ? 1 : 0,
      ...(confirmed && { consent: "till" }),
      by_name: byTill(ctx),
    });
    if (confirmed && !member.made) await confirmPhone(tx, ctx.services, member, byTill(ctx), ctx.now);
    await tellJoined(tx, ctx.services, joiningAt(ctx, where, member));
    const proof = await proofOf(tx, member, { sms });
    if (member.made) await ctx.audit(tx, { targetKind: "member", targetId: member.id, after: { confirmed } });
    return { ...(await tellMember(tx, ctx.services, where, member, proof)), joined: member.made };
  });
});

/** 收银发送短信验证码: recorded here, sent by a job. */
export const sendMemberCodeRoute = implement(sendMemberCode, async (ctx, { phone }) => {
  await sendCode(ctx.tx, ctx.services, whereOf(ctx), phone, "till", { address: ctx.incoming.ip });
  ctx.note({ targetKind: "member" });
  return { ok: true as const, againAfter: AGAIN_S };
});

/** A number that went to somebody else opens nothing: who has a PIN spends with it alone. */
async function proofOf(
  tx: Transaction,
  { service_provider_id, id }: MemberRef,
  shown: { sms?: string | undefined; pin?: string | undefined },
): Promise<Proof> {
  if (shown.pin !== undefined) return "full";
  if (shown.sms === undefined) return "weak";
  const member = await tx
    .selectFrom("members")
    .select("pin_hash")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  return member?.pin_hash ? "weak" : "full";
}

interface Told {
  readonly no: string;
  readonly stage: number;
  readonly status: number;
  readonly name_sealed: string | null;
  readonly phone_sealed: string | null;
  readonly points: number;
  readonly principal: number;
  readonly gift: number;
}
/** What a till or a desk is told of a member, and the ticket. The store sees the member from now on. @throws 404, 409 */
export async function tellMember(tx: Transaction, services: Services, where: Place, { id }: Pick<MemberRef, "id">, proof: Proof) {
  const { service_provider_id, merchant_id, store_id } = where;
  const { rows } = await sql<Told>`select m.no, m.stage, m.status, m.name_sealed, m.phone_sealed,
      coalesce(sum(a.balance) filter (where a.kind = 'points'), 0)::bigint as points,
      coalesce(sum(a.balance) filter (where a.kind = 'principal'), 0)::bigint as principal,
      coalesce(sum(a.balance) filter (where a.kind = 'gift'), 0)::bigint as gift
    from members m left join value_accounts a on a.service_provider_id = m.service_provider_id and a.merchant_id = m.merchant_id and a.owner_id = m.id
    where m.service_provider_id = ${service_provider_id} and m.merchant_id = ${merchant_id} and m.id = ${id}
    group by m.service_provider_id, m.id`.execute(tx);
  const [row] = rows;
  if (!row || row.status > 3) throw unknown();
  if (row.status === 3) throw new Refusal(409, "member.closing", "会员正在注销，可在后台撤回后再用");
  const member = { service_provider_id, merchant_id, id };
  await seeAt(tx, services, member, store_id);
  return {
    ticket: await issueMemberTicket(tx, services, where, { member_id: id, proof }),
    memberNo: row.no,
    name: maskedOf(services, { ...member, ...row }).name,
    level: (await levelsOf(tx, services, service_provider_id, [id])).get(id) ?? "",
    stage: row.stage,
    points: row.points,
    principalCents: row.principal as never,
    giftCents: row.gift as never,
    ...(await thingsOf(tx, services, member)),
    proof,
  };
}
