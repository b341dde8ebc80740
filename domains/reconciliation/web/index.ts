import { screen } from "@zhangfang/web/screen.ts";

export const screens = { "bill-reconciliation": screen(() => import("./BillReconciliation.tsx"), "BillReconciliation") };
