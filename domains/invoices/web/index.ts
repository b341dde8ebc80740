import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { applicationStatus, buyerKind, invoiceKind, invoiceStatus } from "../contract/codes.ts";

/** What a provider and a merchant set for invoices, and what became of each. */
export const screens = {
  "invoice-config": screen(() => import("./config/InvoiceSettings.tsx"), "InvoiceSettingsScreen"),
  "invoice-config-merchant": screen(() => import("./InvoiceScreen.tsx"), "InvoiceScreen"),
};

registerExportedList("invoices", { path: "/invoice/merchant", filters: { status: ["状态", invoiceStatus], kind: ["票种", invoiceKind] } });
registerExportedList("invoice-applications", {
  path: "/invoice/merchant",
  filters: { status: ["状态", applicationStatus], kind: ["票种", invoiceKind], buyer: ["抬头", buyerKind] },
});
