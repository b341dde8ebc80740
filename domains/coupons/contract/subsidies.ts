import { z } from "zod";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, day, done, flag, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";

/** 补贴结算单: the provider pays outside and records it, the merchant says whether it came (marketing.md 7). */
export const statementState = labelled({
  WAITING: ["待付款", "warn"],
  PAID: ["待商户确认", "active"],
  CONFIRMED: ["已结清", "good"],
  DISPUTED: ["有异议", "bad"],
  CARRIED: ["结转下月", "ended"],
});
export const subsidyCause = labelled({ payment: "用券", refund: "退款收回", settled: "已结算" });

const month = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, "月份格式应为 YYYY-MM");
const access = ["/ticket/list", "/merchantTicket/list"] as const;
export const statementFilters = { state: oneOf(statementState).optional(), merchantId: id.optional(), month: month.optional() };
const row = z.object({
  id,
  merchantName: z.string(),
  month: z.string(),
  /** Below 0: what refunds took back beyond what was earned before. */
  carriedCents: cents,
  earnedCents: cents,
  backCents: cents,
  dueCents: cents,
  state: oneOf(statementState),
  paidOn: z.string().nullable(),
  paidRef: z.string(),
  paidBy: z.string(),
  answeredBy: z.string(),
  answeredAt: instant.nullable(),
  reason: z.string(),
});
export const listStatements = read({
  path: "/api/coupons/subsidies",
  title: "补贴结算单",
  access,
  input: listInput(statementFilters, ["-month"]),
  output: listOutput(row),
});
/** What of it is where now: since the last statement, waiting for the provider, and waiting for the merchant. */
export const summariseSubsidies = read({
  path: "/api/coupons/subsidies/summary",
  title: "补贴汇总",
  access,
  input: z.object({ merchantId: id.optional() }),
  output: z.object({ openCents: cents, waitingCents: cents, paidCents: cents, settledCents: cents }),
});
export const getStatement = read({
  path: "/api/coupons/subsidies/one",
  title: "补贴结算单详情",
  access,
  input: z.object({ id }),
  output: row,
});
/** What a statement is made of: each order, and each refund that took some back. */
export const listSubsidies = read({
  path: "/api/coupons/subsidies/entries",
  title: "补贴明细",
  access,
  input: listInput({ statementId: id }, ["-at"]),
  output: listOutput(z.object({ id, at: instant, cause: oneOf(subsidyCause), orderNo: z.string(), storeName: z.string(), cents })),
});
/** 记录付款: what was paid outside, so that the merchant finds it. */
export const payStatement = write({
  path: "/api/coupons/subsidies/pay",
  title: "记录补贴付款",
  access: "/ticket/list/pay",
  closedToActing: true,
  input: z.object({ id, paidOn: day, paidRef: line(64, 1, "请填写付款凭证号") }),
  output: done,
});
/** 确认收到, or not and why. */
export const answerStatement = write({
  path: "/api/coupons/subsidies/answer",
  title: "确认补贴到账",
  access: "/merchantTicket/list/confirm",
  // Whoever paid does not confirm for who was paid.
  closedToActing: true,
  input: z
    .object({ id, received: flag, reason: line(100).default("") })
    .refine(({ received, reason }) => received || reason !== "", { path: ["reason"], message: "请写明哪里不对" }),
  output: done,
});
