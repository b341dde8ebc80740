import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, positiveCents } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

/** Percent: 150 is one and a half times as many. */
const multiple = z.int("倍数须为整数百分比").min(100, "倍数至少为 100%").max(1_000, "倍数最多 1000%");
const points = (most: number) => z.int("积分须为整数").min(1, "积分须大于 0").max(most, `积分不能超过 ${most}`);
const weekdays = z
  .array(z.int().min(1).max(7))
  .max(7)
  .refine((all) => new Set(all).size === all.length, "星期重复");
const storeIds = z
  .array(id)
  .max(200, "最多 200 家门店")
  .refine((all) => new Set(all).size === all.length, "门店重复");

export const earnRule = z.object({
  on: z.boolean(),
  /** So many points for each so many cents. */
  points: points(100_000),
  perCents: positiveCents,
  /** The whole multiple of these stores, weekdays and the member's birthday: the best of them counts. */
  storeIds,
  storeMultiple: multiple,
  weekdays,
  weekdayMultiple: multiple,
  birthdayMultiple: multiple,
  /** Days until they can be spent; none is at once. */
  pendingDays: z.int("天数须为整数").min(0).max(30, "最多 30 天"),
  dayCap: points(10_000_000).nullable(),
  /** A recharge earns, and what is paid with stored value does not. */
  onRecharge: z.boolean(),
});
export const spendRule = z.object({
  on: z.boolean(),
  /** So many points are worth so many cents. */
  points: points(1_000_000),
  cents: positiveCents,
  /** Only whole steps are spent. */
  stepPoints: points(1_000_000),
  leastPoints: z.int("积分须为整数").min(0).max(1_000_000, "积分不能超过 1000000"),
  /** Of what is left after coupons, in parts per 100,000. */
  mostRate: z.int().min(1_000, "至少 1%").max(100_000, "最多 100%"),
  mostCents: positiveCents.nullable(),
  /** None named is everywhere, every day. */
  storeIds,
  weekdays,
});
export const expiryRule = z.object({
  kind: z.enum(["never", "months", "yearly"], "请选择积分何时失效"),
  months: z.int("月数须为整数").min(1, "至少 1 个月").max(60, "最多 60 个月"),
  /** A day of each year, MM-DD. */
  monthDay: z.string().regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, "日期应为 MM-DD"),
  /** What was earned until the end of this year, or of the one before. */
  yearsBack: z.union([z.literal(0), z.literal(1)]),
});
/** How many days of grace points have that come back after their end. */
const graceDays = z.int("天数须为整数").min(0).max(90, "最多 90 天");
export const pointRule = z
  .object({ earn: earnRule, spend: spendRule, expiry: expiryRule, graceDays, secondAbove: points(10_000_000) })
  .superRefine(({ spend, expiry }, ctx) => {
    const cents = spend.stepPoints * spend.cents;
    if (spend.on && cents % spend.points !== 0)
      ctx.addIssue({
        code: "custom",
        path: ["spend", "stepPoints"],
        message: `${spend.stepPoints} 积分抵的钱不是整分，请改一次用多少或抵多少`,
      });
    if (expiry.kind === "yearly" && Number.isNaN(Date.parse(`2024-${expiry.monthDay}T00:00:00Z`)))
      ctx.addIssue({ code: "custom", path: ["expiry", "monthDay"], message: "没有这一天" });
    else if (expiry.kind === "yearly" && new Date(`2024-${expiry.monthDay}T00:00:00Z`).toISOString().slice(5, 10) !== expiry.monthDay)
      ctx.addIssue({ code: "custom", path: ["expiry", "monthDay"], message: "没有这一天" });
  });
export type PointRule = z.output<typeof pointRule>;

const access = "/member/pointRule";
export const getPointRule = read({
  path: "/api/points/rule",
  title: "积分规则",
  access,
  input: z.object({}),
  output: z.object({
    /** 0 where nothing was saved yet; then the rule is what a form begins with. */
    version: z.int(),
    rule: pointRule,
    stores: z.array(z.object({ id: z.string(), name: z.string() })),
    history: z.array(z.object({ id: z.string(), version: z.int(), said: z.string(), byName: z.string(), createdAt: instant })),
  }),
});
/** A new version; the version that was seen goes with it. */
export const savePointRule = write({
  path: "/api/points/rule",
  title: "保存积分规则",
  access: "/member/pointRule/edit",
  input: z.object({ version: z.int().min(0), rule: pointRule }),
  output: done.extend({ version: z.int() }),
});
