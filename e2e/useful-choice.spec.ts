import type { Page } from "@playwright/test";
import { expect, test } from "./journey.ts";

// A screen about one thing opens on a useful one: what was looked at last, else the first; in its address, so that a link stays.

const view = (page: Page) => page.locator(".view:visible");

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("opens 门店收款 on a store, finds the last one again, and the link to it stays", async ({ page }) => {
    await page.goto("/#/dataCentre/storeOrder");
    await expect(page).toHaveURL(/storeId=/);
    await expect(view(page).locator(".totals").getByText("截至")).toBeVisible();
    await view(page).getByRole("combobox", { name: "门店" }).click();
    await page
      .locator(".ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option")
      .filter({ hasText: "天府三街店" })
      .click();
    // The screen's own filters stand first; its records below have theirs.
    await expect(view(page).locator(".filters").first()).toContainText("天府三街店");
    await expect(view(page).locator(".totals").getByText("截至")).toBeVisible();
    const chosen = new URL(page.url()).hash;
    await page.goto("/#/device/list");
    await expect(view(page).getByRole("heading", { level: 1 })).toHaveText(/设备/);
    await page.goto("/#/dataCentre/storeOrder");
    await expect.poll(() => new URL(page.url()).hash).toBe(chosen);
    // Going back leaves the screen: what it opened on stands in place of the address without a store.
    await page.goBack();
    await expect(page).toHaveURL(/device\/list/);
  });

  test("opens 设备配置 on itself and 设备广告 on a device", async ({ page }) => {
    await page.goto("/#/device/config");
    await expect(page).toHaveURL(/node=2%3A|node=2:/);
    await expect(view(page).locator(".config-lead")).toContainText("蜀味川菜");
    await page.goto("/#/ad/deviceAds");
    await expect(page).toHaveURL(/device=/);
    await expect(view(page).getByRole("list", { name: "这一周播放" })).toBeVisible();
  });

  test("narrows orders by the words of a payment, and an old link shows what narrows it", async ({ page }) => {
    await page.goto("/#/dataCentre/payOrder?wallet=alipay&way=CODE&status=2");
    const table = page.getByRole("table", { name: "支付订单" });
    await expect(table.locator("tbody tr:visible").first()).toContainText("支付宝");
    await expect(table.locator("tbody tr:visible").first()).toContainText("二维码");
    await page.goto("/#/dataCentre/payOrder?tool=2&status=2");
    await expect(table.locator("tbody tr:visible").first()).toContainText("扫码枪");
    await expect(view(page).getByText(/旧链接.*微信扫码枪/)).toBeVisible();
  });
});

test.describe("a provider", () => {
  test.use({ login: "sp01" });

  test("opens 商户配置 on a merchant, and APIv3密钥 on the same one", async ({ page }) => {
    await page.goto("/#/merchants/config");
    await expect(page).toHaveURL(/merchantId=/);
    await expect(view(page).getByLabel("自动打印小票")).toBeVisible();
    const merchant = /merchantId=([^&]+)/.exec(page.url())?.[1] ?? "";
    await page.goto("/#/merchants/v3Secret");
    await expect(page).toHaveURL(new RegExp(`merchantId=${merchant}`));
    await view(page).getByRole("button", { name: "收单机构" }).click();
    await expect(page).toHaveURL(new RegExp(`merchantId=${merchant}.*tab=acquirers`));
  });

  test("keeps what was typed into a filter and not sent while another page is seen", async ({ page }) => {
    await page.goto("/#/dataCentre/payRefund");
    const number = view(page).getByRole("searchbox", { name: "单号" });
    await expect(view(page).locator(".rows")).toHaveAttribute("aria-busy", "false");
    await number.fill("R2026");
    // By its address: nothing is pressed, and the field is not left.
    await page.evaluate(() => {
      location.hash = "#/dataCentre/refund";
    });
    await expect(view(page).getByRole("heading", { name: "退款申请", level: 1 })).toBeVisible();
    await page
      .getByRole("navigation", { name: "已打开的页面" })
      .getByRole("link", { name: /支付退款订单/ })
      .click();
    await expect(view(page).getByRole("heading", { name: "支付退款订单", level: 1 })).toBeVisible();
    await expect(number).toHaveValue("R2026");
  });
});
