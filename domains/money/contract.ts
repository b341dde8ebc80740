import { z } from "zod";
import { cents, id, instant, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** The accounts of a merchant's book. A claim is positive, a debt negative, so that each entry sums to zero. */
export const ledgerAccount = labelled({
  channel: "通道待结算",
  merchant: "商户应收",
  fee: "手续费收入",
  refunding: "退款占用",
  sharing: "分账占用",
  returning: "分账待回退",
});
export type LedgerAccount = CodeOf<typeof ledgerAccount>;

/** Why money moved. */
export const ledgerCause = labelled({
  payment: "收款",
  "refund-reserve": "退款占用",
  refund: "退款完成",
  "refund-release": "退款释放",
  "share-reserve": "分账占用",
  share: "分账完成",
  "share-release": "分账释放",
  "share-return-reserve": "回退登记",
  "share-return": "分账回退",
  "share-return-release": "回退取消",
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
