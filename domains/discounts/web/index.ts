import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { discountKind, takenState, addDiscountRule } from "../contract/index.ts";

/** What comes off by itself, and each time it did. */
export const screens = {
  "discount-set": screen(() => import("./DiscountSettings.tsx"), "DiscountSettingsScreen"),
  "discount-rules": screen(() => import("./DiscountRules.tsx"), "DiscountRules"),
  "discount-record": screen(() => import("./DiscountUses.tsx"), "DiscountUses"),
};

registerExportedList("discount-uses", {
  path: "/ticket/discountRecord",
  filters: { state: ["状态", takenState], kind: ["类型", discountKind], ruleId: ["规则"], storeId: ["门店"] },
});

registerActs([{ title: "新建优惠规则", words: ["满减", "打折"], of: addDiscountRule, to: "/ticket/discountRules?panel=add" }]);
