import { z } from "zod";
import { write } from "@zhangfang/contract/endpoint.ts";
import { day, done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";

const SHARE = "/dataCentre/sharing/record";
const RETURN = "/dataCentre/sharingReturn/record";

export const recordResult = labelled({ done: ["已到账", "good"], failed: ["未到账", "bad"] });
export const recordState = labelled({
  waiting: ["待复核", "warn"],
  confirmed: ["已复核", "active"],
  settled: ["已入账", "good"],
  rejected: ["已驳回", "ended"],
  overtaken: ["通道已答复", "ended"],
});

/** What people said of a share or a return that the channel does not answer for. */
export const sharingRecord = z.object({
  id,
  result: oneOf(recordResult),
  /** Of a share: who got theirs. */
  aliases: z.array(z.string()),
  channelNo: z.string().nullable(),
  happenedOn: day,
  note: z.string(),
  state: oneOf(recordState),
  byName: z.string(),
  createdAt: instant,
  decidedByName: z.string().nullable(),
  decidedAt: instant.nullable(),
  decisionNote: z.string().nullable(),
  /** When the channel answered after all, and how that differs. */
  answeredAt: instant.nullable(),
  difference: z.string().nullable(),
  /** The caller may confirm or reject it; nobody decides what they said themselves. */
  decidable: z.boolean(),
});

const said = {
  id,
  result: oneOf(recordResult),
  /** The channel's number of it, or of its line in the account's statement. */
  channelNo: line(64).optional(),
  happenedOn: day,
  note: line(80, 1, "请填写核对说明"),
};
const NUMBER = { path: ["channelNo"], message: "请填写通道单号或账户流水号" };
const isNumbered = ({ result, channelNo = "" }: { readonly result: string; readonly channelNo?: string | undefined }): boolean =>
  result === "failed" || channelNo.length >= 4;
const recording = { rate: "money", outside: true, closedToActing: true } as const;
const recorded = z.object({ recordId: id });

/** Says what became of a share that has had no answer for a day; the channel is asked once more, and somebody else confirms it. */
export const recordShare = write({
  path: "/api/profit-sharing/shares/record",
  title: "登记分账结果",
  access: SHARE,
  ...recording,
  input: z
    .object({ ...said, lineIds: z.array(id).max(50).default([]) })
    .refine(isNumbered, NUMBER)
    .refine((given) => given.result === "done" || given.lineIds.length === 0, {
      path: ["lineIds"],
      message: "没有到账的分账没有已到账的接收方",
    }),
  output: recorded,
});
/** The same of a return. */
export const recordReturn = write({
  path: "/api/profit-sharing/returns/record",
  title: "登记回退结果",
  access: RETURN,
  ...recording,
  input: z.object(said).refine(isNumbered, NUMBER),
  output: recorded,
});

const deciding = z
  .object({ id, decision: z.enum(["confirm", "reject"]), note: line(80).optional() })
  .refine((given) => given.decision === "confirm" || (given.note ?? "") !== "", { path: ["note"], message: "请填写驳回原因" });
/** Another person's yes or no; with the yes the book moves as by the channel's own answer. */
export const decideShareRecord = write({
  path: "/api/profit-sharing/shares/record/decide",
  title: "复核分账登记",
  access: SHARE,
  ...recording,
  input: deciding,
  output: done,
});
export const decideReturnRecord = write({
  path: "/api/profit-sharing/returns/record/decide",
  title: "复核回退登记",
  access: RETURN,
  ...recording,
  input: deciding,
  output: done,
});
