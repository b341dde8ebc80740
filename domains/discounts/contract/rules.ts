import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, flag, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { discountKind, ruleState } from "./codes.ts";

const MOST_CENTS = 10_000_000;
const access = "/ticket/discountRules";
const sum = (what: string) => z.int(`${what}须为整数分`).min(1, `${what}须大于 0`).max(MOST_CENTS, `${what}不能超过 100,000.00 元`);
const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "时间格式为 HH:MM");

/** What a rule takes off, from whom and when. Sums are in cents; `percent` is what is paid: 88 is 八八折. */
export const discountTerms = z
  .object({
    minCents: z.int("门槛须为整数分").min(0, "门槛不能小于 0").max(MOST_CENTS, "门槛过大").default(0),
    offCents: sum("优惠金额").nullable().default(null),
    /** 每满. */
    everyCents: sum("每满金额").nullable().default(null),
    percent: z.int("折扣须为整数").min(10, "折扣为 1 折到 9.9 折").max(99, "折扣为 1 折到 9.9 折").nullable().default(null),
    /** 最多减. */
    capCents: sum("最多减").nullable().default(null),
    /** 随机立减: from so much to so much. */
    lowCents: sum("最少减").nullable().default(null),
    highCents: sum("最多减").nullable().default(null),
    firstDay: day.nullable().default(null),
    lastDay: day.nullable().default(null),
    /** 0 Sunday; none: every day. */
    weekdays: z.array(z.int().min(0).max(6)).max(7).default([]),
    /** Of the month; none: every day. */
    monthDays: z.array(z.int().min(1, "日期为 1 到 31").max(31, "日期为 1 到 31")).max(31).default([]),
    windows: z
      .array(z.object({ from: clock, to: clock }))
      .max(2, "每天最多 2 个时段")
      .default([]),
    /** None: every store. */
    storeIds: z.array(id).max(500, "最多 500 家门店").default([]),
    levels: z.array(z.int().min(1).max(10)).max(10).default([]),
    membersOnly: flag.default(false),
    /** 不同享. */
    without: z.array(z.enum(["member", "coupon", "points"])).default([]),
  })
  .superRefine((terms, ctx) => {
    const bad = (path: string, message: string) => ctx.addIssue({ code: "custom", path: [path], message });
    const { firstDay, lastDay, lowCents, highCents } = terms;
    if (firstDay !== null && lastDay !== null && lastDay < firstDay) bad("lastDay", "结束日期不能早于开始日期");
    if (lowCents !== null && highCents !== null && highCents < lowCents) bad("highCents", "最多减不能小于最少减");
    for (const [at, { from, to }] of terms.windows.entries())
      if (from === to) ctx.addIssue({ code: "custom", path: ["windows", at, "to"], message: "时段的起止不能相同" });
  });
export type DiscountTerms = z.output<typeof discountTerms>;

const rule = {
  name: line(20, 1, "请填写规则名称"),
  terms: discountTerms,
  group: line(16).default(""),
  priority: z.int("优先级须为整数").min(0, "优先级为 0 到 999").max(999, "优先级为 0 到 999").default(0),
  once: flag.default(false),
  budgetCents: z.int("预算须为整数分").min(1, "预算须大于 0").max(9_999_999_999, "预算过大").nullable().default(null),
};
export const discountRule = z.object({
  id,
  name: z.string(),
  kind: oneOf(discountKind),
  state: oneOf(ruleState),
  said: z.string(),
  terms: discountTerms,
  group: z.string(),
  priority: z.int(),
  once: z.boolean(),
  budgetCents: cents.nullable(),
  spentCents: cents,
  uses: z.int(),
  offCents: cents,
  revision: z.int(),
  changedBy: z.string(),
  updatedAt: instant,
});
/** 优惠规则: all of a merchant, the most urgent first. */
export const getDiscountRules = read({
  path: "/api/discounts/rules",
  title: "优惠规则",
  access,
  input: z.object({}),
  output: z.object({ items: z.array(discountRule) }),
});
export const addDiscountRule = write({
  path: "/api/discounts/rules/add",
  title: "新建优惠规则",
  access: "/ticket/discountRules/edit",
  idempotent: "requestId",
  input: z.object({ requestId: id, kind: oneOf(discountKind), ...rule }),
  output: z.object({ id }),
});
/** 修改: what it takes off holds from the next price on; the budget only ever grows. */
export const updateDiscountRule = write({
  path: "/api/discounts/rules/update",
  title: "修改优惠规则",
  access: "/ticket/discountRules/edit",
  input: z.object({ id, revision: z.int(), ...rule }),
  output: done,
});
export const setDiscountRuleState = write({
  path: "/api/discounts/rules/state",
  title: "启用或停用优惠规则",
  access: "/ticket/discountRules/edit",
  input: z.object({ id, state: oneOf(ruleState) }),
  output: done,
});
/** 排序: every rule of the merchant by its place; the first is the most urgent. */
export const sortDiscountRules = write({
  path: "/api/discounts/rules/sort",
  title: "调整优惠规则顺序",
  access: "/ticket/discountRules/edit",
  input: z.object({ ids: z.array(id).min(1, "请选择规则").max(100, "最多 100 条规则") }),
  output: done,
});
