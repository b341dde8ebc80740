import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { readCsv } from "@zhangfang/server/testing-tables.ts";
import { expect, test } from "./journey.ts";
import { centsIn, totalsOf } from "./read-screen.ts";

// A figure of a report, its rows, and its file: the same cents everywhere.
test.use({ login: "sp01" });

const report = (page: Page) => page.getByRole("table", { name: "支付统计", exact: true });
/** The cells of a row of the report by the titles of their columns. */
async function cellsOf(page: Page, row: number): Promise<Record<string, string>> {
  await expect(report(page).getByRole("row").last()).toContainText("合计");
  return report(page).evaluate((table: HTMLTableElement, at) => {
    const titles = [...table.tHead!.rows[0]!.cells].map((cell) => cell.innerText.trim());
    const cells = [...table.rows].slice(1).at(at)!.cells;
    return Object.fromEntries(titles.map((title, index) => [title, cells[index]!.innerText.trim().split("\n")[0]!]));
  }, row);
}

/** A week that is over: other journeys sell beside this one. */
const today = shanghaiDay(Date.now());
const PAST = `from=${addDays(today, -7)}&to=${addDays(today, -1)}`;

test("a figure opens its rows with the same sum, row by row down to one cashier", async ({ page }) => {
  await page.goto(`/#/dataCentre/payStatistics?by=store&${PAST}`);
  const [best, all] = [await cellsOf(page, 0), await cellsOf(page, -1)];
  expect(centsIn(all["实收金额"])).toBeGreaterThan(centsIn(best["实收金额"]));
  await report(page).getByRole("link", { name: best["实收金额"]!, exact: true }).first().click();
  await expect(page.getByRole("heading", { level: 1, name: "支付订单" })).toBeVisible();
  await expect
    .poll(() => totalsOf(page))
    .toMatchObject({ 实收: centsIn(best["实收金额"]), count: Number(best["支付笔数"]!.replaceAll(",", "")) });

  await page.goBack();
  await report(page).locator("tbody .link").first().click();
  const drawer = page.getByRole("dialog");
  await expect(drawer.getByRole("table", { name: "金额构成" })).toContainText(best["净收入"]!);
  await drawer.getByRole("button", { name: "按收银员" }).click();
  await expect(page).toHaveURL(/by=cashier/);
  await expect.poll(async () => (await cellsOf(page, -1))["实收金额"]).toBe(best["实收金额"]);
});

test("the file of a report adds up to the screen's totals", async ({ page }) => {
  await page.goto(`/#/dataCentre/payStatistics?by=day&splitBy=store&${PAST}`);
  const all = await cellsOf(page, -1);
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: "导出支付统计" });
  await dialog.getByLabel(/\.csv/).check();
  await dialog.getByLabel("全部列").check();
  await dialog.getByRole("button", { name: "开始导出" }).click();
  await page.getByRole("button", { name: "查看导出记录" }).click();
  const file = page.getByRole("table", { name: "导出记录" }).getByRole("row").filter({ hasText: "支付统计" }).first();
  await expect(file).toContainText("可下载");
  const downloading = page.waitForEvent("download");
  await file.getByRole("button", { name: /下载/ }).click();
  const [titles = [], ...rows] = readCsv(readFileSync(await (await downloading).path())).map((row) => row.map((cell) => cell.text));
  const sum = (title: string) => rows.reduce((total, row) => total + centsIn(row[titles.indexOf(title)]), 0);
  expect(["订单金额", "优惠金额", "实收金额", "退款金额", "手续费", "净收入"].map(sum)).toEqual(
    ["订单金额", "优惠金额", "实收金额", "退款金额", "手续费", "净收入"].map((title) => centsIn(all[title])),
  );
});

test("a chart is saved as a picture, and shows its numbers as a table", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/#/dataCentre/payStatistics");
  await expect(page.locator(".chart canvas")).toBeVisible();
  await page.getByRole("button", { name: "复制数据" }).click();
  await expect(page.getByText(/^已复制 \d+ 行/)).toBeVisible();
  const copied = (await page.evaluate(() => navigator.clipboard.readText())).split("\n");
  expect(copied[0]).toMatch(/^时间\t/);
  // What would go to the printer: the drawing, and a row for each of the numbers.
  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await page.getByRole("button", { name: "打印图表" }).click();
  await expect(page.locator(".print-sheet .chart-paper")).toHaveCount(1);
  await expect(page.locator(".print-sheet tbody tr")).toHaveCount(copied.length - 1);
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  await expect(page.locator(".print-sheet")).toHaveCount(0);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "下载图片" }).click();
  const picture = readFileSync(await (await downloading).path());
  // A PNG of its own size: the eight bytes that begin each, and a width.
  expect([picture.subarray(1, 4).toString("latin1"), picture.readUInt32BE(16) > 300]).toEqual(["PNG", true]);
  const all = await cellsOf(page, -1);
  await page.getByRole("button", { name: "看数据表" }).click();
  const cells = await page.locator(".chart-table tbody tr td:nth-child(2)").allInnerTexts();
  expect(cells.reduce((sum, cell) => sum + centsIn(cell), 0)).toBe(centsIn(all["实收金额"]));
});

test.describe("the home of the platform", () => {
  test.use({ login: "admin" });

  test("a count of merchants opens as many of them", async ({ page }) => {
    await page.goto("/#/");
    for (const label of ["商户总数", "新增商户", "活跃商户"]) {
      const figure = page.locator(".stat").filter({ hasText: label }).locator(".stat-value");
      await expect(figure.getByRole("link")).toHaveText(/\d/);
      const count = Number((await figure.innerText()).replaceAll(",", ""));
      await figure.getByRole("link").click();
      await expect(page.getByRole("heading", { level: 1, name: "商户" })).toBeVisible();
      await expect.poll(() => totalsOf(page), label).toMatchObject({ count });
      await page.goBack();
    }
  });
});
