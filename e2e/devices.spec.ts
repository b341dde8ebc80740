import { readFile } from "node:fs/promises";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";
import { api, tokenOf } from "./world.ts";

test.describe("a provider", () => {
  test.use({ login: "sp01" });

  test("takes devices in, hands one to a store, sees its key once, renames it, takes it back and gives it away", async ({ page }) => {
    const tag = String(Math.floor(Math.random() * 90_000) + 10_000);
    const sns = [`E2E-${tag}-1`, `E2E-${tag}-2`];
    await page.goto("/#/cashier/equipment");
    await page.getByRole("button", { name: "入库" }).first().click();
    const intake = page.getByRole("dialog", { name: "设备入库" });
    await intake.getByLabel("型号").click();
    await page.getByTitle("XY-L1").last().click();
    await intake.getByLabel("设备编号").fill(sns.join("\n"));
    await clean(page, "设备入库", ".drawer");
    await intake.getByRole("button", { name: "入库 2 台" }).click();
    await expect(page.getByText("已入库").first()).toBeVisible();
    await expect(page.getByRole("button", { name: sns[0]!, exact: true })).toBeVisible();

    await page.goto("/#/device/list?panel=bind:new");
    const bind = page.getByRole("dialog", { name: "绑定设备" });
    await bind.getByLabel("设备编号").fill(sns[0]!);
    await bind.getByLabel("门店").fill("春熙路");
    await page
      .getByTitle(/春熙路店/)
      .last()
      .click();
    await bind.getByLabel("名称").fill("旅程测试机");
    await clean(page, "绑定设备", ".drawer");
    await bind.getByRole("button", { name: "绑定", exact: true }).click();
    const key = page.getByRole("dialog", { name: /的密钥/ });
    await expect(key.getByText("密钥只显示这一次")).toBeVisible();
    await clean(page, "密钥", ".drawer");
    await page.keyboard.press("Escape");
    await page.goto(`/#/device/list?keyword=${sns[0]}`);
    await page.getByRole("button", { name: sns[0]!, exact: true }).click();
    const details = page.getByRole("dialog", { name: "设备详情" });
    await expect(details.getByText("旅程测试机")).toBeVisible();
    await details.getByRole("button", { name: "修改" }).click();
    const edit = page.getByRole("dialog", { name: /修改设备/ });
    await edit.getByLabel("名称").fill("吧台测试机");
    await clean(page, "修改设备", ".drawer");
    await edit.getByRole("button", { name: "保存" }).click();
    await expect(details.getByText("吧台测试机")).toBeVisible();
    await details.getByRole("button", { name: "解绑" }).click();
    const question = page.locator("dialog.ask");
    await expect(question).toContainText("回到商户库存");
    await question.getByRole("button", { name: "解绑设备" }).click();
    await expect(page.getByText("已解绑，设备在商户库存")).toBeVisible();

    await page.goto(`/#/cashier/equipment?keyword=${sns[0]}`);
    await page.getByRole("button", { name: sns[0]!, exact: true }).click();
    const book = page.getByRole("dialog", { name: "设备台账" });
    for (const kind of ["入库", "绑定门店", "解绑"]) await expect(book.getByText(kind, { exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "退回" }).first().click();
    await page.getByRole("dialog", { name: "退回" }).getByRole("button", { name: "退回 1 台" }).click();
    await expect(page.getByText("已退回 1 台")).toBeVisible();
  });

  test("brings devices by sheet, repairs what is wrong, and binds one by another sheet", async ({ page }) => {
    const tag = String(Math.floor(Math.random() * 90_000) + 10_000);
    const sheet = (name: string, lines: readonly string[]) => ({
      name,
      mimeType: "text/csv",
      buffer: Buffer.from(`\uFEFF${lines.join("\r\n")}`),
    });
    await page.goto("/#/cashier/equipment?panel=import:new");
    await page
      .locator("input[type=file]")
      .setInputFiles(
        sheet("入库.csv", ["设备编号,型号,批次", `SHT-${tag}-1,XY-L1,旅程`, `SHT-${tag}-2,没有的型号,旅程`, `ZF-N0001,XY-L1,`]),
      );
    const intake = page.getByRole("dialog", { name: "导入入库设备" });
    await expect(intake.getByText("可导入 1，有误 2")).toBeVisible();
    await expect(intake.getByText(/已由平台登记在别处/)).toBeVisible();
    await intake.getByLabel("第 3 行 型号").fill("T3B00");
    await page.keyboard.press("Enter");
    await intake.getByRole("button", { name: "导入 2 台入库设备" }).click();
    await expect(intake.getByText(/已导入 2/).first()).toBeVisible();

    const { data } = await api<{ items: { number: string }[] }>(await tokenOf("sp01"), "GET", "/api/stores?keyword=春熙路店&pageSize=10");
    await page.goto("/#/device/list?panel=import:new");
    await page
      .locator(".view:visible input[type=file], dialog input[type=file], [role=dialog] input[type=file]")
      .first()
      .setInputFiles(sheet("绑定.csv", ["设备编号,门店编号,名称,收银方式", `SHT-${tag}-1,${data.items[0]!.number},表格绑定机,自助收银`]));
    const bind = page.getByRole("dialog", { name: "导入绑定设备" });
    await bind.getByRole("button", { name: "导入 1 台绑定设备" }).click();
    await expect(bind.getByText(/已导入 1/).first()).toBeVisible();
    await page.goto(`/#/device/list?keyword=SHT-${tag}-1`);
    await expect(page.locator(".view:visible").getByText("表格绑定机")).toBeVisible();
    await page.locator(".view:visible").getByRole("checkbox").nth(1).check();
    await page.getByRole("button", { name: "更换并下载密钥" }).click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("dialog.ask").getByRole("button", { name: "更换并下载" }).click(),
    ]);
    expect(await readFile(await file.path(), "utf8")).toMatch(new RegExp(`"SHT-${tag}-1","表格绑定机","春熙路店","[\\w-]{20,}"`));
  });
});
