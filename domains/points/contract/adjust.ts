import { read, write } from "@zhangfang/contract/endpoint.ts";
import { dateRange, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { memberShown } from "../../members/contract/index.ts";
import { valueCause } from "../../value-book/contract.ts";

export const pointReason = labelled({
  comfort: "服务补偿",
  correct: "更正错误",
  event: "活动奖励",
  gift: "礼品兑换",
  cheat: "违规扣除",
  other: "其他",
});
export const adjustStatus = labelled({ 0: ["待审核", "active"], 1: ["已生效", "good"], 2: ["已驳回", "ended"] });
/** As it stands on the card. */
export const memberNo = z.string().regex(/^\d{10}$/, "会员号为 10 位数字");

const row = z.object({
  id: z.string(),
  ...memberShown,
  points: z.int(),
  /** What came of it: a deduction takes at most what is there. */
  donePoints: z.int(),
  reason: oneOf(pointReason),
  note: z.string(),
  status: oneOf(adjustStatus),
  askedByName: z.string(),
  decidedByName: z.string().nullable(),
  createdAt: instant,
  /** Whether whoever asks is another person than who asked for it. */
  mine: z.boolean(),
});
const access = "/member/pointsAdd";
export const adjustFilters = {
  /** A member: number, phone or its last four, card, or whole name. */
  keyword: line(32).optional(),
  reason: oneOf(pointReason).optional(),
  status: oneOf(adjustStatus).optional(),
  ...dateRange,
};
export const listPointAdjustments = read({
  path: "/api/points/adjustments",
  title: "积分调整记录",
  access,
  input: listInput(adjustFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const summarisePointAdjustments = read({
  path: "/api/points/adjustments/summary",
  title: "积分调整汇总",
  access,
  input: z.object(adjustFilters),
  output: z.object({ added: z.int(), deducted: z.int(), byStatus: z.record(z.string(), z.int()) }),
});
/** Above the rule's line it waits for another person. */
export const adjustPoints = write({
  path: "/api/points/adjustments",
  title: "积分调整",
  access: "/member/pointsAdd/adjust",
  closedToActing: true,
  idempotent: "requestId",
  input: z.object({
    requestId: z.uuid(),
    memberNo,
    points: z
      .int("积分须为整数")
      .min(-10_000_000, "一次最多 10000000 积分")
      .max(10_000_000, "一次最多 10000000 积分")
      .refine((points) => points !== 0, "积分不能为 0"),
    reason: oneOf(pointReason),
    note: line(100, 1, "请填写说明"),
  }),
  output: done.extend({ id: z.string(), status: oneOf(adjustStatus), donePoints: z.int() }),
});
export const decidePointAdjustment = write({
  path: "/api/points/adjustments/decide",
  title: "审核积分调整",
  access: "/member/pointsAdd/approve",
  closedToActing: true,
  input: z.object({ id, decision: z.enum(["approve", "reject"]) }),
  output: done.extend({ donePoints: z.int() }),
});
/** 积分明细 of a member: every entry with the balance after. */
export const listPointEntries = read({
  path: "/api/points/entries",
  title: "积分明细",
  bearsDelay: true,
  access,
  input: listInput({ memberNo }, ["-at"]),
  output: listOutput(
    z.object({
      id: z.string(),
      cause: oneOf(valueCause),
      /** What moved of usable, pending and owed points. */
      points: z.int(),
      pending: z.int(),
      owed: z.int(),
      /** Usable points after it; null where it did not touch them. */
      after: z.int().nullable(),
      at: instant,
    }),
  ).extend({ member: z.object(memberShown).nullable() }),
});
