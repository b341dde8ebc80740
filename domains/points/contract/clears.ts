import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, day, done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { memberShown } from "../../members/contract/index.ts";

export const clearKind = labelled({ yearly: "按规则清零", now: "立即清零" });
export const clearStatus = labelled({
  0: ["待审核", "active"],
  1: ["已预告", "active"],
  2: ["已清零", "good"],
  3: ["已驳回", "ended"],
  4: ["已取消", "ended"],
});
/** So long before a yearly end its list is frozen and told, and before 立即清零. */
export const TOLD_DAYS = 30;
export const NOW_DAYS = 7;

const sums = {
  members: z.int(),
  points: z.int(),
  /** Spent or otherwise gone since, still to be cleared, and cleared. */
  used: z.int(),
  left: z.int(),
  cleared: z.int(),
};
const row = z.object({
  id: z.string(),
  kind: oneOf(clearKind),
  status: oneOf(clearStatus),
  endsOn: day.nullable(),
  frozenAt: instant.nullable(),
  reason: z.string(),
  askedByName: z.string(),
  decidedByName: z.string().nullable(),
  createdAt: instant,
  mine: z.boolean(),
  ...sums,
});
const access = "/vip-member/integralReset";
const edit = "/vip-member/integralReset/run";
/** What the rule says, what ends next, and what 立即清零 would take: by the function that freezes it. */
export const getClearing = read({
  path: "/api/points/clearing",
  title: "积分清零",
  access,
  input: z.object({}),
  output: z.object({
    said: z.string(),
    /** The next yearly end, with the day on which its list is frozen. */
    next: z.object({ endsOn: day, toldOn: day, members: z.int(), points: z.int(), worthCents: cents }).nullable(),
    now: z.object({ members: z.int(), points: z.int(), worthCents: cents }),
    worth: z.object({ points: z.int(), cents }).nullable(),
  }),
});
export const listPointClears = read({
  path: "/api/points/clears",
  title: "清零记录",
  access,
  input: listInput({ status: oneOf(clearStatus).optional(), ...dateRange }, ["-createdAt"]),
  output: listOutput(row),
});
export const getPointClear = read({
  path: "/api/points/clears/:id",
  title: "清零详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    spread: z.array(z.object({ from: z.int(), members: z.int() })),
    /** Of one that waits for its decision: what it would freeze today. */
    would: z.object({ members: z.int(), points: z.int(), worthCents: cents }).nullable(),
  }),
});
export const listPointClearRows = read({
  path: "/api/points/clears/:clearId/rows",
  title: "清零名单",
  access,
  input: listInput({ clearId: id }, ["-points"]),
  output: listOutput(
    z.object({
      id: z.string(),
      ...memberShown,
      /** Usable points that the member has now, of all lots. */
      has: z.int(),
      points: z.int(),
      used: z.int(),
      left: z.int(),
      cleared: z.int(),
    }),
  ),
});
export const askClearNow = write({
  path: "/api/points/clears",
  title: "申请立即清零",
  access: edit,
  closedToActing: true,
  idempotent: "requestId",
  input: z.object({ requestId: z.uuid(), reason: line(100, 1, "请填写原因") }),
  output: done.extend({ id: z.string() }),
});
/** Another person: from then on the list stands, and seven days later it is cleared. */
export const decideClearNow = write({
  path: "/api/points/clears/decide",
  title: "审核立即清零",
  access: "/vip-member/integralReset/approve",
  closedToActing: true,
  input: z.object({ id, decision: z.enum(["approve", "reject"]) }),
  output: done,
});
/** As long as nothing is cleared: the points end when they would have ended. */
export const cancelClearNow = write({
  path: "/api/points/clears/cancel",
  title: "取消立即清零",
  access: edit,
  closedToActing: true,
  input: z.object({ id }),
  output: done,
});
