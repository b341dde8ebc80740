import { z } from "zod";
import { flag, id, line, oneOf } from "@zhangfang/contract/fields.ts";
import { MOST_PRIZES, MOST_VALUE_CENTS, prizeKind, WHOLE } from "./codes.ts";

/** One prize: what it is, how many there are, and its range of the table. */
export const prize = z.object({
  name: line(12, 1, "请填写奖品名"),
  kind: oneOf(prizeKind),
  /** Of a coupon. */
  campaignId: id.nullable().default(null),
  /** Points, or cents of balance; 1 of coupons and goods. */
  amount: z.int("须为整数").min(1, "至少为 1").max(100_000, "最多 100,000"),
  /** Goods: the market's price of one. Of all else the server says it. */
  valueCents: z.int("金额须为整数分").min(0, "价值不能小于 0").max(MOST_VALUE_CENTS, "奖品按市场价最高 50,000.00 元").default(0),
  /** In parts of 1,000,000. */
  chance: z.int("机会最多 4 位小数").min(1, "机会须大于 0").max(WHOLE, "机会最多 100 %"),
  stock: z.int("数量须为整数").min(1, "数量至少为 1").max(1_000_000, "数量最多 1,000,000"),
});
export type Prize = z.output<typeof prize>;

/** The rules of a lottery (marketing.md 10). There is no setting that gives prizes out by time or by place: 总局令 32 号 forbids it. */
export const lotteryTerms = z
  .object({
    prizes: z.array(prize).min(1, "至少一种奖品").max(MOST_PRIZES, `最多 ${MOST_PRIZES} 种奖品`),
    /** How often a person draws. */
    perDay: z.int("次数须为整数").min(1, "每天至少 1 次").max(20, "每天最多 20 次"),
    perPerson: z.int("次数须为整数").min(1, "至少 1 次").max(1_000, "最多 1,000 次"),
    /** Where goods are handed over; none: at every store. And for how many days after the end. */
    storeIds: z.array(id).max(500, "最多 500 家门店").default([]),
    redeemDays: z.int("天数须为整数").min(1, "至少 1 天").max(365, "最多 365 天").default(30),
    /** Days that points are good for; null for ever. */
    pointsDays: z.int("天数须为整数").min(1, "至少 1 天").max(3_650, "最多 3,650 天").nullable().default(null),
    contact: z
      .string()
      .trim()
      .regex(/^(1[3-9]\d{9}|(0\d{2,3}-?)?\d{7,8}|400-?\d{3}-?\d{4})$/, "请填写主办方联系电话"),
    /** That the list of staff, who can't draw, is whole. */
    staffListed: flag.default(false),
    note: line(60).default(""),
  })
  .superRefine(({ prizes, perDay, perPerson }, ctx) => {
    const wrong = (path: (string | number)[], message: string) => ctx.addIssue({ code: "custom", path, message });
    for (const [at, one] of prizes.entries()) {
      if (one.kind === "coupon" && one.campaignId === null) wrong(["prizes", at, "campaignId"], "请选择优惠券");
      if (one.kind === "goods" && one.valueCents < 1) wrong(["prizes", at, "valueCents"], "请填写市场价");
    }
    const over = prizes.reduce((sum, { chance }) => sum + chance, 0) - WHOLE;
    if (over > 0) wrong(["prizes"], `机会合计超了 ${over / (WHOLE / 100)} %`);
    if (new Set(prizes.map(({ name }) => name)).size !== prizes.length) wrong(["prizes"], "奖品名不能相同");
    if (perPerson < perDay) wrong(["perPerson"], "每人总次数不能少于每天次数");
  });
export type LotteryTerms = z.output<typeof lotteryTerms>;
