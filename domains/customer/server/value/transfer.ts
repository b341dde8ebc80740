import { sql } from "kysely";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { checkPin, readOwn, spendSmsCode, whoHasPhone } from "../../../members/server/index.ts";
import { moveBalance } from "../../../stored-value/server/index.ts";
import { findReceiver, transferAsCustomer } from "../../contract/index.ts";
import { storeOfPage } from "../session/find-merchant.ts";
import { type Self, selfOf } from "../session/member-session.ts";

/** Without a PIN: so much at once, and so much a day, as at a till. */
const ONCE_CENTS = 20_000;
const DAY_CENTS = 100_000;

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

/** What a member sent to others today. */
async function sentToday(ctx: Ctx, { service_provider_id, id }: Self): Promise<number> {
  const { rows } = await sql<{
    cents: number;
  }>`select coalesce(sum(t.principal_cents + t.gift_cents), 0)::bigint as cents from value_transfers t
    where t.service_provider_id = ${service_provider_id} and t.member_id = ${id}
      and t.created_at >= ${dayStart(shanghaiDay(ctx.now_ms))}::timestamptz`.execute(ctx.tx);
  return rows[0]?.cents ?? 0;
}

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
    if (amountCents > ONCE_CENTS || (await sentToday(ctx, self)) + amountCents > DAY_CENTS)
      throw invalid("pin", "单次超过 200 元或当天超过 1,000 元，请先设置支付密码");
    if (sms === undefined) throw invalid("sms", "请输入 6 位短信验证码");
    await spendSmsCode(ctx.services, self, own.phone, sms);
  }
  const { storeName: _name, ...store } = await storeOfPage(ctx.tx, self, { member: self.id });
  return moveBalance(ctx, { store, from: self.id, to: receiver.id, requestId, amountCents });
});
