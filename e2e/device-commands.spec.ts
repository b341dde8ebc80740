import { readFile } from "node:fs/promises";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("has a device send its screen and its log, and sees who asked and what came of it", async ({ page }) => {
    await page.goto("/#/device/list?keyword=ZF-01-1");
    await page.getByRole("button", { name: "ZF-01-1", exact: true }).click();
    const details = page.getByRole("dialog", { name: "设备详情" });
    await details.getByRole("button", { name: "远程命令" }).click();
    const drawer = page.getByRole("dialog", { name: "远程命令" });
    await clean(page, "远程命令", ".drawer");
    await drawer.getByText("截屏", { exact: true }).click();
    await drawer.getByRole("button", { name: "下发给 1 台设备" }).click();
    await expect(page.getByText("已下发，设备在线时立即执行").first()).toBeVisible();
    // The device runs in a process of its own and waits for its configuration.
    await expect(details.getByRole("img", { name: "设备截屏" }).first()).toBeVisible({ timeout: 30_000 });
    await expect(details.getByRole("row", { name: /截屏 已完成/ }).first()).toContainText("mch01");
    await details.getByRole("button", { name: "查看设备截屏" }).first().click();
    await expect(page.locator("dialog.preview img")).toBeVisible();
    await page.keyboard.press("Escape");

    await details.getByRole("button", { name: "远程命令" }).click();
    await drawer.getByText("上传日志").click();
    await drawer.getByRole("button", { name: "下发给 1 台设备" }).click();
    const logs = details.getByRole("button", { name: "下载日志" });
    await expect(logs.first()).toBeVisible({ timeout: 30_000 });
    const [file] = await Promise.all([page.waitForEvent("download"), logs.first().click()]);
    expect(await readFile(await file.path(), "utf8")).toContain("已更新");
  });

  test("takes a command back that a device which is away has not heard of", async ({ page }) => {
    await page.goto("/#/device/list?online=3");
    await page.locator(".view:visible td button.link").first().click();
    const details = page.getByRole("dialog", { name: "设备详情" });
    await details.getByRole("button", { name: "远程命令" }).click();
    const drawer = page.getByRole("dialog", { name: "远程命令" });
    await drawer.getByText("重启", { exact: true }).click();
    await drawer.getByRole("button", { name: "下发给 1 台设备" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "重启" }).click();
    await expect(details.getByRole("row", { name: /重启 待送达/ }).first()).toBeVisible();
    await details.getByRole("button", { name: "取消", exact: true }).first().click();
    await page.locator("dialog.ask").getByRole("button", { name: "取消命令" }).click();
    await expect(details.getByRole("row", { name: /重启 已取消/ }).first()).toBeVisible();
  });
});
