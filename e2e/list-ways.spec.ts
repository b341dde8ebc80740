import type { Page } from "@playwright/test";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { anotherToken } from "./office.ts";
import { api, sell, simulator } from "./world.ts";

// Shorter ways through a list: another page by its number, a row in a tab of its own, keys and their switch, the clipboard, all of the ticked.
test.use({ login: "mch01" });

const rowsStand = (page: Page) => expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
const orders = (page: Page) => page.getByRole("table", { name: "支付订单" });
const numbers = (page: Page) =>
  orders(page)
    .getByRole("button", { name: /^P\d+$/ })
    .allInnerTexts();
const open = async (page: Page, query = "") => {
  await page.goto(`/#/dataCentre/payOrder${query}`);
  await rowsStand(page);
};

test("a page is jumped to by its number and is the one that is walked to", async ({ page }) => {
  // Days that are over: nobody sells into them meanwhile.
  const { data } = await api<{ items: { createdAt: string }[] }>(await sharedToken("mch01"), "GET", "/api/orders/pay-orders?pageSize=10");
  const day = (before: number) =>
    new Date(Date.parse(data.items[0]!.createdAt) + 8 * 3600_000 - before * 86_400_000).toISOString().slice(0, 10);
  const over = `?from=${day(3)}&to=${day(1)}`;
  await open(page, over);
  await page.getByRole("button", { name: "下一页" }).click();
  await expect(page.getByText(/^第 2 /)).toBeVisible();
  await rowsStand(page);
  await page.getByRole("button", { name: "下一页" }).click();
  await expect(page.getByText(/^第 3 /)).toBeVisible();
  await rowsStand(page);
  const walked = await numbers(page);
  await open(page, `${over}&sort=-createdAt`);
  await page.getByRole("textbox", { name: /跳至第几页/ }).fill("3");
  await page.keyboard.press("Enter");
  await expect(page.getByText(/^第 3 /)).toBeVisible();
  await expect.poll(() => numbers(page)).toEqual(walked);
  await page.getByRole("button", { name: "上一页" }).click();
  await expect(page.getByText(/^第 2 /)).toBeVisible();
  await page.getByRole("textbox", { name: /跳至第几页/ }).fill("99999");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "下一页" })).toBeDisabled();
  await expect(orders(page).locator("tbody tr").first()).toBeVisible();
});

test("a row opens in a tab of its own by Ctrl, by the wheel, by keys and from its drawer", async ({ page, context }) => {
  await open(page);
  const [first] = await numbers(page);
  const name = orders(page).getByRole("button", { name: first, exact: true });
  const row = orders(page).locator("tbody tr").first();
  const link = async () => {
    await name.click();
    await page.getByRole("dialog").getByRole("link", { name: "在新标签页打开" }).click();
  };
  for (const press of [
    () => name.click({ modifiers: ["Control"] }),
    () => row.locator("td.cell-time").click({ button: "middle" }),
    async () => (await row.focus(), page.keyboard.press("Control+Enter")),
    link,
  ]) {
    const coming = context.waitForEvent("page");
    await press();
    const other = await coming;
    await expect(other.getByRole("dialog", { name: `订单 ${first}` })).toBeVisible();
    expect(await other.evaluate(() => window.opener)).toBeNull();
    await other.close();
  }
});

test("R refunds the row, the sheet names the keys of the screen, and one switch turns single letters off", async ({ browser }) => {
  // Somebody of mch01: the switch is nobody else's.
  const token = await anotherToken([
    "/dataCentre/payOrder",
    "/dataCentre/payOrder/refund",
    "/dataCentre/payOrder/export",
    "/dataCentre/exports",
  ]);
  const context = await browser.newContext({ storageState: signedIn(token) });
  const page = await context.newPage();
  const sold = await sell(1200, "按键退款");
  await open(page, `?keyword=${sold.orderNo}`);
  const row = orders(page).locator("tbody tr").first();
  await row.focus();
  await page.keyboard.press("r");
  const form = page.getByRole("dialog", { name: /^退款 P/ });
  await expect(form).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(form).toHaveCount(0);
  await page.getByRole("heading", { name: "支付订单", level: 1 }).click();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "快捷键" });
  for (const words of ["退款", "导出", "上下移动一行", "在新标签页打开所在行"]) await expect(sheet).toContainText(words);
  const kept = page.waitForResponse(
    (answer) => answer.url().includes("/api/preferences/letter-keys") && answer.request().method() === "PUT",
  );
  await sheet.getByLabel(/启用单键快捷键/).uncheck();
  await kept;
  await page.keyboard.press("Escape");
  await page.reload();
  await rowsStand(page);
  await row.focus();
  for (const key of ["r", "e", "?", "j"]) await page.keyboard.press(key);
  await expect(row).toBeFocused();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  // What is off is turned on again without any key.
  await page.getByRole("button", { name: /账号菜单/ }).click();
  await page.getByRole("button", { name: "快捷键" }).click();
  await sheet.getByLabel(/启用单键快捷键/).check();
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(sheet).toBeVisible();
  await context.close();
});

