import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import { asksPin } from "../../../members/server/index.ts";
import { placeOrder, placingAt, type viewOf } from "../../../orders/server/index.ts";
import { beginAtCode, findOpenCode, type FoundCode, shownAtCode } from "../../../pay-codes/server/index.ts";
import { linesOf, quoteFor } from "../../../pricing/server/index.ts";
import { payAsMember, quoteAtCode } from "../../contract/index.ts";
import { type Self, selfOf } from "../session/member-session.ts";

/** The code is one of the merchant whose member pays. @throws 404 */
function mustBeOwn({ merchant_id }: FoundCode, self: Self): void {
  if (merchant_id !== self.merchant_id) throw new Refusal(404, "pay-code.void", "收款码已失效，请向店员索取新的收款码");
}
/** Who pays, proved by their session as by a member code. @throws 409 for who is leaving */
function payingSelf(ctx: Ctx): Self {
  const self = selfOf(ctx);
  if (self.status > 2) throw conflict("会员正在注销，不能使用会员权益", "member.closing");
  return self;
}
const customerOf = ({ id }: Self) => ({ member_id: id, proof: "full" as const });

/** 会员扫码报价. */
export const quoteAtCodeRoute = implement(quoteAtCode, async (ctx, { code, amountCents, points, stored }) => {
  const self = payingSelf(ctx);
  const found = await findOpenCode(ctx, code, amountCents);
  mustBeOwn(found, self);
  const { service_provider_id, merchant_id, store_id } = found;
  return ctx.transaction(
    async (tx) => {
      const {
        lines: _lines,
        steps: _steps,
        refused,
        valueCents: _value,
        ...quoted
      } = await quoteFor(tx, ctx.services, {
        service_provider_id,
        merchant_id,
        store_id,
        at: ctx.now,
        lines: linesOf({ grossCents: amountCents }),
        customer: customerOf(self),
        coupons: [],
        points: points ? "most" : 0,
        storedValueCents: stored ? "most" : 0,
        manualOffCents: 0,
      });
      const stored_cents = quoted.tenders.reduce((sum, { kind, cents }) => (kind === "money" ? sum : sum + cents), 0);
      return {
        ...quoted,
        refused: refused.map(({ text }) => text),
        asksPin: await asksPin(tx, ctx.services, self, stored_cents),
      };
    },
    { readOnly: true },
  );
});

/** 会员扫码付款: a real order of the store, placed in the store's own sight, of the member whose session it is. */
export const payAsMemberRoute = implement(payAsMember, async (ctx, { quote, pin, merchant: _merchant, ...given }) => {
  const self = payingSelf(ctx);
  mustBeOwn(await findOpenCode(ctx, given.code, given.amountCents), self);
  const { found, order } = await beginAtCode(ctx, given);
  const placed = await placeOrder(
    placingAt(ctx, payAsMember, found, "收款码"),
    { ...order, quote, ...(pin !== undefined && { pin }) },
    { asked: { member: self.id }, customer: customerOf(self), free: "settle", write: async () => {} },
  ).catch((error: unknown) => Promise.reject(asSaidHere(error)));
  return { ...shownAtCode(ctx, placed as ReturnType<typeof viewOf>), parts: placed.parts, tenders: placed.tenders };
});
/** What is said to a cashier of a customer is said to the customer here. */
const asSaidHere = (error: unknown): unknown =>
  error instanceof Refusal && error.fields?.["pin"]?.includes("请顾客") ? invalid("pin", "请输入支付密码") : error;
