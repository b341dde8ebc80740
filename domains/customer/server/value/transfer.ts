import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import { derivedKey } from "@zhangfang/server/config.ts";
import { hmacHex } from "@zhangfang/server/crypto.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { merchantScope } from "@zhangfang/server/database/scope.ts";
import { asksPin, type MemberRef, readOwn, whoHasPhone, withMembers } from "../../../members/server/index.ts";
import { answerTransfer, offerTransfer } from "../../../stored-value/server/index.ts";
import { lockHolders } from "../../../value-book/server/index.ts";
import { answerOwnTransfer, findReceiver, listOwnTransfers, transferAsCustomer } from "../../contract/index.ts";
import { balancesOf } from "../self/home.ts";
import { proveSelf } from "../self/prove-self.ts";
import { storeOfPage } from "../session/find-merchant.ts";
import { type Self, selfOf } from "../session/member-session.ts";

const holderOf = ({ service_provider_id, merchant_id, id }: MemberRef) => ({ service_provider_id, merchant_id, member_id: id });

/** How many phones a member may look up in a day. */
const LOOKUPS = 10;
/** Counts a look-up in a transaction of its own, whatever becomes of the caller's; the same phone counts once a day. @throws 429 */
async function countLookup(
  { services, now_ms }: Ctx,
  { service_provider_id, merchant_id, id: member_id }: Self,
  phone: string,
): Promise<void> {
  const day = shanghaiDay(now_ms);
  const phone_hash = Buffer.from(hmacHex(derivedKey(services.config.secret, "receiver-lookups"), `${merchant_id}:${phone}`), "hex");
  await withScope(services.pool, merchantScope(service_provider_id, merchant_id), async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`lookups:${member_id}`}, 0))`.execute(tx);
    await tx
      .insertInto("receiver_lookups")
      .values({ service_provider_id, merchant_id, member_id, day, phone_hash })
      .onConflict((again) => again.doNothing())
      .execute();
    const { count } = await tx
      .selectFrom("receiver_lookups")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("service_provider_id", "=", service_provider_id)
      .where("member_id", "=", member_id)
      .where("day", "=", day)
      .executeTakeFirstOrThrow();
    if (count > LOOKUPS) throw new Refusal(429, "transfer.lookups", TOO_MANY, { phone: TOO_MANY });
  });
}
const TOO_MANY = "今天查的手机号太多了，请明天再试";

/**
 * Somebody else of this merchant by their phone, who may get something. Whoever may not is answered in the same words as nobody, so that
 * nobody learns who is a member here.
 * @throws 400 at `phone`, 409 where there is nothing to send, 429
 */
async function receiverOf(ctx: Ctx, self: Self, phone: string) {
  const { service_provider_id, merchant_id } = self;
  const of = await balancesOf(ctx.tx, self);
  if (of("principal") + of("gift") === 0) throw conflict("没有可以转的余额", "stored.gone");
  await countLookup(ctx, self, phone);
  const found = await whoHasPhone(ctx.tx, ctx.services, { service_provider_id, merchant_id, phone });
  const receiver = found && found.id !== self.id ? await readOwn(ctx.tx, ctx.services, found).catch(() => undefined) : undefined;
  if (receiver?.status !== 1 || receiver.stage === 0 || receiver.name === "")
    throw invalid("phone", "不能转给这个手机号：对方须是本店会员，登记了姓名，没有冻结，也不是你自己");
  return receiver;
}

/** 会员页查找接收人. */
export const findReceiverRoute = implement(findReceiver, async (ctx, { phone }) => {
  const receiver = await receiverOf(ctx, selfOf(ctx), phone);
  ctx.note({ targetKind: "member", targetId: receiver.id });
  return receiver.masked;
});

/** 会员页转余额. The proof comes before anybody is held: it counts in transactions of its own. */
export const transferAsCustomerRoute = implement(transferAsCustomer, async (ctx, { requestId, phone, amountCents, pin, sms }) => {
  const self = selfOf(ctx);
  const own = await readOwn(ctx.tx, ctx.services, self);
  if (own.status === 2) throw conflict("会员已冻结，储值不能使用、转移和退卡", "member.frozen");
  // Without a PIN so much at once, and so much a day, as at a till. A code counts before anybody is held; the day's sum holds after.
  const mustBeLittle = async () => {
    if (await asksPin(ctx.tx, ctx.services, self, amountCents))
      throw invalid("pin", "单次超过 200 元或当天超过 1,000 元，请先设置支付密码");
  };
  if (!own.hasPin) await mustBeLittle();
  await proveSelf(ctx, self, { pin, sms }, "transfer");
  const receiver = await receiverOf(ctx, self, phone);
  if (!own.hasPin) {
    await lockHolders(ctx.tx, [holderOf(self), holderOf({ ...self, id: receiver.id })]);
    await mustBeLittle();
  }
  const { storeName: _name, ...store } = await storeOfPage(ctx.tx, self, { member: self.id });
  return offerTransfer(ctx, { store, from: self.id, to: receiver.id, requestId, amountCents });
});

interface Sent {
  readonly id: string;
  readonly sent: boolean;
  readonly memberId: string;
  readonly principalCents: number;
  readonly giftCents: number;
  readonly status: number;
  readonly at: string;
  readonly expiresAt: string | null;
}
/** 会员页转余额记录: those of tills are over in the moment in which they are. */
export const listOwnTransfersRoute = implement(listOwnTransfers, async (ctx) => {
  const { service_provider_id, merchant_id, id } = selfOf(ctx);
  const mine = sql`x.service_provider_id = ${service_provider_id} and x.merchant_id = ${merchant_id} and ${id}::uuid in (x.member_id, x.to_member_id)`;
  const of = sql`x.id, x.member_id = ${id} as sent, case when x.member_id = ${id} then x.to_member_id else x.member_id end as "memberId",
    x.principal_cents as "principalCents", x.gift_cents as "giftCents"`;
  const { rows } = await sql<Sent>`
    select ${of}, case when x.status = 0 and x.expires_at <= ${ctx.now}::timestamptz then 4 else x.status end as status, x.created_at as at,
      case when x.status = 0 then x.expires_at end as "expiresAt" from transfer_offers x where ${mine}
    union all select ${of}, 1, x.created_at, null from value_transfers x where ${mine}
      and not exists (select from transfer_offers o where o.service_provider_id = x.service_provider_id and o.id = x.id)
    order by at desc, id desc limit 50`.execute(ctx.tx);
  const named = await withMembers(ctx, rows);
  return {
    items: named.map(({ memberId: _other, memberName: name, memberPhone: phone, ...row }) => ({
      ...row,
      name,
      phone,
      principalCents: row.principalCents as never,
      giftCents: row.giftCents as never,
      status: row.status as 0,
      at: row.at as never,
      expiresAt: row.expiresAt as never,
    })),
  };
});
/** 会员页处理转余额. */
export const answerOwnTransferRoute = implement(answerOwnTransfer, (ctx, { id, act }) =>
  answerTransfer(ctx, holderOf(selfOf(ctx)), id, act),
);
