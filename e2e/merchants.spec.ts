import { clean } from "./a11y/look.ts";
import { expect, signedIn, test } from "./journey.ts";
import { api } from "./world.ts";

// A provider opens a merchant; the merchant signs in with what it was given and opens its first store.

test.describe("a provider", () => {
  test.use({ login: "sp02" });

  test("opens a merchant with its account, which opens a store; closing the merchant puts it out", async ({ page, browser }) => {
    await page.goto("/#/merchants/merchants?panel=add");
    const form = page.getByRole("dialog", { name: "新建商户" });
    await form.getByLabel("商户名称").fill("苏州虎丘茶业有限公司");
    await form.getByLabel("商户简称").fill("虎丘茶业");
    await form.getByLabel("联系人", { exact: true }).fill("陆羽");
    await form.getByLabel("联系电话").fill("13812345678");
    await form.getByLabel("登录名").fill("mch02");
    await form.getByRole("button", { name: "新建商户" }).click();
    await expect(form.getByText("账号已存在，请更换登录名")).toBeVisible();
    await clean(page, "新建商户", ".drawer");
    await form.getByLabel("登录名").fill("huqiu");
    await form.getByRole("button", { name: "新建商户" }).click();
    const told = page.getByRole("dialog", { name: /^商户 \d+ 已建好$/ });
    const password = (await told.locator("code.num").innerText()).trim();
    await clean(page, "商户已建好", ".drawer");
    await told.getByRole("button", { name: "查看商户" }).click();
    await expect(page.getByRole("dialog").getByText("138****5678")).toBeVisible();
    await expect(page.getByText(password)).toHaveCount(0);

    const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
      username: "huqiu",
      password,
      newPassword: "Teehaus#2026",
    });
    const owner = await (await browser.newContext({ locale: "zh-CN", storageState: signedIn(data.id_token) })).newPage();
    await owner.goto("/#/store/store?panel=add");
    const opening = owner.getByRole("dialog", { name: "新建门店" });
    await opening.getByLabel("门店名称").fill("虎丘茶业山塘街店");
    await opening.getByLabel("门店简称").fill("山塘街店");
    await clean(owner, "新建门店", ".drawer");
    await opening.getByRole("button", { name: "新建门店" }).click();
    await expect(owner.getByText("门店已建好")).toBeVisible();
    await expect(owner.getByRole("table", { name: "门店" }).locator("tbody tr")).toHaveCount(1);

    // Found by the initials of its name; its provider sees the store, and closes the merchant.
    await page.goto("/#/merchants/merchants?keyword=hqcy");
    await expect(page.getByRole("table", { name: "商户" }).locator("tbody tr")).toHaveCount(1);
    await page.locator("tbody tr:visible").first().click();
    await page.getByRole("dialog", { name: "虎丘茶业" }).getByRole("button", { name: "停用" }).click();
    const question = page.getByRole("dialog", { name: "提示" });
    await expect(question).toContainText("虎丘茶业");
    await question.getByRole("button", { name: "停用" }).click();
    await expect(page.getByText(/^已停用/)).toBeVisible();
    expect((await api(data.id_token, "GET", "/api/account")).status).toBe(401);
    await owner.context().close();
  });
});

test.describe("a provider with agents", () => {
  test.use({ login: "sp01" });

  test("narrows its merchants to one agent by typing a part of its name, and the address keeps it", async ({ page }) => {
    // Found by its name first: a provider that opens merchants all day has more than one page of them.
    await page.goto("/#/merchants/merchants?keyword=鲜果时光");
    const table = page.getByRole("table", { name: "商户" });
    await expect(table.getByText("鲜果时光", { exact: true })).toBeVisible();
    await page.getByRole("combobox", { name: "代理商" }).fill("锦城");
    await page.locator(".ant-select-item-option:visible").filter({ hasText: "锦城商务代理" }).click();
    await expect(page).toHaveURL(/agentId=/);
    await expect(table.getByText("鲜果时光", { exact: true })).toHaveCount(0);
    await page.locator(".view:visible").getByRole("searchbox", { name: "商户" }).fill("");
    await page.keyboard.press("Enter");
    await expect(table.getByText("锦城商务代理").first()).toBeVisible();
    for (const row of await table.locator("tbody tr:visible").all()) await expect(row).toContainText("锦城商务代理");
    await page.reload();
    await expect(table.getByText("锦城商务代理").first()).toBeVisible();
    for (const row of await table.locator("tbody tr:visible").all()) await expect(row).toContainText("锦城商务代理");
  });
});
