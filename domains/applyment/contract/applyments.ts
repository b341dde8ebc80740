import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { afterThing, applymentState, eventKind, numberChoice, willing } from "./codes.ts";

const access = "/applyment/info";
const rejected = z.array(z.object({ paths: z.array(z.string()), name: z.string(), reason: z.string() }));
const row = {
  id,
  merchantId: id,
  merchantName: z.string(),
  shortName: z.string(),
  /** SUBJECT_TYPE_…; empty of what was handed in before it was kept. */
  subject: z.string(),
  /** WeChat Pay's business_code; null until it was first sent. */
  code: z.string().nullable(),
  state: oneOf(applymentState),
  stateAt: instant,
  sending: z.boolean(),
  rounds: z.int(),
  subMchId: z.string().nullable(),
  /** Another number stands in the merchant's channel settings; a person decides there. */
  otherNumber: z.boolean(),
  alarm: z.boolean(),
  askedAt: instant.nullable(),
  byName: z.string(),
  submittedAt: instant,
  createdAt: instant,
};
export const applymentFilters = { merchantId: id.optional(), state: oneOf(applymentState).optional(), keyword: line(64).optional() };
/** 进件申请, the newest first. */
export const listApplyments = read({
  path: "/api/applyments",
  title: "进件申请",
  access,
  input: listInput(applymentFilters, ["-createdAt"]),
  output: listOutput(z.object(row)),
});
/** How many stand where, whatever state is asked for. */
export const summariseApplyments = read({
  path: "/api/applyments/summary",
  title: "进件合计",
  access,
  input: z.object(applymentFilters),
  output: z.object({ byState: z.record(z.string(), z.int()) }),
});
/** One application: how it stands, who has to act, what each round changed, and what is left to do once it is finished. */
export const getApplyment = read({
  path: "/api/applyments/one",
  title: "进件详情",
  access,
  input: z.object({ id }),
  output: z.object({
    ...row,
    /** Who has to scan, masked. */
    adminName: z.string(),
    adminPhone: z.string(),
    /** What the super admin scans; null where the last answer is too old for it, until the next one brings another. */
    signUrl: z.string().nullable(),
    message: z.string(),
    rejected,
    /** WeChat Pay's last answer, the first silence since, and how many seconds lie between two questions now. */
    heardAt: instant.nullable(),
    silentAt: instant.nullable(),
    everyS: z.int(),
    nextAt: instant.nullable(),
    /** Of what is finished. */
    after: z
      .object({
        /** The merchant's channel settings as they are now; `ours` where the application's number stands there. */
        settings: z
          .object({
            mchId: z.string(),
            subMchId: z.string().nullable(),
            ours: z.boolean(),
            verifiedAt: instant.nullable(),
            verifyOutcome: z.string().nullable(),
            verifyMessage: z.string().nullable(),
          })
          .nullable(),
        /** The first WeChat payment of the merchant's since the end. */
        firstPaid: z.object({ orderId: id, at: instant, cents }).nullable(),
        willing: oneOf(willing).nullable(),
        willingAt: instant.nullable(),
        checks: z.array(z.object({ thing: oneOf(afterThing), byName: z.string(), at: instant })),
      })
      .nullable(),
    events: z.array(
      z.object({
        id,
        at: instant,
        kind: oneOf(eventKind),
        state: oneOf(applymentState),
        round: z.int(),
        said: z.string(),
        rejected,
        byName: z.string().nullable(),
        /** Of a submission after the first: what was changed, secrets masked. */
        changes: z.array(z.object({ label: z.string(), before: z.string(), after: z.string() })),
      }),
    ),
  }),
});
/**
 * 提交审核: the first time, and after a rejection under the same code. Refused while the doctor finds an error; 409 `dossier.changed` where
 * what stands there is not what the person saw and confirmed, 409 `applyment.on-its-way` where somebody handed it in meanwhile.
 */
export const submitApplyment = write({
  path: "/api/applyments/submit",
  title: "提交进件",
  access: "/applyment/form/submit",
  idempotent: "requestId",
  input: z.object({
    requestId: id,
    merchantId: id,
    /** Of each path that was shown, as getDossier told it. */
    versions: z.record(z.string().max(40), z.int().min(0)),
    /** How often the papers had been handed in, as getDossier told it: another round is another request. */
    submissions: z.int().min(0),
  }),
  output: z.object({ id }),
});
/** 现在查: at most once a minute; a page that shows a code asks by itself. The question is written down among the calls. */
export const askApplyment = write({
  path: "/api/applyments/ask",
  title: "查询进件状态",
  access,
  silent: true,
  input: z.object({ id }),
  output: done,
});
/** 作废, here alone, of what is 编辑中 or 已驳回; WeChat Pay has no call for it. */
export const voidApplyment = write({
  path: "/api/applyments/void",
  title: "作废进件",
  access: "/applyment/form/submit",
  input: z.object({ id, reason: line(100, 2, "请填写作废的原因") }),
  output: done,
});
/**
 * 选定商户号: where another number stood in the merchant's channel settings when the application was finished. Refused while money is on its way
 * under the old one, and with 409 `applyment.numbers-moved` where the two that the person saw are not those that now stand.
 */
export const chooseNumber = write({
  path: "/api/applyments/choose",
  title: "选定商户号",
  access: "/applyment/form/account",
  closedToActing: true,
  input: z.object({
    id,
    use: oneOf(numberChoice),
    /** The number in the settings, and the application's, as they were shown. */
    standing: z.string().max(32),
    opened: z.string().max(32),
  }),
  output: done,
});
/** A thing that was done in WeChat Pay's own back-office, or was not after all. */
export const tickAfter = write({
  path: "/api/applyments/after",
  title: "登记开通后事项",
  access: "/applyment/form/submit",
  input: z.object({ id, thing: oneOf(afterThing), done: flag }),
  output: done,
});
/** 查开户意愿: asks WeChat Pay, at most once a minute. */
export const askWilling = write({
  path: "/api/applyments/willing",
  title: "查询开户意愿",
  access: "/applyment/form/submit",
  outside: true,
  deadline_ms: 25_000,
  input: z.object({ id }),
  output: z.object({ willing: oneOf(willing).nullable(), message: z.string() }),
});
