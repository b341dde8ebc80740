import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, line } from "@zhangfang/contract/fields.ts";
import { memberBirthday, memberIdCard, memberPhone, memberPin, smsCode } from "../../members/contract/index.ts";
import { merchant } from "./session.ts";

/** What proves once more who is there, before something that a session alone does not do: the PIN, or a code where there is none. */
export const proof = { pin: memberPin.optional(), sms: smsCode.optional() };
/** A code for what has to be proved again: to the own phone, or to the new one that takes its place. It is good for `purpose` alone. */
export const sendOwnCode = write({
  path: "/api/customer/:merchant/own-sms",
  title: "会员页发送本人验证码",
  access: "member",
  rate: "login",
  input: z
    .object({ merchant, purpose: z.enum(["pin", "phone", "transfer", "refund", "data", "close"]), newPhone: memberPhone.optional() })
    .refine(({ purpose, newPhone }) => newPhone === undefined || purpose === "phone", {
      message: "只有更换手机号才发给别的号码",
      path: ["newPhone"],
    }),
  output: done.extend({ againAfter: z.int() }),
});
export const saveOwnProfile = write({
  path: "/api/customer/:merchant/profile",
  title: "会员页修改资料",
  access: "member",
  input: z.object({
    merchant,
    name: line(32, 1, "请填写姓名").optional(),
    birthday: memberBirthday.optional(),
    guardian: z.boolean().default(false),
  }),
  output: done,
});
/** 登记证件号, once; a store corrects it. */
export const setOwnIdCard = write({
  path: "/api/customer/:merchant/id-card",
  title: "会员页登记证件号",
  access: "member",
  rate: "login",
  input: z.object({ merchant, idCard: memberIdCard }),
  output: done,
});
/** 设置支付密码: with the one before, where there is one; who forgot it goes to the store. Other phones are signed out. */
export const setOwnPin = write({
  path: "/api/customer/:merchant/pin",
  title: "会员页设置支付密码",
  access: "member",
  rate: "login",
  outside: true,
  input: z.object({ merchant, sms: smsCode, pin: memberPin, oldPin: memberPin.optional() }),
  output: done,
});
/** 更换手机号: both numbers are proved. Everything that was signed in before is over; this page goes on with a new session. */
export const changeOwnPhone = write({
  path: "/api/customer/:merchant/phone",
  title: "会员页更换手机号",
  access: "member",
  rate: "login",
  outside: true,
  input: z.object({ merchant, sms: smsCode, newPhone: memberPhone, newSms: smsCode, pin: memberPin.optional() }),
  output: done,
});
/** 冻结: nothing is spent, moved or paid back until a store looked who it is. */
export const freezeSelf = write({
  path: "/api/customer/:merchant/freeze",
  title: "会员页冻结",
  access: "member",
  input: z.object({ merchant }),
  output: done,
});
/** 个人信息副本: everything that is kept of the member, as a file. */
export const copyOwnData = read({
  verb: "POST",
  path: "/api/customer/:merchant/data",
  title: "会员页数据副本",
  access: "member",
  envelope: "file",
  rate: "export",
  input: z.object({ merchant, ...proof }),
  output: z.any(),
});
export const closeSelf = write({
  path: "/api/customer/:merchant/close",
  title: "会员页申请注销",
  access: "member",
  input: z.object({ merchant, giveUp: z.boolean().default(false), ...proof }),
  output: done.extend({ closeOn: day }),
});
export const keepSelf = write({
  path: "/api/customer/:merchant/keep",
  title: "会员页撤回注销",
  access: "member",
  input: z.object({ merchant }),
  output: done,
});
