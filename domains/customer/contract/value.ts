import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, id, instant, line, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { memberPhone } from "../../members/contract/index.ts";
import { orderStatus } from "../../orders/contract/codes.ts";
import { cardRefundReason, cardRefundStatus, transferStatus } from "../../stored-value/contract/index.ts";
import { proof } from "./self.ts";
import { merchant } from "./session.ts";

/** What may be recharged now, and what it would bring. */
export const getCustomerRecharge = read({
  path: "/api/customer/:merchant/recharge-offer",
  title: "会员页充值档位",
  access: "member",
  rate: "poll",
  // It locks for a moment what a recharge would lock, and so opens its own transaction.
  outside: true,
  input: z.object({ merchant }),
  output: z.object({
    ruleId: z.string().nullable(),
    anyAmount: z.boolean(),
    mostCents: cents,
    principalCents: cents,
    giftCents: cents,
    points: z.int(),
    /** Above so much principal a recharge asks for an id number; null where one is registered. */
    idCardAboveCents: cents.nullable(),
    /** Why nothing can be recharged, and its code: `member.unconfirmed` is helped by a name. */
    bar: z.object({ why: z.string(), code: z.string() }).nullable(),
    tiers: z.array(
      z.object({
        amountCents: cents,
        giftCents: cents,
        points: z.int(),
        /** Coupons that come with it, in words; empty where none do. */
        coupons: z.string(),
        why: z.string().nullable(),
      }),
    ),
    rule: z.string(),
    /** Inside WeChat: where it tells who holds the phone. */
    wechatUrl: z.string().nullable(),
  }),
});
/** How an order of the page's own is paid. */
export const paymentShown = {
  status: oneOf(orderStatus),
  orderNo: z.string(),
  message: z.string().nullable(),
  codeUrl: z.string().nullable(),
  qr: z.object({ path: z.string(), cells: z.int() }).nullable(),
  /** In the demo: the simulated customer's phone. */
  payUrl: z.string().nullable(),
  clientParams: z.record(z.string(), z.string()).nullable(),
};
const payment = z.object({ ...paymentShown, amountCents: cents, giftCents: cents, points: z.int() });
export const nameCustomerPayer = write({
  path: "/api/customer/:merchant/payer",
  title: "会员页识别付款人",
  access: "member",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({ merchant, wechatCode: z.string().regex(/^[A-Za-z0-9_-]{8,128}$/, "授权码无效") }),
  output: z.object({ payer: z.string() }),
});
/** 充值: places the order and has it paid. The same request with the same amount is the same order. */
export const rechargeAsCustomer = write({
  path: "/api/customer/:merchant/recharge",
  title: "会员页充值",
  access: "member",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({
    merchant,
    requestId: id,
    amountCents: positiveCents,
    /** The rule that was shown; another one by now is refused. */
    ruleId: id,
    /** The coupons that were shown, in words, empty for none; others by now are refused. */
    coupons: z.string().max(200).optional(),
    wallet: z.enum(["wechat", "alipay", "unionpay"]).default("wechat"),
    payer: z.string().max(1024).optional(),
  }),
  output: payment,
});
export const followCustomerRecharge = read({
  path: "/api/customer/:merchant/recharges/:requestId",
  title: "会员页充值结果",
  access: "member",
  rate: "poll",
  input: z.object({ merchant, requestId: id }),
  output: payment,
});

/** Who would get it, masked, so that the sender sees whether it is the right one. */
export const findReceiver = write({
  path: "/api/customer/:merchant/transfer/receiver",
  title: "会员页查找接收人",
  access: "member",
  rate: "login",
  input: z.object({ merchant, phone: memberPhone }),
  output: z.object({ name: z.string(), phone: z.string() }),
});
/**
 * 余额转移: proved by the PIN, or by a code to the own phone where there is none. It is set aside until the other takes it, and comes back
 * after a day.
 */
