import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { memberBirthday, memberIdCard, MEMBERS, memberPhone, memberSex, memberTags } from "./members.ts";
import { smsCode } from "./till.ts";

const birthday = memberBirthday.nullable();
/** What a form says of a person. */
const facts = {
  name: line(32).default(""),
  birthday: birthday.default(null),
  sex: oneOf(memberSex).nullable().default(null),
  remark: line(200).default(""),
  tags: memberTags.default([]),
};
/** 新增会员: the phone stays unconfirmed until a code says otherwise. */
export const addMember = write({
  path: "/api/members/add",
  title: "新增会员",
  access: `${MEMBERS}/add`,
  input: z.object({
    storeId: id,
    phone: memberPhone,
    ...facts,
    /** The customer agreed to the text that is shown. */
    consent: z.literal(true, "须先征得会员同意"),
    guardian: z.boolean().default(false),
  }),
  output: done.extend({ id: z.string() }),
});
/** 修改资料: what is left out stays as it is, for the form shows it masked. A member's birthday changes once in 365 days. */
export const updateMember = write({
  path: "/api/members/update",
  title: "修改会员资料",
  access: `${MEMBERS}/edit`,
  input: z.object({
    id,
    revision: z.int(),
    name: line(32).optional(),
    birthday: birthday.optional(),
    sex: oneOf(memberSex).optional(),
    guardian: z.boolean().default(false),
  }),
  output: done,
});
/** 登记会员证件号: who holds more than the rule's line has to be known by it. */
export const setMemberIdCard = write({
  path: "/api/members/id-card",
  title: "登记会员证件号",
  access: `${MEMBERS}/edit`,
  input: z.object({ id, idCard: memberIdCard }),
  output: done,
});
/** 重置支付密码: after a store has looked who it is. The old openid is cut, old member codes are void. */
export const resetMemberPin = write({
  path: "/api/members/pin/reset",
  title: "重置会员支付密码",
  access: `${MEMBERS}/edit`,
  closedToActing: true,
  input: z.object({ id, reason: line(64, 2, "请填写原因") }),
  output: done,
});
export const setMemberRemark = write({
  path: "/api/members/remark",
  title: "会员备注与标签",
  access: `${MEMBERS}/remark`,
  input: z.object({ id, remark: line(200), tags: memberTags }),
  output: done,
});
/** 查看完整信息: with a reason; each look is written down. */
export const revealMember = write({
  path: "/api/members/reveal",
  title: "查看会员完整信息",
  access: `${MEMBERS}/reveal`,
  input: z.object({ id, reason: line(64, 2, "请填写查看原因") }),
  output: z.object({
    name: z.string(),
    phone: z.string(),
    birthday: z.string().nullable(),
    idCard: z.string(),
    /** What else the form of a card asked, as it was answered. */
    form: z.array(z.object({ label: z.string(), text: z.string() })),
  }),
});
/** 冻结, 解除冻结: nothing is spent while it is frozen; refunds still come in. */
export const freezeMember = write({
  path: "/api/members/freeze",
  title: "冻结会员",
  access: `${MEMBERS}/freeze`,
  input: z.object({ id, frozen: z.boolean(), reason: line(64, 2, "请填写原因") }),
  output: done,
});
/** 注销: refused while something is there that is owed; after seven days the person is forgotten. */
export const closeMember = write({
  path: "/api/members/delete",
  title: "注销会员",
  access: `${MEMBERS}/delete`,
  closedToActing: true,
  input: z.object({
    id,
    /** Gift and points end with it, and the member knows. */
    giveUp: z.boolean().default(false),
    reason: line(64, 2, "请填写原因"),
  }),
  output: done.extend({ closeOn: day }),
});
export const keepMember = write({
  path: "/api/members/keep",
  title: "撤回注销",
  access: `${MEMBERS}/delete`,
  input: z.object({ id }),
  output: done,
});
const memberNo = z.string().regex(/^\d{10}$/, "请输入 10 位会员号");
/** 合并会员: two records of one person. The one that goes points to the one that stays; its identities go over. Final. */
export const mergeMembers = write({
  path: "/api/members/merge",
  title: "合并会员",
  access: `${MEMBERS}/merge`,
  closedToActing: true,
  input: z.object({
    id,
    intoNo: memberNo,
    reason: line(64, 2, "请填写原因"),
    /** Codes to the phones of the one that goes and of the one that stays; each is asked for where that one holds anything. */
    sms: smsCode.optional(),
    intoSms: smsCode.optional(),
    /** No phone can say yes: another person does, in place of every code. */
    second: z.boolean().default(false),
  }),
  /** It waits for another person, or is done. */
  output: done.extend({ id: z.string(), waits: z.boolean() }),
});
/** 审核合并: by another than who asked; who asked takes it back. */
export const decideMerge = write({
  path: "/api/members/merge/decide",
  title: "审核合并会员",
  access: `${MEMBERS}/merge`,
  closedToActing: true,
  input: z.object({ id, approve: z.boolean() }),
  /** The member that stays. */
  output: done.extend({ id: z.string() }),
});
/** A code to the phone of the one that goes, or with `intoNo` of the one that stays: who holds the phone says yes. */
export const sendMergeCode = write({
  path: "/api/members/merge/sms",
  title: "合并会员发送验证码",
  access: `${MEMBERS}/merge`,
  rate: "login",
  closedToActing: true,
  input: z.object({ id, intoNo: memberNo.optional() }),
  output: done.extend({ againAfter: z.int() }),
});
/** What one member is sent in a day by one person's own decision. */
export const SENT_A_DAY = 10_000;
/** 发送积分, single or to those who are ticked; each gets it once for a request. */
export const sendPoints = write({
  path: "/api/members/points",
  title: "发送积分",
  access: `${MEMBERS}/bonus`,
  closedToActing: true,
  rate: "money",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    ids: z.array(id).min(1, "请选择会员").max(100, "一次最多 100 人"),
    points: z.int("须为整数").min(1, "至少 1 分").max(SENT_A_DAY, `每人每天最多 ${SENT_A_DAY} 分，更多请用「积分调整」由另一人审核`),
    /** The last day on which they are good; null for ever. */
    endsOn: day.nullable().default(null),
    reason: line(64, 2, "请填写原因"),
  }),
  output: done.extend({ sent: z.int() }),
});

const opening = z.object({
  id: z.string(),
  memberId: z.string(),
  memberNo: z.string(),
  name: z.string(),
  phone: z.string(),
  storeName: z.string(),
  principalCents: cents,
  giftCents: cents,
  askedBy: z.string(),
  createdAt: instant,
  /** Not whoever brought the sheet. */
  mayConfirm: z.boolean(),
});
/** 待确认本金: what sheets brought, before a second person has said yes. */
export const listOpenings = read({
  path: "/api/members/openings",
  title: "待确认的期初本金",
  access: `${MEMBERS}/opening`,
  input: z.object({}),
  output: z.object({ items: z.array(opening), count: z.int(), principalCents: cents }),
});
export const decideOpenings = write({
  path: "/api/members/openings/decide",
  title: "确认期初本金",
  access: `${MEMBERS}/opening`,
  rate: "money",
  closedToActing: true,
  input: z.object({ ids: z.array(id).min(1, "请选择").max(200), approve: z.boolean() }),
  output: done.extend({ decided: z.int() }),
});
