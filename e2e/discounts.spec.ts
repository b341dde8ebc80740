import { clean } from "./a11y/look.ts";
import type { Page } from "@playwright/test";
import { expect, test } from "./journey.ts";

const view = (page: Page) => page.locator(".view:visible");

test.describe("a merchant", () => {
  test.use({ login: "mch02" });

  // It begins far ahead: what other journeys sell keeps its price.
  test("makes rules of the till, sorts them and turns one off, by keyboard and on a phone", async ({ page }) => {
    await page.goto("/#/ticket/discountRules");
    await page.getByRole("button", { name: "新建优惠规则" }).first().click();
    const add = page.getByRole("dialog", { name: "新建优惠规则" });
    await add.getByLabel("名称").fill("每满五十减五");
    await add.getByRole("button", { name: "启用规则" }).click();
    await expect(add.getByText("请填写优惠金额").first()).toBeVisible();
    await clean(page, "a rule that lacks something");
    await add.getByLabel("每满", { exact: true }).fill("50");
    await add.getByLabel("减", { exact: true }).fill("5");
    await add.getByLabel("开始日期").fill("2099-01-01");
    await add.getByLabel("预算").fill("100");
    await expect(add.getByText("2099-01-01 至 长期，每满 50 元减 5 元，预算 100 元，用完为止。")).toBeVisible();
    await page.keyboard.press("Control+Enter");
    const first = view(page).getByRole("listitem").filter({ hasText: "每满五十减五" });
    await expect(first.getByText("预算 100.00 元，已占用 0.00 元")).toBeVisible();

    // Its budget grows, and never gets less.
    await first.getByRole("button", { name: "修改" }).click();
    const edit = page.getByRole("dialog", { name: "修改 每满五十减五" });
    await edit.getByLabel("预算").fill("200");
    await clean(page, "修改优惠规则", ".drawer");
    await edit.getByRole("button", { name: "保存" }).click();
    await expect(first.getByText("预算 200.00 元，已占用 0.00 元")).toBeVisible();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/#/ticket/discountRules?panel=add:new");
    await add.getByRole("button", { name: "随机立减" }).click();
    await add.getByLabel("名称").fill("随机减一点");
    await add.getByLabel("最少减").fill("0.5");
    await add.getByLabel("最多减", { exact: true }).fill("3");
    await add.getByLabel("开始日期").fill("2099-01-01");
    await clean(page, "a rule, on a phone");
    await add.getByRole("button", { name: "启用规则" }).click();
    const second = view(page).getByRole("listitem").filter({ hasText: "随机减一点" });
    await expect(second.getByText("随机减 0.50 到 3 元")).toBeVisible();
    await page.getByRole("button", { name: "随机减一点 上移" }).click();
    await expect(page.getByText("「随机减一点」排到第 1 位")).toBeVisible();
    const turnOff = async (): Promise<void> => {
      await second.getByRole("button", { name: "停用", exact: true }).click();
      await page.locator("dialog.ask").getByRole("button", { name: "停用" }).click();
      await expect(second.getByRole("button", { name: "启用", exact: true })).toBeVisible();
    };
    await turnOff();
    await page.getByRole("status").filter({ hasText: "「随机减一点」已停用" }).getByRole("button", { name: "撤销" }).click();
    await expect(second.getByRole("button", { name: "启用", exact: true })).toHaveCount(0);
    await turnOff();
    await clean(page, "the rules, on a phone", ".view");
    await page.setViewportSize({ width: 1440, height: 900 });
    await first.getByRole("button", { name: "看记录" }).click();
    await expect(view(page).getByRole("heading", { name: "优惠记录" })).toBeVisible();
  });

  test("says what a new coupon begins with, and reads who changed it", async ({ page }) => {
    await page.goto("/#/ticket/discountSet");
    const without = view(page).getByRole("switch", { name: /积分抵扣/ });
    const before = await without.isChecked();
    await without.click();
    await view(page).getByRole("button", { name: "保存" }).click();
    await expect(page.getByText("已保存，从下一单起生效")).toBeVisible();
    await page.reload();
    await expect(without).toBeChecked({ checked: !before });
    await expect(
      view(page)
        .getByText(/^第 \d+ 版 · /)
        .first(),
    ).toBeVisible();
    await clean(page, "优惠设置", ".view");
  });
});
