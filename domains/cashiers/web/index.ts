import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { cashierPlace, cashierShift, cashierState, openCashier } from "../contract.ts";

export const screens = { cashier: screen(() => import("./CashierList.tsx"), "CashierList") };

registerExportedList("cashiers", {
  path: "/cashier/cashier",
  filters: { state: ["状态", cashierState], shift: ["班次", cashierShift], place: ["设备", cashierPlace] },
});

registerActs([{ title: "新建收银员", words: ["添加收银员", "新增收银员"], of: openCashier, to: "/cashier/cashier?panel=add" }]);
