import { domain } from "@zhangfang/server/calls/domain.ts";
import {
  addDiscountRuleRoute,
  getDiscountRulesRoute,
  setDiscountRuleStateRoute,
  sortDiscountRulesRoute,
  updateDiscountRuleRoute,
} from "./rules/write-rules.ts";
import { discountLimits, getDiscountSettingsRoute, saveDiscountSettingsRoute } from "./rules/settings.ts";
import { discountContributor } from "./uses/contribute-discounts.ts";
import { listDiscountUsesRoute, summariseDiscountUsesRoute, useExport } from "./uses/read-uses.ts";

export { verifyDiscounts } from "./verify-discounts.ts";

export const discounts = domain({
  routes: [
    getDiscountRulesRoute,
    addDiscountRuleRoute,
    updateDiscountRuleRoute,
    setDiscountRuleStateRoute,
    sortDiscountRulesRoute,
    listDiscountUsesRoute,
    summariseDiscountUsesRoute,
    getDiscountSettingsRoute,
    saveDiscountSettingsRoute,
  ],
  exports: [useExport],
  contributors: [discountContributor],
  limits: discountLimits,
});