test("where the window is narrow weeks and months stand in the calendar", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await open(page);
  const view = page.locator(".view:visible");
  await expect(view.getByRole("button", { name: "近30天", exact: true })).toBeVisible();
  await expect(view.getByRole("button", { name: "上月", exact: true })).toBeHidden();
  await view.getByRole("button", { name: /^(下单|支付|创建)时间 / }).click();
  await page.locator(".ant-picker-presets").getByText("上月", { exact: true }).click();
  const [year, month] = new Date(Date.now() + 8 * 3_600_000).toISOString().split("-").map(Number);
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const [from, to] = [day(Date.UTC(year!, month! - 2, 1)), day(Date.UTC(year!, month! - 1, 0))];
  await expect(page).toHaveURL(new RegExp(`from=${from}&to=${to}`));
  await page.setViewportSize({ width: 1440, height: 800 });
  await expect(view.getByRole("button", { name: "上月", exact: true })).toHaveAttribute("aria-pressed", "true");
});

test("the rows are copied as a sheet takes them", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  const shown = await numbers(page);
  await page.getByRole("button", { name: "更多列表操作" }).click();
  await page.getByRole("button", { name: "复制本页表格" }).click();
  await expect(page.getByText(`已复制 ${shown.length} 行`)).toBeVisible();
  const rows = (await page.evaluate(() => navigator.clipboard.readText())).split("\n").map((line) => line.split("\t"));
  expect(rows[0]).toContain("订单号");
  expect(rows[0]).not.toContain("操作");
  expect(rows.slice(1).map((cells) => cells[rows[0]!.indexOf("订单号")])).toEqual(shown);
  for (const cells of rows) expect(cells).toHaveLength(rows[0]!.length);
});

test("a drawer is copied as labels and values", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page);
  const [number] = await numbers(page);
  await orders(page).getByRole("button", { name: number!, exact: true }).first().click();
  const drawer = page.getByRole("dialog").first();
  await drawer.getByRole("button", { name: "复制全部内容" }).click();
  await expect(page.getByText(/^已复制 \d+ 项/)).toBeVisible();
  const rows = (await page.evaluate(() => navigator.clipboard.readText())).split("\n").map((line) => line.split("\t"));
  expect(rows.map(([, value]) => value)).toContain(number);
});

test("without https there is no clipboard, and what is copied is there all the same", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.addInitScript(() => {
    Object.assign(window, { readClipboard: () => Clipboard.prototype.readText.call(kept) });
    const kept = navigator.clipboard;
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  const clip = () => page.evaluate(() => (window as unknown as { readClipboard: () => Promise<string> }).readClipboard());
  await open(page);
  const shown = await numbers(page);
  await page.getByRole("button", { name: "更多列表操作" }).click();
  await page.getByRole("button", { name: "复制本页表格" }).click();
  await expect(page.getByText(`已复制 ${shown.length} 行`)).toBeVisible();
  expect((await clip()).split("\n")).toHaveLength(shown.length + 1);
  // In a drawer, under which the page is inert.
  await orders(page).getByRole("button", { name: shown[0]!, exact: true }).first().click();
  const drawer = page.getByRole("dialog").first();
  await drawer
    .getByRole("button", { name: `复制 ${shown[0]!}` })
    .first()
    .click();
  await expect(drawer.getByRole("button", { name: "已复制" }).first()).toBeVisible();
  expect(await clip()).toBe(shown[0]!);
});

/** What the simulated printers brought out about an order. */
async function printed(orderNo: string): Promise<string[]> {
  const { outputs } = await simulator<{ outputs: { shown: string }[] }>("_devices/state");
  return outputs.map(({ shown }) => shown).filter((shown) => shown.includes(orderNo));
}
test("all ticked payments are asked about and printed again, one after the other, and written to a file", async ({ page }) => {
  const sold = [await sell(98_761, "批量甲"), await sell(98_763, "批量乙")];
  await open(page, "?minCents=98761&maxCents=98763");
  for (const { orderNo } of sold) await orders(page).getByRole("row").filter({ hasText: orderNo }).getByRole("checkbox").check();
  const bar = page.getByRole("region", { name: "批量操作" });
  await expect(bar).toContainText("已选 2 笔");
  await bar.getByRole("button", { name: "查单同步" }).click();
  await page.getByRole("button", { name: "确定" }).click();
  const tasks = page.getByRole("dialog", { name: "查单同步" });
  await expect(tasks.getByRole("status")).toHaveText("已结束：完成 2，失败 0，剩余 0，共 2");
  for (const { orderNo } of sold) await expect(tasks.getByRole("listitem").filter({ hasText: orderNo })).toHaveCount(1);
  await tasks.getByRole("button", { name: "关闭" }).click();
  await bar.getByRole("button", { name: "补打小票" }).click();
  await page.getByRole("button", { name: "确定" }).click();
  const prints = page.getByRole("dialog", { name: "补打小票" });
  await expect(prints.getByRole("status")).toHaveText("已结束：完成 2，失败 0，剩余 0，共 2");
  for (const { orderNo } of sold) {
    await expect(prints.getByRole("listitem").filter({ hasText: orderNo })).toContainText(/已发送到 [1-9]\d* 台打印机/);
    await expect.poll(async () => (await printed(orderNo)).filter((shown) => shown.includes("（补打）")).length).toBeGreaterThan(0);
  }
  await prints.getByRole("button", { name: "关闭" }).click();
  await bar.getByRole("button", { name: "导出所选" }).click();
  const dialog = page.getByRole("dialog", { name: "导出支付订单" });
  await expect(dialog).toContainText("共 2 笔");
  await dialog.getByRole("button", { name: "开始导出" }).click();
  await page.getByRole("button", { name: "查看导出记录" }).click();
  const file = page.getByRole("table", { name: "导出记录" }).getByRole("row").filter({ hasText: "勾选的 2 条" }).first();
  await expect(file.locator(".cell-number")).toHaveText("2");
});
