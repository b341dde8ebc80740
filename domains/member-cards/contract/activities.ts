import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { activityStatus, refusedWhy } from "./codes.ts";

const activities = "/memberCard/activity";
const edit = "/memberCard/activity/edit";
const facts = {
  cardId: id,
  name: line(32, 1, "请填写活动名称"),
  points: z.int("积分须为整数").min(0, "积分不能为负").max(100_000, "积分最多 100,000").default(0),
  pointsDays: z.int("天数须为整数").min(1, "有效期至少 1 天").max(3_650, "有效期最多 3,650 天").nullable().default(null),
  giftCents: z.int("金额须为整数分").min(0, "金额不能为负").max(100_000, "每人最多送 1,000.00 元").default(0),
  /** A campaign that gives out, and how many of its coupons each gets. */
  couponCampaignId: z.uuid("请选择优惠券").nullable().default(null),
  couponCount: z.int("张数须为整数").min(1, "至少 1 张").max(10, "最多 10 张").default(1),
  firstDay: day,
  lastDay: day,
  mostCount: z.int("人数须为整数").min(1, "至少 1 人").max(1_000_000, "最多 1,000,000 人"),
  budgetCents: z.int("金额须为整数分").min(1, "预算须大于 0").max(999_999_999, "预算过大").nullable().default(null),
};
/** What a gift may be, said at its field. */
const checked = <S extends z.ZodRawShape>(shape: S) =>
  z.object({ ...facts, ...shape }).superRefine((given, ctx) => {
    const { points, giftCents, couponCampaignId, firstDay, lastDay, budgetCents } = given as unknown as {
      couponCampaignId: string | null;
      points: number;
      giftCents: number;
      firstDay: string;
      lastDay: string;
      budgetCents: number | null;
    };
    const bad = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    if (points === 0 && giftCents === 0 && couponCampaignId === null) bad("points", "积分、赠送余额和优惠券至少填一项");
    if (lastDay < firstDay) bad("lastDay", "结束日不能早于开始日");
    if (giftCents > 0 && budgetCents === null) bad("budgetCents", "送余额须有总预算");
    if (budgetCents !== null && giftCents > 0 && budgetCents < giftCents) bad("budgetCents", "预算不够送一个人");
  });

export const activityFilters = { keyword: line(32).optional(), status: oneOf(activityStatus).optional() };
const activityRow = z.object({
  id: z.string(),
  name: z.string(),
  cardId: z.string(),
  cardName: z.string(),
  points: z.int(),
  pointsDays: z.int().nullable(),
  giftCents: cents,
  couponCampaignId: z.string().nullable(),
  couponCount: z.int(),
  /** Its coupons in words; empty where it gives none. */
  coupons: z.string(),
  firstDay: day,
  lastDay: day,
  mostCount: z.int(),
  budgetCents: cents.nullable(),
  givenCount: z.int(),
  givenPoints: z.int(),
  givenCents: cents,
  status: oneOf(activityStatus),
  revision: z.int(),
  createdAt: instant,
});
export const listActivities = read({
  path: "/api/member-cards/activities",
  title: "开卡活动",
  access: activities,
  input: listInput(activityFilters, ["-createdAt"]),
  output: listOutput(activityRow),
});
export const summariseActivities = read({
  path: "/api/member-cards/activities/summary",
  title: "开卡活动汇总",
  access: activities,
  input: z.object(activityFilters),
  output: z.object({
    count: z.int(),
    givenCount: z.int(),
    givenPoints: z.int(),
    givenCents: cents,
    byStatus: z.record(z.string(), z.int()),
    /** Cards that an activity may be for. */
    cards: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
});
/** What those who got something pay so long counts as what it brought. */
export const SALES_DAYS = 30;
/** Of so many at most, the last of them: each is looked up by their orders. */
export const SALES_PEOPLE = 10_000;
/** With its results: whom it reached, what it cost and brought, by store, and the last that were given. */
export const getActivity = read({
  path: "/api/member-cards/activities/:id",
  title: "开卡活动详情",
  access: activities,
  input: z.object({ id }),
  output: activityRow.extend({
    refused: z.array(z.object({ why: oneOf(refusedWhy), count: z.int() })),
    /** Who got it at the stores in sight, as all of these are. */
    people: z.int(),
    /** Coupons that were given, at the most that they take off; with the balance that was given. */
    couponsGiven: z.int(),
    costCents: cents,
    buyers: z.int(),
    orders: z.int(),
    salesCents: cents,
    byStore: z.array(z.object({ id: z.string(), storeName: z.string(), count: z.int(), points: z.int(), giftCents: cents })),
    gifts: z.array(
      z.object({ id: z.string(), memberNo: z.string(), storeName: z.string(), points: z.int(), giftCents: cents, at: instant }),
    ),
  }),
});
export const addActivity = write({
  path: "/api/member-cards/activities/add",
  title: "新建开卡活动",
  access: edit,
  input: checked({}),
  output: done.extend({ id: z.string() }),
});
/** What was given stays; a limit never goes below it. */
export const updateActivity = write({
  path: "/api/member-cards/activities/update",
  title: "修改开卡活动",
  access: edit,
  input: checked({ id, revision: z.int() }),
  output: done,
});
export const moveActivity = write({
  path: "/api/member-cards/activities/move",
  title: "开卡活动状态",
  access: edit,
  input: z.object({ id, from: oneOf(activityStatus), to: oneOf(activityStatus) }),
  output: done,
});
