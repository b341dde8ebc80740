import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, id, instant, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { offeredState } from "./coupons.ts";
import { merchant } from "./session.ts";
import { paymentShown } from "./value.ts";

/** 券包: what can be received or bought now, or will be. */
export const listOwnPackages = read({
  path: "/api/customer/:merchant/packages",
  title: "会员页券包",
  access: "member",
  rate: "poll",
  input: z.object({ merchant }),
  output: z.object({
    items: z.array(
      z.object({
        packageId: id,
        name: z.string(),
        note: z.string(),
        /** Nothing: free. */
        priceCents: cents.nullable(),
        /** The most that all of it takes off. */
        eachCents: cents,
        items: z.array(z.object({ name: z.string(), worth: z.string(), said: z.string(), count: z.int() })),
        left: z.int(),
        /** How many this member has had of it. */
        mine: z.int(),
        perPerson: z.int(),
        beginsAt: instant,
        endsAt: instant,
        state: oneOf(offeredState),
        why: z.string().nullable(),
      }),
    ),
    /** Inside WeChat: where it tells who holds the phone; null where nothing costs anything. */
    wechatUrl: z.string().nullable(),
  }),
});
/** 领取 a free one, all of it or nothing: the same request is the same package. */
export const receiveOwnPackage = write({
  path: "/api/customer/:merchant/receive-package",
  title: "会员页领券包",
  access: "member",
  input: z.object({ merchant, packageId: id, requestId: id }),
  output: z.object({ packageGetId: id, coupons: z.int() }),
});
const payment = z.object({ ...paymentShown, amountCents: cents });
/** 购买: places the order and has it paid. The same request with the same package is the same order. */
export const buyOwnPackage = write({
  path: "/api/customer/:merchant/buy-package",
  title: "会员页买券包",
  access: "member",
  rate: "money",
  outside: true,
  deadline_ms: 15_000,
  input: z.object({
    merchant,
    requestId: id,
    packageId: id,
    /** The price that was shown; another one by now is refused. */
    priceCents: positiveCents,
    wallet: z.enum(["wechat", "alipay", "unionpay"]).default("wechat"),
    payer: z.string().max(1024).optional(),
  }),
  output: payment,
});
export const followOwnPackage = read({
  path: "/api/customer/:merchant/package-orders/:requestId",
  title: "会员页券包付款结果",
  access: "member",
  rate: "poll",
  input: z.object({ merchant, requestId: id }),
  output: payment.extend({
    /** Paid too late, so that nothing was left to give: the money goes back by itself. */
    returned: z.boolean(),
  }),
});
