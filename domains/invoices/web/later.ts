// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { applicationStatus, buyerKind, invoiceKind, invoiceStatus } from "../contract/codes.ts";

registerExportedList("invoices", { path: "/invoice/merchant", filters: { status: ["状态", invoiceStatus], kind: ["票种", invoiceKind] } });
registerExportedList("invoice-applications", {
  path: "/invoice/merchant",
  filters: { status: ["状态", applicationStatus], kind: ["票种", invoiceKind], buyer: ["抬头", buyerKind] },
});
