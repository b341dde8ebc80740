import { expect, test } from "vitest";
import { auditValue } from "@zhangfang/domains/accounts/contract/index.ts";
import { withdrawalStatus } from "@zhangfang/domains/commissions/contract/index.ts";
import { applicationStatus, redStatus } from "@zhangfang/domains/invoices/contract/index.ts";
import { mallStatus } from "@zhangfang/domains/mall/contract/index.ts";
import { orderStatus, refundStatus } from "@zhangfang/domains/orders/contract/index.ts";
import { returnStatus, sharingStatus } from "@zhangfang/domains/profit-sharing/contract/index.ts";

test("the log tells how things stand in the words of their own rooms", () => {
  const sets = {
    invoice_application: applicationStatus,
    invoice_red: redStatus,
    mall_order: mallStatus,
    pay_order: orderStatus,
    refund: refundStatus,
    "share-return": returnStatus,
    sharing: sharingStatus,
    withdrawal: withdrawalStatus,
  };
  for (const [kind, { values, label }] of Object.entries(sets))
    for (const code of [...values, values.length])
      expect([kind, auditValue("status", String(code), kind)]).toEqual([
        kind,
        code === values.length ? String(code) : label(code as never),
      ]);
});
