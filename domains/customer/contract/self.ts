import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, line } from "@zhangfang/contract/fields.ts";
import { memberIdCard, memberPhone, memberPin, smsCode } from "../../members/contract/index.ts";
import { merchant } from "./session.ts";

/** A code to the own phone, for what has to be proved again. */
export const sendOwnCode = write({
  path: "/api/customer/:merchant/own-sms",
  title: "会员页发送本人验证码",
  access: "member",
  rate: "login",
  input: z.object({ merchant }),
  output: done.extend({ againAfter: z.int() }),
});
export const saveOwnProfile = write({
  path: "/api/customer/:merchant/profile",
  title: "会员页修改资料",
  access: "member",
  input: z.object({
    merchant,
    name: line(32, 1, "请填写姓名").optional(),
    birthday: day.optional(),
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
export const setOwnPin = write({
  path: "/api/customer/:merchant/pin",
  title: "会员页设置支付密码",
  access: "member",
  rate: "login",
  outside: true,
  input: z.object({ merchant, sms: smsCode, pin: memberPin }),
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
  path: "/api/customer/:merchant/data",
  title: "会员页数据副本",
  access: "member",
  envelope: "file",
  rate: "export",
  input: z.object({ merchant }),
  output: z.any(),
});
export const closeSelf = write({
  path: "/api/customer/:merchant/close",
  title: "会员页申请注销",
  access: "member",
  input: z.object({ merchant, giveUp: z.boolean().default(false) }),
  output: done.extend({ closeOn: day }),
});
export const keepSelf = write({
  path: "/api/customer/:merchant/keep",
  title: "会员页撤回注销",
  access: "member",
  input: z.object({ merchant }),
  output: done,
});
