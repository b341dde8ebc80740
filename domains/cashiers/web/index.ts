import { screen } from "@zhangfang/web/screen.ts";

export const screens = { cashier: screen(() => import("./CashierList.tsx"), "CashierList") };
