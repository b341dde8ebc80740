import { z } from "zod";
import { cents, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** The accounts of a merchant's book. A claim is positive, a debt negative, so that each entry sums to zero. */
export const ledgerAccount = labelled({
  channel: "渠道待结算",
  merchant: "商户应收",
  fee: "手续费收入",
  refunding: "退款占用",
});
export type LedgerAccount = CodeOf<typeof ledgerAccount>;

/** Why money moved. */
export const ledgerCause = labelled({
  payment: "收款",
  "refund-reserve": "退款占用",
  refund: "退款完成",
  "refund-release": "退款释放",
});
export type LedgerCause = CodeOf<typeof ledgerCause>;

/** One entry of the book with its lines, which sum to zero. */
export const ledgerEntry = z.object({
  id,
  cause: oneOf(ledgerCause),
  refundId: id.nullable(),
  occurredAt: instant,
  lines: z.array(z.object({ account: oneOf(ledgerAccount), amountCents: cents })),
});
