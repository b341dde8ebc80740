import { z } from "zod";
import { read, viewsOf } from "@zhangfang/contract/endpoint.ts";
import {
  cents,
  dateRange,
  day,
  flag,
  id,
  instant,
  line,
  listInput,
  listOutput,
  oneOf,
  queryCents,
  wholeNumber,
} from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { isIdNumber } from "./id-number.ts";

/** 准会员 is known by an openid or an unconfirmed phone: earns, neither recharges nor spends. */
export const memberStage = labelled({ 0: ["准会员", "warn"], 1: ["会员", "good"] });
export const memberStatus = labelled({
  1: ["正常", "good"],
  2: ["冻结", "bad"],
  3: ["注销中", "warn"],
  4: ["已注销", "ended"],
  5: ["已合并", "ended"],
});
export const memberSource = labelled({ 1: "收银端", 2: "后台添加", 3: "导入", 4: "支付即会员", 5: "会员页" });
export const memberSex = labelled({ 1: "男", 2: "女" });
/** What a member agrees to, by version; a new text is a new version. Version 1 of `privacy` named 手机号、姓名和生日 alone. */
export const consentText = {
  privacy: { version: 2, text: "同意商户为会员服务处理手机号、姓名、生日和会员卡要求填写的资料，可随时注销会员" },
  guardian: { version: 1, text: "监护人同意商户处理未满 14 周岁儿童的信息" },
} as const;

/** A member as a line of a sheet names them. */
export const sheetMember = z
  .string()
  .trim()
  .regex(/^(\d{10}|1[3-9]\d{9})$/, "写会员号（10 位）或手机号（11 位）");
export const memberPhone = z
  .string()
  .trim()
  .regex(/^1[3-9]\d{9}$/, "请输入 11 位手机号");
/** Whole lives reach back behind the days that everything else keeps to. Whether it can be is `checkBirthday`'s. */
export const memberBirthday = z.iso
  .date("生日格式应为 YYYY-MM-DD")
  .refine((text) => text >= "1900-01-01" && text <= "2100-12-31", "生日有误");
export const memberIdCard = z.string().trim().toUpperCase().refine(isIdNumber, "证件号有误，请核对 18 位身份证号");
export const memberTags = z.array(line(10, 1, "标签不能为空")).max(20, "最多 20 个标签");

/** Whom a row of another room is about, as masked as here. Name and phone are empty, and there is no id, where the caller may not see them. */
export const memberShown = {
  memberId: z.string().nullable(),
  memberNo: z.string(),
  memberName: z.string(),
  memberPhone: z.string(),
};
export type MemberShown = z.output<z.ZodObject<typeof memberShown>>;

/** What a list of members is narrowed by, also for its file. */
export const memberFilters = {
  /** A phone or its last four digits, a member's number, a card's, or the whole name. */
  keyword: line(32).optional(),
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
  storeId: id.optional(),
  stage: oneOf(memberStage).optional(),
  /** A rank of the merchant's levels; 0 is none. */
  level: wholeNumber(0, 10).optional(),
  status: oneOf(memberStatus).optional(),
  source: oneOf(memberSource).optional(),
  tag: line(10).optional(),
  remark: line(32).optional(),
  birthMonth: wholeNumber(1, 12).optional(),
  ...dateRange,
  /** Has paid for something on one of these days. */
  activeFrom: day.optional(),
  activeTo: day.optional(),
  pointsMin: wholeNumber(0, 1_000_000_000).optional(),
  pointsMax: wholeNumber(0, 1_000_000_000).optional(),
  principalMin: queryCents.optional(),
  principalMax: queryCents.optional(),
  spentMin: queryCents.optional(),
  spentMax: queryCents.optional(),
  visitsMin: wholeNumber(0, 1_000_000).optional(),
  visitsMax: wholeNumber(0, 1_000_000).optional(),
  /** Has not been there for so many days. */
  awayDays: wholeNumber(1, 3650).optional(),
};
const held = { points: z.int(), principalCents: cents, giftCents: cents };
const row = z.object({
  id: z.string(),
  memberNo: z.string(),
  /** Masked. */
  name: z.string(),
  phone: z.string(),
  confirmed: z.boolean(),
  /** Empty until levels are set. */
  level: z.string(),
  ...held,
  spentCents: cents,
  visits: z.int(),
  lastVisitAt: instant.nullable(),
  homeStore: z.string().nullable(),
  tags: z.array(z.string()),
  remark: z.string(),
  source: oneOf(memberSource),
  stage: oneOf(memberStage),
  status: oneOf(memberStatus),
  createdAt: instant,
});
export const MEMBERS = "/member/member";
export const listMembers = read({
  path: "/api/members",
  title: "微信会员",
  access: MEMBERS,
  bearsDelay: true,
  input: listInput(memberFilters, ["-createdAt", "-spentCents", "-lastVisitAt"]),
  output: listOutput(row),
});
export const memberViews = viewsOf(listMembers, {
  fresh: ["本月新会员", { stage: "1" }, "month"],
  away: ["30 天没来", { stage: "1", status: "1", awayDays: "30" }],
  spent: ["累计消费满 1,000 元", { status: "1", spentMin: "100000" }],
  holding: ["有储值余额", { status: "1", principalMin: "1" }],
});
export const summariseMembers = read({
  path: "/api/members/summary",
  title: "微信会员汇总",
  access: MEMBERS,
  bearsDelay: true,
  input: z.object(memberFilters),
  output: z.object({
    count: z.int(),
    ...held,
    spentCents: cents,
    byStatus: z.record(z.string(), z.int()),
    /** The levels that the filter may name; none where several merchants are in sight. */
    levels: z.array(z.object({ rank: z.int(), name: z.string() })),
    /** Balances from sheets that wait for a second person. */
    openings: z.int(),
  }),
});
export const getMember = read({
  path: "/api/members/:id",
  title: "会员详情",
  access: ["/member/details", MEMBERS],
  input: z.object({ id }),
  output: row.omit({ points: true, principalCents: true, giftCents: true }).extend({
    merchantName: z.string(),
    /** Masked; null where it was never said. */
    birthday: z.string().nullable(),
    sex: oneOf(memberSex).nullable(),
    growth: z.int(),
    /** Spent a visit, and what a payment comes to in the whole merchant over the last 90 days. */
    averageCents: cents.nullable(),
    merchantAverageCents: cents.nullable(),
    visits90: z.int(),
    visitsBefore90: z.int(),
    lastStore: z.string().nullable(),
    usualStore: z.string().nullable(),
    usualVisits: z.int(),
    /** What was taken off this member's orders. */
    offCents: cents,
    hasPin: z.boolean(),
    hasIdCard: z.boolean(),
    closeOn: day.nullable(),
    mergedInto: z.string().nullable(),
    /** Somebody asked to merge it into another, and a second person has not decided. */
    merging: z
      .object({ id: z.string(), intoNo: z.string(), reason: z.string(), askedBy: z.string(), createdAt: instant, mayDecide: z.boolean() })
      .nullable(),
    revision: z.int(),
  }),
});

