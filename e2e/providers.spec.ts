import { clean } from "./a11y/look.ts";
import { expect, signedIn, test } from "./journey.ts";
import { api } from "./world.ts";

// The platform takes a provider in, gives it its looks, and puts it out.

test.use({ login: "admin" });

test("a provider comes with its account, its people see its colour, and closing it puts them out", async ({ page, browser }) => {
  await page.goto("/#/admin/serviceProvider?panel=add:new");
  const form = page.getByRole("dialog", { name: "新建服务商" });
  await form.getByLabel("服务商名称").fill("江岸支付服务有限公司");
  await form.getByLabel("简称").fill("江岸支付");
  await form.getByLabel("联系人").fill("欧阳清");
  await form.getByLabel("联系电话").fill("13912345678");
  await form.getByLabel("登录名").fill("sp.jiangan");
  await form.getByLabel("商户限额").fill("2");
  await clean(page, "新建服务商", ".drawer");
  await form.getByRole("button", { name: "新建服务商" }).click();
  const made = page.getByRole("dialog", { name: "服务商 sp.jiangan 已建好" });
  const password = (await made.locator("code").innerText()).trim();
  await made.getByRole("button", { name: "查看服务商" }).click();
  const detail = page.getByRole("dialog", { name: "江岸支付" });
  await expect(detail).toContainText("0 / 2 家");

  await detail.getByRole("button", { name: "修改品牌" }).click();
  const brand = page.getByRole("dialog", { name: "品牌 江岸支付" });
  await brand.getByLabel("系统名称").fill("江岸智付");
  await brand.getByLabel("浅色界面").fill("#FFD54F");
  await expect(brand.getByRole("alert")).toContainText("须不低于 4.5");
  await brand.getByLabel("浅色界面").fill("#1F6B4A");
  await brand.getByLabel("深色界面").fill("#7FD1A8");
  await brand
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "logo.png",
      mimeType: "image/png",
      buffer: Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64"),
    });
  await expect(brand.getByRole("button", { name: "查看标志" })).toBeVisible();
  await brand.getByRole("button", { name: "保存" }).click();
  await expect(page.getByText("品牌已保存")).toBeVisible();

  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username: "sp.jiangan",
    password,
    newPassword: "Jiangan#2026",
  });
  const other = await (await browser.newContext({ locale: "zh-CN", storageState: signedIn(data.id_token) })).newPage();
  await other.goto("/#/merchants/merchants");
  await expect(other.getByRole("heading", { level: 1 })).toContainText("商户");
  const primary = () => other.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--color-primary").trim());
  expect(await primary()).toBe("#1F6B4A");
  await expect(other.locator(".brand img")).toBeVisible();

  await page.reload();
  await page.getByRole("dialog", { name: "江岸支付" }).getByRole("button", { name: "停用" }).click();
  const question = page.getByRole("dialog", { name: "提示" });
  await expect(question).toContainText("1 个账号不能登录，1 处登录立即退出；0 家商户、0 家门店、0 台设备停止收款");
  await question.getByRole("button", { name: "停用" }).click();
  await expect(page.getByText("已停用，1 处登录已退出")).toBeVisible();
  await other.reload();
  await expect(other.getByLabel("用户名")).toBeVisible();
});

test.describe("a provider's own people", () => {
  test.use({ login: "sp01" });

  test("write a page for their domain name, see it as a phone does, publish it, and everybody reads it as it was typed", async ({
    page,
    request,
  }) => {
    await page.goto("/#/admin/officialSite/add");
    await page.getByLabel("域名", { exact: true }).click();
    await page.locator(".ant-select-item-option").filter({ hasText: "hemu.example.com" }).click();
    await page.getByLabel("标题", { exact: true }).fill("禾木 <b>收款</b>");
    await page.getByRole("button", { name: "添加一段" }).click();
    await page.getByLabel("小标题 1").fill("我们做什么");
    await page.getByLabel("内容 1").fill("收款、对账、会员。");
    const preview = page.getByRole("region", { name: "预览" });
    await expect(preview.locator(".site")).toContainText("禾木 <b>收款</b>");
    await preview.getByRole("button", { name: "电脑" }).click();
    await page.getByRole("button", { name: "保存草稿" }).click();
    await expect(page.getByText("草稿已保存，发布后生效")).toBeVisible();
    const read = () => request.get("/site", { headers: { host: "hemu.example.com" } });
    expect((await read()).status()).toBe(404);

    await page.goto("/#/admin/officialSite");
    await page.getByRole("row").filter({ hasText: "hemu.example.com" }).getByRole("button", { name: "发布" }).click();
    await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "发布" }).click();
    await expect(page.getByText("已发布", { exact: true }).first()).toBeVisible();
    const shown = await read();
    expect(shown.headers()["content-security-policy"]).toContain("default-src 'none'");
    expect(await shown.text()).toContain("<h1>禾木 &#60;b&#62;收款&#60;/b&#62;</h1>");
  });
});

test("a trade is added, given its rate, and put out of use", async ({ page }) => {
  await page.goto("/#/admin/trade?panel=add:new");
  const add = page.getByRole("dialog", { name: "新增行业" });
  await add.getByLabel("行业名称").fill("旅程手作");
  await add.getByRole("button", { name: "新增", exact: true }).click();
  await expect(page.getByText("已新增行业")).toBeVisible();
  await page.goto("/#/admin/trade?keyword=旅程手作");
  const row = page.getByRole("table", { name: "行业" }).getByRole("row").filter({ hasText: "旅程手作" });
  await row.getByRole("button", { name: "编辑" }).click();
  const edit = page.getByRole("dialog", { name: "编辑行业 旅程手作" });
  await edit.getByLabel("费率").fill("0.38");
  await edit.getByRole("button", { name: "保存" }).click();
  await expect(row).toContainText("0.38%");
  await row.getByRole("button", { name: "停用" }).click();
  await page.locator("dialog.ask").getByRole("button", { name: "停用「旅程手作」" }).click();
  await page.reload();
  await expect(row.getByRole("button", { name: "启用" })).toBeVisible();
  await expect(row).toContainText("0.38%");
});
