import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { openXlsx } from "@zhangfang/server/lists/xlsx-writer.ts";
import { expect, signedIn, test } from "./journey.ts";
import { api, tokenOf } from "./world.ts";

// A provider brings its merchants from a sheet.

const HEADINGS = ["商户名称*", "商户简称*", "联系人*", "联系电话*", "登录名*", "行业", "省份", "城市"];
async function workbook(rows: readonly (readonly string[])[]) {
  const pieces: Buffer[] = [];
  const columns = HEADINGS.map((label) => ({ label, kind: "text" as const, width: 16 }));
  const book = await openXlsx(async (bytes) => void pieces.push(Buffer.from(bytes)), { sheetName: "商户", columns });
  await book.write(rows);
  await book.end();
  return { name: "商户.xlsx", mimeType: "application/octet-stream", buffer: Buffer.concat(pieces) };
}
const merchant = (tag: string, phone = "13912345678", login = tag): string[] => [
  `苏州${tag}茶业有限公司`,
  `${tag}茶业`,
  "陆羽",
  phone,
  login,
  "",
  "江苏",
  "苏州",
];
async function upload(page: Page, rows: readonly (readonly string[])[]): Promise<void> {
  await page.goto("/#/merchants/merchants?panel=import:new");
  await page.locator("input[type=file]").setInputFiles(await workbook(rows));
}

test.describe("a provider", () => {
  test.use({ login: "sp02" });

  test("sees which 50 of 5,000 lines are wrong before anything is made", async ({ page }) => {
    await upload(
      page,
      Array.from({ length: 5000 }, (_none, at) => merchant(`trial${at}`, at % 100 === 7 ? "12" : undefined)),
    );
    const sheet = page.getByRole("dialog", { name: "导入商户" });
    await expect(sheet.getByText(/^正在检查/)).toBeVisible();
    await expect(sheet.getByRole("button", { name: "导入 4,950 家商户" })).toBeVisible({ timeout: 50_000 });
    await expect(sheet.getByRole("button", { name: /^有误/ })).toContainText("50");
    const [wrong] = await Promise.all([page.waitForEvent("download"), sheet.getByRole("button", { name: "下载有误的行" }).click()]);
    expect((await readFile(await wrong.path())).length).toBeGreaterThan(2000);
    const { data } = await api<{ items: unknown[] }>(await tokenOf("sp02"), "GET", "/api/organisation/merchants?keyword=trial1");
    expect(data.items).toEqual([]);
  });

  test("repairs a line where it stands, imports, hands out a password, and the same sheet again makes nothing", async ({
    page,
    browser,
  }) => {
    const rows = [merchant("imp-one"), merchant("imp-two", "1"), merchant("imp-three", undefined, "mch01")];
    await upload(page, rows);
    const sheet = page.getByRole("dialog", { name: "导入商户" });
    await expect(sheet.getByText("可导入 1，有误 2")).toBeVisible();
    await sheet.getByLabel("第 3 行 联系电话").fill("13800001234");
    await page.keyboard.press("Enter");
    await expect(sheet.getByText("可导入 2，有误 1")).toBeVisible();
    await expect(sheet.getByText("账号已存在，请更换登录名")).toBeVisible();
    // The import is on the server: a reload loses nothing.
    await page.reload();
    await sheet.getByRole("button", { name: "导入 2 家商户" }).click();
    await expect(sheet.getByText("已完成")).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText("imp-two茶业").first()).toBeAttached();

    const [file] = await Promise.all([page.waitForEvent("download"), sheet.getByRole("button", { name: "生成并下载" }).click()]);
    const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
    const password = /"imp-one","([^"]+)"/.exec(lines.join("\n"))![1]!;
    const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
      username: "imp-one",
      password,
      newPassword: "Teehaus#2026",
    });
    const other = await (await browser.newContext({ locale: "zh-CN", storageState: signedIn(data.id_token) })).newPage();
    await other.goto("/#/merchants/info");
    await expect(other.getByText("苏州imp-one茶业有限公司").first()).toBeVisible();

    await upload(page, [merchant("imp-one"), merchant("imp-two")]);
    await expect(sheet.getByText("无需导入 2（已是这样，不再改动）")).toBeVisible();
    await expect(sheet.getByRole("button", { name: /家商户$/ })).toHaveCount(0);
  });

  test("is told what is wrong with a file that is no such sheet", async ({ page }) => {
    await page.goto("/#/merchants/merchants?panel=import:new");
    const file = page.locator("input[type=file]");
    await file.setInputFiles({ name: "商户.xlsx", mimeType: "application/octet-stream", buffer: Buffer.from("no workbook") });
    await expect(page.getByRole("alert")).toContainText("无法读取此文件");
    await file.setInputFiles({ name: "商户.csv", mimeType: "text/csv", buffer: Buffer.from("商户名称,登录名\n青石,qs\n") });
    await expect(page.getByRole("alert")).toContainText("缺少列：商户简称、联系人、联系电话");
  });
});
