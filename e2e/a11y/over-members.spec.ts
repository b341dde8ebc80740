import type { Page } from "@playwright/test";
import { expect, test } from "../journey.ts";
import { clean } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" }, login: "mch01" });

const firstRow = (page: Page) => page.locator(".view:visible tbody tr:visible").first();
const drawer = (page: Page) => page.getByRole("dialog");
/** Opens one of a list's rows and looks at its detail. */
async function detail(page: Page, path: string, what: string): Promise<void> {
  await page.goto(`/#${path}`);
  await firstRow(page).click();
  await expect(drawer(page).locator("dl.pairs").first()).toBeVisible();
  await clean(page, what);
  await page.keyboard.press("Escape");
  await expect(drawer(page)).toBeHidden();
}
/** Presses a button of the first row that has one, and looks at what opens. */
async function form(page: Page, path: string, button: string, what: string): Promise<void> {
  await page.goto(`/#${path}`);
  await expect(firstRow(page)).toBeVisible();
  await page.locator(".view:visible tbody").getByRole("button", { name: button, exact: true }).first().click();
  await expect(drawer(page).getByRole("button").last()).toBeVisible();
  await expect(drawer(page).locator(".skeleton")).toHaveCount(0);
  await clean(page, what);
  await page.keyboard.press("Escape");
  await expect(drawer(page)).toBeHidden();
}

test.describe("what lies over members, levels and goods", () => {
  test("a member and what is done to them", async ({ page }) => {
    await page.goto("/#/member/member?status=1&stage=1");
    await firstRow(page).getByRole("link").first().click();
    await expect(page.getByRole("table", { name: "储值流水" })).toBeVisible();
    await clean(page, "a member");
    for (const name of ["修改资料", "积分调整", "改余额", "发券包"]) {
      await page.locator(".view:visible").getByRole("button", { name, exact: true }).click();
      await expect(drawer(page).getByRole("button").last()).toBeVisible();
      await clean(page, name);
      await page.keyboard.press("Escape");
      await expect(drawer(page)).toBeHidden();
    }
    for (const name of ["登记证件号", "合并会员", "注销"]) {
      await page.locator(".view:visible").getByRole("button", { name: "更多" }).click();
      await page.getByRole("button", { name, exact: true }).click();
      await expect(drawer(page).getByRole("button").last()).toBeVisible();
      await clean(page, name);
      await page.keyboard.press("Escape");
      await expect(drawer(page)).toBeHidden();
    }
    await page.goto("/#/member/member?panel=pay-code:new");
    await expect(drawer(page).getByLabel("APIv2 密钥")).toBeVisible();
    await clean(page, "付款码识别");
  });

  test("levels and times cards: what was sold, and how it goes back", async ({ page }) => {
    await detail(page, "/vip-member/orders", "a VIP order");
    await form(page, "/vip-member/orders?status=1", "退款", "a refund of VIP");
    await detail(page, "/vip-member/timesOrders", "a times card");
    await form(page, "/vip-member/timesOrders?status=1", "退款", "a refund of a times card");
    await page.goto("/#/vip-member/orders?panel=sell:new");
    await expect(drawer(page).getByRole("button").last()).toBeVisible();
    await clean(page, "selling VIP");
  });

  test("goods: a product, its forms, a shelf, a base good", async ({ page }) => {
    await detail(page, "/product/product", "a product");
    await detail(page, "/product/store", "a product at a store");
    await page.goto("/#/product/product?panel=add:new");
    await expect(drawer(page).getByRole("button").last()).toBeVisible();
    await clean(page, "a new product");
    await page.keyboard.press("Escape");
    await form(page, "/product/product", "改价", "a price");
    await form(page, "/product/store", "库存", "a stock");
    await page.goto("/#/basicInfo/basicGoods");
    await firstRow(page).getByRole("link").first().click();
    await expect(page.locator(".view:visible dl.pairs").first()).toBeVisible();
    await clean(page, "a base good");
    await page.goto("/#/basicInfo/saleGoods");
    await firstRow(page).getByRole("link").first().click();
    await expect(page.locator(".view:visible .detail-screen .group").first()).toBeVisible();
    await clean(page, "a sale good");
  });

  test("on a phone", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/#/member/member?status=1&stage=1");
    await page.getByRole("list", { name: "微信会员" }).getByRole("link").first().click();
    await expect(page.getByRole("tab", { name: /储值/ })).toBeVisible();
    await clean(page, "a member on a phone");
    await page.locator(".view:visible").getByRole("button", { name: "改余额", exact: true }).click();
    await clean(page, "改余额 on a phone");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
