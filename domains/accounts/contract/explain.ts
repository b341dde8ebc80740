import { read } from "@zhangfang/contract/endpoint.ts";
import { id, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

/** What an account may be asked about: an item of the menu by its path, or a record by its number. */
export const explained = labelled({ item: "功能", order: "支付订单", refund: "退款单", merchant: "商户", store: "门店" });

/**
 * Whether an account below may use an item or see a record, and the rule that decides. The record has to be in the caller's own
 * sight; whether the account sees it is asked of the database's fence itself, in that account's scope.
 */
export const explainAccess = read({
  path: "/api/users/:id/explain",
  title: "权限排查",
  access: ["/account/account", "/bypass/bypass"],
  outside: true,
  input: z.object({ id, about: oneOf(explained), subject: line(64, 1, "请填写要排查的功能或编号") }),
  output: z.object({
    allowed: z.boolean(),
    /** What was asked about, in words. */
    subject: z.string(),
    /** The rule that decides: the first that says no, or the one that lets through. */
    rule: z.string(),
    steps: z.array(z.object({ title: z.string(), ok: z.boolean(), note: z.string() })),
  }),
});
