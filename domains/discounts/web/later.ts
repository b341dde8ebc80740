// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { discountKind, takenState, addDiscountRule } from "../contract/index.ts";

registerExportedList("discount-uses", {
  path: "/ticket/discountRecord",
  filters: { state: ["状态", takenState], kind: ["类型", discountKind], ruleId: ["规则"], storeId: ["门店"] },
});
registerActs([{ title: "新建优惠规则", words: ["满减", "打折"], of: addDiscountRule, to: "/ticket/discountRules?panel=add" }]);
