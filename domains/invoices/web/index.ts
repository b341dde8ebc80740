import { screen } from "@zhangfang/web/screen.ts";

/** What a provider and a merchant set for invoices, and what became of each. */
export const screens = {
  "invoice-config": screen(() => import("./config/InvoiceSettings.tsx"), "InvoiceSettingsScreen"),
  "invoice-config-merchant": screen(() => import("./InvoiceScreen.tsx"), "InvoiceScreen"),
};
