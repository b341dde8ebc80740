import type { Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";
import { PORT } from "./world.ts";

// What platforms say of a merchant's takeaway, from a figure to the orders behind it.
test.use({ login: "mch01" });
test.describe.configure({ timeout: 240_000 });

const sideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const cents = (text: string): number => Math.round(Number(text.replaceAll(/[^\d.−-]/g, "").replace("−", "-")) * 100);

test("a figure of 外卖汇总 opens the orders that it is made of, and an order says where its money goes", async ({ page }) => {
  await page.goto("/#/dataCentre/takeaway");
  const view = page.locator(".view:visible");
  const table = view.getByRole("table", { name: "按平台" });
  const row = table.getByRole("row", { name: /饿了么/ });
  await expect(row).toBeVisible();
  const counted = Number(await row.getByRole("link").first().innerText());
  expect(counted).toBeGreaterThan(0);
  await clean(page, "外卖汇总");
  await view.getByRole("button", { name: "按门店" }).click();
  await expect(view.getByRole("table", { name: "按门店" }).getByRole("row", { name: /未映射的门店/ })).toBeVisible();
  await expect(view.getByText("家平台门店还没映射到本店")).toBeVisible();
  await view.getByRole("button", { name: "按平台" }).click();
  await row.getByRole("link").first().click();
  await expect(view.getByRole("heading", { name: "外卖订单" })).toBeVisible();
  await expect(view.getByText(new RegExp(`共 ${counted} 单`)).first()).toBeVisible();
  await view
    .getByRole("table")
    .getByRole("button", { name: /^\d{16,}$/ })
    .first()
    .click();
  const order = page.getByRole("dialog", { name: "外卖订单" });
  await expect(order.getByText("净收入")).toBeVisible();
  const [original, shop, platform, paid] = await Promise.all(
    ["原价", "商家活动", "平台活动", "用户实付"].map(async (name) => cents(await order.locator(`dt:text-is("${name}") + dd`).innerText())),
  );
  expect(original! + shop! + platform!).toBe(paid);
  await clean(page, "外卖订单");
});

test("外卖汇总 fits a phone, and what is odd is said there too", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/#/dataCentre/takeaway?by=day");
  await expect(page.locator(".view:visible").getByText("净收入（元）").first()).toBeVisible();
  expect(await sideways(page)).toBe(0);
  await page
    .locator(".view:visible")
    .getByRole("link", { name: /算不拢/ })
    .click();
  await expect(page.getByText("收入不平").first()).toBeVisible();
  expect(await sideways(page)).toBe(0);
});

test("a figure of 团购券汇总 opens the entries that it is made of", async ({ page }) => {
  await page.goto("/#/dataCentre/groupBuy");
  const view = page.locator(".view:visible");
  const row = view.getByRole("table", { name: "按平台" }).getByRole("row", { name: /美团/ });
  await expect(row).toBeVisible();
  await clean(page, "团购券汇总");
  const used = Number(await row.getByRole("link").first().innerText());
  await row.getByRole("link").first().click();
  await expect(view.getByRole("heading", { name: "团购明细" })).toBeVisible();
  await expect(view.getByText(new RegExp(`共 ${used} 条`)).first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/#/dataCentre/groupBuy?by=store");
  await expect(view.getByText("待结算（元）").first()).toBeVisible();
  expect(await sideways(page)).toBe(0);
});

test("a merchant sets its account, the platform tells of an order, and it is there as the platform has it", async ({ page }) => {
  const platform = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${PORT + 3}/takeaway/${path}`, { method: "POST", body: JSON.stringify(body) }).then((answer) => answer.json());
  await page.goto("/#/dataCentre/takeaway");
  await page.getByRole("button", { name: "平台账户" }).click();
  const drawer = page.getByRole("dialog", { name: "外卖平台账户" });
  await drawer.getByLabel("店铺授权 token").fill("token-of-a-journey");
  await drawer.getByLabel("应用标识").fill("demo");
  await drawer.getByLabel("应用密钥").fill("takeaway-simulator");
  await clean(page, "外卖平台账户");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText("已保存。把通知地址填到饿了么")).toBeVisible();
  await page.goto("/#/dataCentre/takeaway?panel=account");
  const address = await drawer
    .getByText(/\/notify\/ele\//)
    .first()
    .innerText();
  const order = `8009${Date.now()}77`;
  const shop = "9100000001";
  await platform("orders", {
    platform: "ele",
    id: order,
    shop,
    status: "completed",
    goods: 3_600,
    packaging: 200,
    delivery: 400,
    shopOff: 300,
    fee: 500,
  });
  expect(await platform("raise", { platform: "ele", address: address.trim(), order, shop, kind: "18" })).toMatchObject({ status: 200 });
  await expect(async () => {
    await page.goto(`/#/dataCentre/takeaway?view=orders&keyword=${order}&x=${Date.now()}`);
    await expect(page.locator(".view:visible").getByRole("button", { name: order })).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 60_000 });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await sideways(page)).toBe(0);
});

test("a platform's own sheet is read by the columns that somebody chose, and the next one without asking again", async ({ page }) => {
  const number = `JD${Date.now()}`;
  const sheet = (paid: string) => ({
    name: "京东秒送订单.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`单据号,订单进度,用户下单,商品合计,顾客付款,到手\n${number},已完成,2026-11-20 12:30:00,42.00,${paid},30.00\n`),
  });
  const drawer = page.getByRole("dialog", { name: "导入外卖订单" });
  const pick = async (name: string, option: string): Promise<void> => {
    await drawer.getByRole("combobox", { name }).fill(option);
    await page.keyboard.press("Enter");
  };
  const choose = (label: string, heading: string): Promise<void> => pick(`${label}读哪一列`, heading);
  const upload = async (paid: string): Promise<void> => {
    await page.goto("/#/dataCentre/takeaway");
    await page.getByRole("button", { name: "导入订单表" }).click();
    await pick("哪个平台的表", "京东秒送");
    await drawer.locator("input[type=file]").setInputFiles(sheet(paid));
    await expect(drawer.getByRole("table", { name: "列对应" })).toBeVisible();
  };
  await upload("三十七");
  await drawer.getByRole("button", { name: "检查" }).click();
  await expect(drawer.getByText("还要选：")).toBeVisible();
  await choose("平台订单号", "单据号");
  await choose("订单状态", "订单进度");
  await choose("下单时间", "用户下单");
  await choose("原价", "商品合计");
  await choose("用户实付", "顾客付款");
  await choose("预计收入", "到手");
  await clean(page, "列对应");
  await drawer.getByRole("button", { name: "检查" }).click();
  await expect(drawer.getByText("须为金额，最多两位小数").first()).toBeVisible();
  // The same platform's next sheet knows its columns.
  await upload("37.00");
  await expect(drawer.getByText("到手")).toBeVisible();
  await drawer.getByRole("button", { name: "检查" }).click();
  await drawer.getByRole("button", { name: /^导入/ }).click();
  await expect(drawer.getByText("已完成").first()).toBeVisible({ timeout: 30_000 });
  await page.goto(`/#/dataCentre/takeaway?view=orders&keyword=${number}`);
  await expect(page.locator(".view:visible").getByText(number).first()).toBeVisible();
});