const thing = z.object({ no: z.string(), name: z.string(), endsAt: instant });
/** 券、次卡和等级 of a member: what could be used now, and how the level rose and fell, the newest first. */
export const getMemberThings = read({
  path: "/api/members/:id/things",
  title: "会员的券、次卡和等级",
  access: ["/member/details", MEMBERS],
  input: z.object({ id }),
  output: z.object({
    coupons: z.array(thing),
    timesCards: z.array(thing.extend({ left: z.int() })),
    level: z.string(),
    growth: z.int(),
    levels: z.array(z.object({ id: z.string(), at: instant, from: z.string(), to: z.string(), cause: z.string() })),
  }),
});
/** 储值 or 积分 of a member, each loaded alone. */
export const memberAccount = labelled({ stored: "储值", points: "积分" });
export const getMemberAccount = read({
  path: "/api/members/:id/account",
  title: "会员账户",
  access: ["/member/details", MEMBERS],
  input: z.object({ id, account: oneOf(memberAccount) }),
  output: z.object({
    ...held,
    heldCents: cents,
    pendingPoints: z.int(),
    owedPoints: z.int(),
    /** Points that end next. */
    endingPoints: z.int(),
    endsOn: day.nullable(),
    lots: z.array(
      z.object({
        id: z.string(),
        at: instant,
        place: z.string().nullable(),
        whole: z.int(),
        gift: z.int(),
        left: z.int(),
        giftLeft: z.int(),
        endsOn: day.nullable(),
      }),
    ),
    entries: z.array(
      z.object({
        id: z.string(),
        at: instant,
        cause: z.string(),
        orderNo: z.string().nullable(),
        orderId: z.string().nullable(),
        place: z.string().nullable(),
        /** Principal or points, then gift: what moved, and what was there after. */
        moved: z.int(),
        movedGift: z.int(),
        after: z.int().nullable(),
        giftAfter: z.int().nullable(),
      }),
    ),
  }),
});
export const memberEventKind = labelled({
  joined: ["入会", "good"],
  confirmed: ["手机号已确认", "good"],
  identified: ["在收银端识别", "active"],
  changed: ["资料已修改", "active"],
  revealed: ["查看完整信息", "warn"],
  frozen: ["冻结", "bad"],
  unfrozen: ["解除冻结", "good"],
  "pin-set": ["设置支付密码", "active"],
  "pin-locked": ["支付密码已锁定", "bad"],
  "phone-changed": ["更换手机号", "warn"],
  merged: ["合并会员", "warn"],
  "close-asked": ["申请注销", "warn"],
  "close-withdrawn": ["撤回注销", "active"],
  closed: ["已注销", "ended"],
  balance: ["期初余额", "active"],
  points: ["发送积分", "active"],
  note: ["备注", "active"],
  order: ["消费", "good"],
});
/** 时间线: what was done to a member, and the orders. */
export const getMemberTimeline = read({
  path: "/api/members/:id/timeline",
  title: "会员时间线",
  access: ["/member/details", MEMBERS],
  bearsDelay: true,
  input: z.object({ id, all: flag.optional() }),
  output: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        at: instant,
        kind: oneOf(memberEventKind),
        said: z.string(),
        byName: z.string(),
        place: z.string().nullable(),
        orderId: z.string().nullable(),
        cents: cents.nullable(),
      }),
    ),
    more: z.boolean(),
  }),
});
