import { expect, sharedToken, signedIn, test } from "../journey.ts";
import { clean } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

test.describe("what lies over a page", () => {
  test.use({ login: "mch01" });

  test("an order, its refund, and what comes of it", async ({ page }) => {
    await page.goto("/#/dataCentre/payOrder?refunded=true");
    await page.locator("tbody tr:visible").first().click();
    const drawer = page.getByRole("dialog");
    await expect(drawer.getByRole("table", { name: "账务分录" })).toBeVisible();
    await drawer.getByText(/^通道交互/).click();
    await clean(page, "an order");
    await page.goto("/#/dataCentre/payOrder?status=2");
    // The order's own drawer has such a button too, until it is gone.
    await expect(drawer).toBeHidden();
    await page.getByRole("button", { name: "退款", exact: true }).first().click();
    await page.getByLabel("退款金额").fill("999999");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("请填写退款原因")).toBeVisible();
    await clean(page, "a refund with mistakes");
    await page.getByLabel("退款金额").fill("0.01");
    await page.getByLabel("退款原因").fill("看看");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("dialog", { name: "提示" })).toBeVisible();
    await clean(page, "the question before it");
    await page.keyboard.press("Escape");
    await page.goto("/#/dataCentre/payRefund");
    await page.locator("tbody tr:visible").first().click();
    await expect(page.getByRole("dialog").getByText("退款金额")).toBeVisible();
    await clean(page, "a refund");
  });

  test("a decision, a shift, its sheet", async ({ page, browser }) => {
    await page.goto("/#/dataCentre/refund");
    await page.getByRole("table", { name: "退款申请" }).getByRole("button", { name: "审批" }).first().click();
    await page.getByLabel("驳回").check();
    await clean(page, "a decision");
    const clerk = await (
      await browser.newContext({ storageState: signedIn(await sharedToken("mch02")), reducedMotion: "reduce" })
    ).newPage();
    await clerk.goto("/#/dataCentre/storeOrder");
    await expect(clerk.locator(".view:visible .totals").getByText("截至")).toBeVisible();
    await clean(clerk, "the store that it opens on");
    await clerk.getByRole("combobox", { name: "门店" }).click();
    await clerk.locator(".ant-select-item-option").filter({ hasText: "河坊街店" }).click();
    await expect(clerk.getByText("净收款（元）").first()).toBeVisible();
    await clean(clerk, "a shift");
    await clerk.getByRole("button", { name: "交班", exact: true }).click();
    await expect(clerk.getByRole("dialog", { name: /^交班/ })).toBeVisible();
    await clean(clerk, "handing over");
    await clerk.keyboard.press("Escape");
    await clerk.getByRole("button", { name: "打印", exact: true }).first().click();
    await expect(clerk.getByRole("dialog", { name: "打印交班单" })).toBeVisible();
    await clean(clerk, "the sheet on A4");
    await clerk.getByLabel("80 毫米小票").check();
    await clean(clerk, "the sheet on a roll");
    await clerk.context().close();
  });

  test("the palette, the keys, the menus, the calendar, an export", async ({ page }) => {
    await page.goto("/#/dataCentre/payOrder");
    await expect(page.locator("tbody tr:visible").first()).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: /搜索/ })).toBeFocused();
    await page.keyboard.insertText("zf");
    await expect(page.getByRole("listbox", { name: "结果" })).toBeVisible();
    await clean(page, "the palette");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "快捷键" })).toBeVisible();
    await clean(page, "the keys");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "列设置" }).click();
    await clean(page, "the columns");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "视图", exact: true }).click();
    await page.getByRole("button", { name: "把当前列表存为视图" }).click();
    await expect(page.getByLabel("视图名称")).toBeVisible();
    await clean(page, "a view that is saved");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /账号菜单/ }).click();
    await clean(page, "the account");
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: /^导出(，|$)/ })
      .first()
      .click();
    await expect(page.getByRole("link", { name: "查看导出记录" })).toBeVisible();
    await clean(page, "the tray");
    await page.keyboard.press("Escape");
    await page.getByRole("navigation", { name: "已打开的页面" }).getByRole("link", { name: "支付订单" }).click({ button: "right" });
    await clean(page, "the menu of a tab");
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: /^下单时间 / })
      .first()
      .click();
    await expect(page.locator(".ant-picker-dropdown")).toBeVisible();
    await clean(page, "the calendar");
    await page.keyboard.press("Escape");
    await page.locator(".list-tools:visible").getByRole("button", { name: "导出" }).click();
    await expect(page.getByRole("dialog", { name: "导出支付订单" })).toBeVisible();
    await clean(page, "an export");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "收起菜单" }).click();
    await page.getByRole("navigation", { name: "主菜单" }).getByRole("button", { name: "数据中心" }).click();
    await clean(page, "the closed sidebar");
    await page.goto("/#/nowhere");
    await expect(page.getByText("请联系管理员开通")).toBeVisible();
    await clean(page, "a page that is not there");
  });

  test("on a phone: cards, menu, filters, a drawer", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/#/dataCentre/payOrder");
    await expect(page.getByRole("list", { name: "支付订单" })).toBeVisible();
    await clean(page, "cards");
    await page.getByRole("button", { name: "筛选", exact: true }).click();
    await clean(page, "filters");
    await page.getByRole("button", { name: "展开菜单" }).click();
    await clean(page, "the menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "退款", exact: true }).first().click();
    await expect(page.getByLabel("退款金额")).toBeVisible();
    await clean(page, "a refund");
  });
});
