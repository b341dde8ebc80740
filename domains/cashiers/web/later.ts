// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { cashierPlace, cashierShift, cashierState, openCashier } from "../contract.ts";

registerExportedList("cashiers", {
  path: "/cashier/cashier",
  filters: { state: ["状态", cashierState], shift: ["班次", cashierShift], place: ["设备", cashierPlace] },
});
registerActs([{ title: "新建收银员", words: ["添加收银员", "新增收银员"], of: openCashier, to: "/cashier/cashier?panel=add" }]);
