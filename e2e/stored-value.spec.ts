import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("types tiers into the rule, sees what a card above the law's line is told, and saves the next version", async ({ page }) => {
    await page.goto("/#/member/cardRules");
    await page.getByRole("button", { name: "加一档" }).click();
    const last = page.getByRole("table").getByRole("row").last();
    await last.getByLabel(/充值金额/).fill("4500");
    await last.getByLabel(/赠送余额/).fill("1000");
    await expect(last.getByRole("alert")).toContainText("这档最多送 500.00");
    await last.getByLabel(/充值金额/).fill("1000");
    await last.getByLabel(/赠送余额/).fill("200");
    await expect(last).toContainText("8.3 折");
    await page.getByRole("button", { name: /^保存为第 \d+ 版/ }).click();
    await expect(page.getByText(/已保存为第 \d+ 版，即刻生效/)).toBeVisible();
    await expect(page.getByRole("heading", { name: /储值规则/ }).first()).toBeVisible();

    await page.goto("/#/dataCentre/cardSummary");
    await expect(page.getByText("欠顾客的本金（元）")).toBeVisible();
    await page.goto("/#/dataCentre/cardRecharge?panel=add:new");
    const cash = page.getByRole("dialog", { name: "收现金或转账" });
    await cash.getByLabel("会员号").fill("0000000000");
    await cash.getByLabel("充值金额").fill("100");
    await cash.getByLabel("收款说明").fill("收据 1");
    await clean(page, "收现金或转账", ".drawer");
    await expect(cash.getByRole("button", { name: "确认收到 ¥100.00" })).toBeVisible();
  });
});
