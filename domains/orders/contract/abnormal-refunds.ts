import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { day, done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { refundStatus } from "./codes.ts";
import { refundPassword } from "./refunds.ts";

const REDIRECT = "/dataCentre/payRefund/redirect";

/** The banks whose debit cards an abnormal refund may go to (发起异常退款, channels.md 3). */
export const debitBank = labelled({
  ICBC_DEBIT: "工商银行",
  ABC_DEBIT: "农业银行",
  BOC_DEBIT: "中国银行",
  CCB_DEBIT: "建设银行",
  COMM_DEBIT: "交通银行",
  CMB_DEBIT: "招商银行",
  PSBC_DEBIT: "邮储银行",
  CITIC_DEBIT: "中信银行",
  CEB_DEBIT: "光大银行",
  CMBC_DEBIT: "民生银行",
  PAB_DEBIT: "平安银行",
  SPDB_DEBIT: "浦发银行",
  CIB_DEBIT: "兴业银行",
  GDB_DEBIT: "广发银行",
  NBCB_DEBIT: "宁波银行",
});
export const evidenceKind = labelled({ card: "退到付款人银行卡", merchant: "退到商户银行账户", transfer: "线下转账凭证" });
export const evidenceState = labelled({
  sent: ["已提交通道", "active"],
  waiting: ["待复核", "warn"],
  confirmed: ["已复核", "good"],
  rejected: ["已驳回", "ended"],
});

export const refundEvidence = z.object({
  id,
  kind: oneOf(evidenceKind),
  bank: z.string().nullable(),
  accountTail: z.string().nullable(),
  name: z.string().nullable(),
  transferNo: z.string().nullable(),
  transferredAt: instant.nullable(),
  note: z.string().nullable(),
  state: oneOf(evidenceState),
  byName: z.string(),
  createdAt: instant,
  decidedByName: z.string().nullable(),
  decidedAt: instant.nullable(),
  decisionNote: z.string().nullable(),
  /** The caller may confirm or reject it; nobody decides what they said themselves. */
  decidable: z.boolean(),
});
/** What was done for an abnormal refund, and what the caller may do. */
export const listRefundEvidence = read({
  path: "/api/orders/refund-evidence",
  title: "异常退款处理记录",
  access: "/dataCentre/payRefund",
  input: z.object({ refundId: id }),
  output: z.object({
    items: z.array(refundEvidence),
    redirectable: z.boolean(),
    /** The merchant's refund password is asked for where it is sent on. */
    needsPassword: z.boolean(),
  }),
});
/** Sends an abnormal refund on to a debit card of the payer, or to the merchant's own bank account. */
export const redirectRefund = write({
  path: "/api/orders/refunds/redirect",
  title: "处理异常退款",
  access: REDIRECT,
  rate: "money",
  outside: true,
  closedToActing: true,
  input: z
    .object({
      id,
      to: z.enum(["card", "merchant"]),
      bank: oneOf(debitBank).optional(),
      account: z
        .string()
        .trim()
        .regex(/^\d{12,19}$/, "银行卡号为 12 到 19 位数字")
        .optional(),
      name: line(32).optional(),
      refundPassword,
    })
    .refine((given) => given.to === "merchant" || given.bank !== undefined, { path: ["bank"], message: "请选择银行" })
    .refine((given) => given.to === "merchant" || given.account !== undefined, { path: ["account"], message: "请填写银行卡号" })
    .refine((given) => given.to === "merchant" || Boolean(given.name), { path: ["name"], message: "请填写收款人姓名" }),
  output: z.object({ refundId: id, status: oneOf(refundStatus), message: z.string() }),
});
/** Says that the payer got the money outside of the channel, with proof; somebody else confirms it. */
export const proveRefund = write({
  path: "/api/orders/refund-evidence",
  title: "提交线下转账凭证",
  access: REDIRECT,
  rate: "money",
  idempotent: "requestId",
  closedToActing: true,
  input: z.object({
    requestId: id,
    id,
    transferNo: line(64, 4, "请填写银行流水号"),
    transferredOn: day,
    note: line(80, 1, "请填写转账说明"),
  }),
  output: z.object({ evidenceId: id }),
});
export const decideEvidence = write({
  path: "/api/orders/refund-evidence/decide",
  title: "复核线下转账凭证",
  access: REDIRECT,
  rate: "money",
  closedToActing: true,
  input: z
    .object({ id, decision: z.enum(["confirm", "reject"]), note: line(80).optional() })
    .refine((given) => given.decision === "confirm" || (given.note ?? "") !== "", { path: ["note"], message: "请填写驳回原因" }),
  output: done,
});
