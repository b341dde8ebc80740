import { read, write } from "@zhangfang/contract/endpoint.ts";
import { dateRange, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { audienceFilter, memberShown, sheetMember } from "../../members/contract/index.ts";
import { pointReason } from "./adjust.ts";

export const taskStatus = labelled({ 0: ["执行中", "active"], 1: ["已暂停", "warn"], 2: ["已完成", "good"] });
export const taskRowStatus = labelled({ 0: ["待发", "active"], 1: ["已发", "good"], 2: ["失败", "bad"] });
export const MOST_TASK_ROWS = 5_000;

const rowPoints = z.int("积分须为整数").min(1, "积分须大于 0").max(100_000, "每人最多 100000 积分");
const counts = { waiting: z.int(), sent: z.int(), failed: z.int(), pointsSent: z.int(), pointsWaiting: z.int() };
const row = z.object({
  id: z.string(),
  name: z.string(),
  reason: oneOf(pointReason),
  status: oneOf(taskStatus),
  pausedWhy: z.string(),
  ownerName: z.string(),
  createdAt: instant,
  ...counts,
});
const access = "/member/batchPoints";
const run = "/member/batchPoints/run";
export const listPointTasks = read({
  path: "/api/points/tasks",
  title: "批量积分任务",
  access,
  input: listInput(
    { keyword: line(40).optional(), status: oneOf(taskStatus).optional(), reason: oneOf(pointReason).optional(), ...dateRange },
    ["-createdAt"],
  ),
  output: listOutput(row),
});
export const getPointTask = read({
  path: "/api/points/tasks/:id",
  title: "批量积分任务详情",
  access,
  input: z.object({ id }),
  output: row,
});
export const listPointTaskRows = read({
  path: "/api/points/tasks/:taskId/rows",
  title: "批量积分任务名单",
  access,
  input: listInput({ taskId: id, status: oneOf(taskRowStatus).optional() }, ["place"]),
  output: listOutput(
    z.object({
      id: z.string(),
      place: z.int(),
      ...memberShown,
      points: z.int(),
      status: oneOf(taskRowStatus),
      failure: z.string(),
    }),
  ),
});
/** How many members a filter means now, before anything is sent to them. */
export const countPointAudience = read({
  path: "/api/points/audience",
  title: "符合条件的会员数",
  access: run,
  input: audienceFilter,
  output: z.object({ members: z.int() }),
});
export const createPointTask = write({
  path: "/api/points/tasks",
  title: "新建批量积分任务",
  access: run,
  closedToActing: true,
  idempotent: "requestId",
  most_keys: MOST_TASK_ROWS * 3 + 100,
  deadline_ms: 30_000,
  input: z
    .object({
      requestId: z.uuid(),
      name: line(40, 1, "请填写任务名称"),
      reason: oneOf(pointReason),
      /** Of a sheet: what it says, and the mark of the file. */
      rows: z
        .array(z.object({ memberNo: sheetMember, points: rowPoints }))
        .min(1, "名单是空的")
        .max(MOST_TASK_ROWS, `一次最多 ${MOST_TASK_ROWS} 人`)
        .optional(),
      fileHash: z
        .string()
        .regex(/^[0-9a-f]{64}$/, "文件指纹格式不正确")
        .optional(),
      /** Or members by what they are, each so many. */
      filter: audienceFilter.optional(),
      points: rowPoints.optional(),
      /** The same sheet was used before, and is meant once more. */
      again: flag.default(false),
    })
    .superRefine(({ rows, fileHash, filter: chosen, points }, ctx) => {
      if ((rows === undefined) === (chosen === undefined))
        ctx.addIssue({ code: "custom", path: ["rows"], message: "请上传名单，或选择会员条件" });
      if (rows && !fileHash) ctx.addIssue({ code: "custom", path: ["fileHash"], message: "请重新选择文件" });
      if (chosen && points === undefined) ctx.addIssue({ code: "custom", path: ["points"], message: "请填写每人积分" });
    }),
  output: done.extend({ id: z.string(), rows: z.int() }),
});
/** 暂停, 继续, or 失败的再发一次. What was sent is never sent again. */
export const steerPointTask = write({
  path: "/api/points/tasks/steer",
  title: "控制批量积分任务",
  access: run,
  closedToActing: true,
  input: z.object({ id, act: z.enum(["pause", "resume", "retry"]) }),
  output: done,
});
