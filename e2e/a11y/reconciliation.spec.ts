import { expect, test } from "../journey.ts";
import { clean, lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([
  ["对账差异", "sp01", "/reconciliation/bill?view=differences", /api\/reconciliation\/differences/],
  ["商城支付订单", "mch01", "/reconciliation/pay", /api\/mall\/pay-orders/],
  ["商城退款订单", "sp01", "/reconciliation/refund", /api\/mall\/refunds/],
]);

test.describe("对账月历", () => {
  test.use({ login: "mch01" });
  for (const [what, path] of [
    ["of the channel", "/reconciliation/bill"],
    ["of a platform", "/reconciliation/bill?source=dy"],
  ] as const)
    test(`the month ${what}, this one and the one before`, async ({ page }) => {
      await page.goto(`/#${path}`);
      const month = page.getByRole("region", { name: /对账月历/ });
      await expect(month.getByRole("listitem").nth(20)).toBeVisible();
      await expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
      await clean(page, "this month");
      await month.getByRole("button", { name: "上个月" }).click();
      await expect(month.getByRole("listitem").nth(20)).toBeVisible();
      await clean(page, "the month before", ".view");
    });
});
