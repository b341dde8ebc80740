import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, instant } from "@zhangfang/contract/fields.ts";
import { memberPhone } from "./members.ts";

export const smsCode = z.string().regex(/^\d{6}$/, "请输入 6 位短信验证码");
/**
 * What a code is for: it is good for that alone, and the message says so. Those of `code` are read out in a shop; the others belong to the
 * customer's own page, and their message says that no staff asks for them.
 */
export const smsPurposes = {
  till: { use: "在门店核实会员", template: "code" },
  merge: { use: "合并会员", template: "code" },
  "sign-in": { use: "登录会员页", template: "own-code" },
  pin: { use: "设置支付密码", template: "own-code" },
  phone: { use: "更换手机号", template: "own-code" },
  transfer: { use: "转余额给别人", template: "own-code" },
  refund: { use: "申请退卡", template: "own-code" },
  data: { use: "下载个人信息副本", template: "own-code" },
  close: { use: "注销会员", template: "own-code" },
} as const;
export type SmsPurpose = keyof typeof smsPurposes;
export const memberPin = z.string().regex(/^\d{6}$/, "支付密码为 6 位数字");
/** `full` spends, `weak` earns and spends only after PIN or code. */
const proof = z.enum(["full", "weak"]);

/** Whose ticket a till holds: for one order of this store, within ten minutes. */
const identified = z.object({
  ticket: z.string(),
  memberNo: z.string(),
  /** Masked. */
  name: z.string(),
  level: z.string(),
  /** 0 准会员: earns alone. */
  stage: z.int(),
  points: z.int(),
  principalCents: cents,
  giftCents: cents,
  /** What may be used today, what ends first standing first; `endsAt` is the end of its last day. */
  coupons: z.array(z.object({ no: z.string(), name: z.string(), endsAt: instant })),
  timesCards: z.array(z.object({ no: z.string(), name: z.string(), left: z.int(), endsAt: instant })),
  proof,
});
/** Who stands there: by the code on the phone (spends), by a phone number (earns; with SMS code or PIN it spends), by a pay code. */
export const identifyMember = write({
  path: "/api/till/members/identify",
  title: "收银识别会员",
  access: "device",
  outside: true,
  input: z
    .object({
      code: z
        .string()
        .regex(/^99\d{18}$/, "会员码须为 99 开头的 20 位数字")
        .optional(),
      phone: memberPhone.optional(),
      authCode: z.string().max(32).optional(),
      sms: smsCode.optional(),
      pin: memberPin.optional(),
    })
    .refine((given) => [given.code, given.phone, given.authCode].filter((one) => one !== undefined).length === 1, {
      message: "请出示会员码、手机号或付款码其中之一",
      path: ["code"],
    }),
  output: identified,
});
/** 付款码识别: whether tills may ask WeChat whose pay code or face they read. */
export const getPayCodeDoor = read({
  path: "/api/members/pay-code",
  title: "付款码识别设置",
  access: "/member/member/payCode",
  input: z.object({}),
  output: z.object({ opened: z.boolean(), keyTail: z.string().nullable() }),
});
export const setPayCodeDoor = write({
  path: "/api/members/pay-code",
  title: "设置付款码识别",
  access: "/member/member/payCode",
  closedToActing: true,
  input: z.object({
    opened: z.boolean(),
    /** Of APIv2, which is another one than APIv3's; left out it stays. */
    apiKey: z
      .string()
      .regex(/^\w{32}$/, "APIv2 密钥为 32 位字母和数字")
      .optional(),
  }),
  output: done,
});
/** 入会: confirmed by the code that was sent to the phone; without one it is a 准会员. Who is there already is identified. */
export const joinMember = write({
  path: "/api/till/members/join",
  title: "收银入会",
  access: "device",
  outside: true,
  input: z.object({ phone: memberPhone, sms: smsCode.optional() }),
  output: identified.extend({ joined: z.boolean() }),
});
/** Sends a code to a phone; the till does not wait for the provider. */
export const sendMemberCode = write({
  path: "/api/till/members/sms",
  title: "收银发送短信验证码",
  access: "device",
  rate: "money",
  input: z.object({ phone: memberPhone }),
  output: done.extend({ againAfter: z.int() }),
});
