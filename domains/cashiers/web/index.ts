import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { cashierPlace, cashierShift, cashierState } from "../contract.ts";

export const screens = { cashier: screen(() => import("./CashierList.tsx"), "CashierList") };

registerExportedList("cashiers", {
  path: "/cashier/cashier",
  filters: { state: ["状态", cashierState], shift: ["班次", cashierShift], place: ["设备", cashierPlace] },
});
