import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { checkPin, readOwn, spendSmsCode, whoHasPhone, withMembers } from "../../../members/server/index.ts";
import { answerTransfer, offerTransfer, sentOn } from "../../../stored-value/server/index.ts";
import { answerOwnTransfer, findReceiver, listOwnTransfers, transferAsCustomer } from "../../contract/index.ts";
import { storeOfPage } from "../session/find-merchant.ts";
import { type Self, selfOf } from "../session/member-session.ts";

/** Without a PIN: so much at once, and so much a day, as at a till. */
const ONCE_CENTS = 20_000;
const DAY_CENTS = 100_000;

const holderOf = ({ service_provider_id, merchant_id, id }: Self) => ({ service_provider_id, merchant_id, member_id: id });

/** Somebody else of this merchant by their phone. @throws 400 at `phone` */
async function receiverOf(ctx: Ctx, self: Self, phone: string) {
  const { service_provider_id, merchant_id } = self;
  const found = await whoHasPhone(ctx.tx, ctx.services, { service_provider_id, merchant_id, phone });
  if (!found) throw invalid("phone", "这个手机号还不是本店会员");
  if (found.id === self.id) throw invalid("phone", "不能转给自己");
  return readOwn(ctx.tx, ctx.services, found);
}

/** 会员页查找接收人. */
export const findReceiverRoute = implement(findReceiver, async (ctx, { phone }) => {
  const receiver = await receiverOf(ctx, selfOf(ctx), phone);
  if (receiver.status !== 1) throw invalid("phone", "对方的会员已冻结或正在注销，不能接收");
  if (receiver.stage === 0 || receiver.name === "") throw invalid("phone", "对方还没登记姓名或确认手机号，不能接收");
  ctx.note({ targetKind: "member", targetId: receiver.id });
  return receiver.masked;
});

/** 会员页转余额. The proof comes before anybody is held: it counts in transactions of its own. */
export const transferAsCustomerRoute = implement(transferAsCustomer, async (ctx, { requestId, phone, amountCents, pin, sms }) => {
  const self = selfOf(ctx);
  const own = await readOwn(ctx.tx, ctx.services, self);
  if (own.status === 2) throw conflict("会员已冻结，储值不能使用、转移和退卡", "member.frozen");
  const receiver = await receiverOf(ctx, self, phone);
  if (own.hasPin) {
    if (pin === undefined) throw invalid("pin", "请输入支付密码");
    await checkPin(ctx.services, self, pin);
  } else {
    if (amountCents > ONCE_CENTS || (await sentOn(ctx.tx, holderOf(self), ctx.now_ms)) + amountCents > DAY_CENTS)
      throw invalid("pin", "单次超过 200 元或当天超过 1,000 元，请先设置支付密码");
    if (sms === undefined) throw invalid("sms", "请输入 6 位短信验证码");
    await spendSmsCode(ctx.services, self, own.phone, sms);
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