export const transferAsCustomer = write({
  path: "/api/customer/:merchant/transfer",
  title: "会员页转余额",
  access: "member",
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    merchant,
    requestId: id,
    phone: memberPhone,
    amountCents: positiveCents,
    ...proof,
  }),
  output: z.object({ id: z.string(), principalCents: cents, giftCents: cents, expiresAt: instant }),
});
/** The own transfers that came or went, the newest first. */
export const listOwnTransfers = read({
  path: "/api/customer/:merchant/transfers",
  title: "会员页转余额记录",
  access: "member",
  input: z.object({ merchant }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        /** Sent by whoever looks; else it came to them. */
        sent: z.boolean(),
        /** The other, masked. */
        name: z.string(),
        phone: z.string(),
        principalCents: cents,
        giftCents: cents,
        status: oneOf(transferStatus),
        at: instant,
        expiresAt: instant.nullable(),
      }),
    ),
  }),
});
/** 接收, 拒绝: by the receiver; 撤回: by the sender. */
export const answerOwnTransfer = write({
  path: "/api/customer/:merchant/transfers/answer",
  title: "会员页处理转余额",
  access: "member",
  rate: "money",
  input: z.object({ merchant, id, act: z.enum(["accept", "refuse", "withdraw"]) }),
  output: done,
});

/** What was recharged, moved here or brought along, and where a 退卡 of each stands. */
export const listOwnRecharges = read({
  path: "/api/customer/:merchant/lots",
  title: "会员页充值记录",
  access: "member",
  input: z.object({ merchant }),
  output: z.object({
    items: z.array(
      z.object({
        lotId: z.string(),
        /** 0 recharged here, 1 moved from another member, 2 brought along. */
        origin: z.union([z.literal(0), z.literal(1), z.literal(2)]),
        at: instant,
        place: z.string(),
        principalCents: cents,
        giftCents: cents,
        principalLeftCents: cents,
        giftLeftCents: cents,
        refund: z
          .object({
            id: z.string(),
            status: oneOf(cardRefundStatus),
            paysCents: cents,
            dueOn: day,
            /** Asked for by the member, and nobody has decided. */
            mayWithdraw: z.boolean(),
          })
          .nullable(),
      }),
    ),
  }),
});
/** The legal sums of one lot, with their arithmetic. */
export const previewOwnRefund = read({
  path: "/api/customer/:merchant/lots/:lotId/refund",
  title: "会员页退卡试算",
  access: "member",
  input: z.object({ merchant, lotId: id }),
  output: z.object({
    principalCents: cents,
    giftCents: cents,
    usedCents: cents,
    principalLeftCents: cents,
    giftLeftCents: cents,
    points: z.int(),
    /** The coupons that came with it, in words; unused ones are void. Empty where none did. */
    coupons: z.string(),
    sums: z.array(
      z.object({
        reason: oneOf(cardRefundReason),
        paysCents: cents,
        lessCents: cents,
        less: z.string(),
        refusal: z.string().nullable(),
        dueOn: day,
      }),
    ),
    /** Why the money can't go back the way it came. */
    onlyOffline: z.string().nullable(),
    refusal: z.string().nullable(),
  }),
});
/** 申请退卡: the recharge is set aside from here on; the shop decides. `paysCents` is what was shown. */
export const askOwnRefund = write({
  path: "/api/customer/:merchant/card-refunds",
  title: "会员页申请退卡",
  access: "member",
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    merchant,
    requestId: id,
    lotId: id,
    reason: oneOf(cardRefundReason),
    paysCents: z.int().min(0).max(500_000),
    note: line(100, 1, "请说一下为什么退"),
    ...proof,
  }),
  output: done.extend({ id: z.string() }),
});
export const withdrawOwnRefund = write({
  path: "/api/customer/:merchant/card-refunds/withdraw",
  title: "会员页撤回退卡",
  access: "member",
  rate: "money",
  input: z.object({ merchant, id }),
  output: done,
});
