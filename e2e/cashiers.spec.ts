import { readFile } from "node:fs/promises";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";
import { sell } from "./world.ts";

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("makes a cashier with a limit, puts him at a device, and the till takes what is within the limit and no more", async ({ page }) => {
    const code = `J${Math.floor(Math.random() * 90_000) + 10_000}`;
    await page.goto("/#/cashier/cashier?panel=add:new");
    const add = page.getByRole("dialog", { name: "新建收银员" });
    await add.getByLabel("门店").fill("春熙路");
    await page
      .getByTitle(/春熙路店/)
      .last()
      .click();
    await add.getByLabel("编号").fill(code);
    await add.getByLabel("姓名").fill("旅程收银员");
    await add.getByText("晚班").click();
    await add.getByLabel("单笔收款上限").fill("100");
    await clean(page, "新建收银员", ".drawer");
    await add.getByRole("button", { name: "新建", exact: true }).click();
    await expect(page.getByText("已新建收银员")).toBeVisible();

    await page.goto(`/#/cashier/cashier?keyword=${code}`);
    await page.getByRole("button", { name: code, exact: true }).click();
    const details = page.getByRole("dialog", { name: "收银员详情" });
    await details.getByRole("button", { name: "绑定设备" }).click();
    const place = page.getByRole("dialog", { name: /绑定设备/ });
    await place.getByLabel("设备").click();
    await page
      .getByTitle(/ZF-01-3/)
      .last()
      .click();
    await clean(page, "绑定设备", ".drawer");
    await place.getByRole("button", { name: "绑定", exact: true }).click();
    await expect(page.getByText("已绑定设备", { exact: true }).first()).toBeVisible();

    await sell(10_000, "旅程午餐", "ZF-01-3");
    await expect(sell(10_001, "旅程午餐", "ZF-01-3")).rejects.toThrow("超过收银员旅程收银员的单笔收款上限 ¥100.00");
    await page.reload();
    await expect(details.getByText("1 笔").first()).toBeVisible();
    await expect(details.getByText("¥100.00").first()).toBeVisible();
    await page.goto(`/#/device/list?keyword=ZF-01-3`);
    await expect(page.locator(".view:visible").getByText("旅程收银员")).toBeVisible();

    await page.goto(`/#/cashier/cashier?keyword=${code}`);
    await page.getByRole("button", { name: "收款码", exact: true }).click();
    const poster = page.getByRole("dialog", { name: "收款码 旅程收银员" });
    await expect(poster.getByRole("img", { name: "旅程收银员的收款码海报" })).toBeVisible();
    const [file] = await Promise.all([page.waitForEvent("download"), poster.getByRole("button", { name: "下载 SVG" }).click()]);
    expect(await readFile(await file.path(), "utf8")).toContain("收银员 旅程收银员");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: code, exact: true }).click();
    await details.getByRole("button", { name: "停用" }).click();
    const question = page.locator("dialog.ask");
    await expect(question).toContainText("会从设备 ZF-01-3 上退出");
    await question.getByRole("button", { name: "停用" }).click();
    await expect(page.getByText("已停用").first()).toBeVisible();
    await expect(details.getByText("未绑定")).toBeVisible();

    await details.getByRole("button", { name: "启用" }).click();
    await question.getByRole("button", { name: "启用" }).click();
    await details.getByRole("button", { name: "调店" }).click();
    const move = page.getByRole("dialog", { name: "旅程收银员 调店" });
    await move.getByLabel("门店").fill("宽窄");
    await page
      .getByTitle(/宽窄巷子店/)
      .last()
      .click();
    await clean(page, "调店", ".drawer");
    await move.getByRole("button", { name: "调店", exact: true }).click();
    await expect(page.getByText("已将旅程收银员调店")).toBeVisible();
    await expect(details.getByText("宽窄巷子店")).toBeVisible();
    await page.goto(`/#/cashier/cashier?keyword=${code}&state=disabled`);
    await expect(page.getByRole("button", { name: `${code}-1`, exact: true })).toBeVisible();
  });
});
