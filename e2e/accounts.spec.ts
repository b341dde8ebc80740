import { clean } from "./a11y/look.ts";
import { expect, signedIn, test } from "./journey.ts";
import { auditField } from "../domains/accounts/contract/audit/audit-words.ts";
import { api, tokenOf } from "./world.ts";

// Whom a root trusts with what, and what a provider may do to the accounts below it.

test.describe("a merchant's root", () => {
  test.use({ login: "mch02" });

  test("makes a position, opens a sub-account with it, and that one sees just this", async ({ page, browser }) => {
    await page.goto("/#/jurisdiction/permission?panel=position");
    await page.getByLabel("岗位名称").fill("对账员");
    await page.getByRole("checkbox", { name: "支付订单", exact: true }).check();
    await page.getByRole("button", { name: "新增岗位（2 项）" }).click();
    await expect(page.getByRole("button", { name: "对账员" })).toBeVisible();

    await page.goto("/#/bypass/bypass?panel=edit");
    const form = page.getByRole("dialog", { name: "新增子账号" });
    await form.getByLabel("登录名").fill("audit.mch02");
    await form.getByLabel("姓名").fill("对账小王");
    await form.getByLabel("岗位").click();
    await page.locator(".ant-select-item-option").filter({ hasText: "对账员" }).click();
    await clean(page, "新增子账号", ".drawer");
    await form.getByRole("button", { name: "新增子账号" }).click();
    const shown = page.getByRole("dialog", { name: "一次性密码" });
    const password = (await shown.locator("td .num").first().innerText()).trim();
    await shown.getByRole("button", { name: "已记下，关闭" }).click();
    await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "已记下，关闭" }).click();
    await expect(page.getByText(password)).toHaveCount(0);
    await expect(page.getByRole("row").filter({ hasText: "audit.mch02" })).toContainText("全部门店");

    const newPassword = "Kontor#2026";
    const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
      username: "audit.mch02",
      password,
      newPassword,
    });
    const other = await (await browser.newContext({ locale: "zh-CN", storageState: signedIn(data.id_token) })).newPage();
    await other.goto("/#/dataCentre/payOrder");
    await expect(other.getByRole("table", { name: "支付订单" })).toBeVisible();
    await expect(other.getByRole("button", { name: "退款", exact: true })).toHaveCount(0);
    await other.goto("/#/bypass/bypass");
    await expect(other.getByText(/页面不存在或无权访问。/)).toBeVisible();
  });
});

test.describe("a provider", () => {
  test.use({ login: "sp02" });

  test("narrows a merchant: its people are signed out and hold no more, until it gives everything back", async ({ page }) => {
    const before = await tokenOf("mch08");
    await page.goto("/#/account/account?keyword=mch08");
    await page.getByRole("row").filter({ hasText: "mch08" }).getByRole("button", { name: "更多" }).click();
    await page.getByRole("button", { name: "功能范围" }).click();
    const form = page.getByRole("dialog", { name: "功能范围 mch08" });
    await form.getByLabel("该级别全部功能（含以后新增）").uncheck();
    await form.getByRole("checkbox", { name: "支付退款订单", exact: true }).uncheck();
    await clean(page, "功能范围", ".drawer");
    await form.getByRole("button", { name: "保存" }).click();
    const question = page.getByRole("dialog", { name: "提示" });
    await expect(question).toContainText("1 处登录立即退出");
    await question.getByRole("button", { name: "保存" }).click();
    await expect(page.getByText("已保存功能范围")).toBeVisible();
    expect((await api(before, "GET", "/api/account")).status).toBe(401);
    const after = await tokenOf("mch08");
    expect((await api(after, "GET", "/api/orders/refunds")).status).toBe(403);
    expect((await api(after, "GET", "/api/orders/pay-orders")).status).toBe(200);
  });

  test("acts for a merchant to look: what would change something is not offered", async ({ page }) => {
    await page.goto("/#/account/account?keyword=mch02");
    await page.getByRole("row").filter({ hasText: "mch02" }).first().getByRole("button", { name: "更多" }).click();
    await page.getByRole("button", { name: "代管登录" }).click();
    await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "代管登录" }).click();
    await expect(page.getByText("真实操作人 sp02，只能查看")).toBeVisible();
    await page.goto("/#/dataCentre/payOrder");
    await expect(page.getByRole("table", { name: "支付订单" })).toBeVisible();
    await expect(page.getByRole("button", { name: "退款", exact: true })).toHaveCount(0);
    await page.getByRole("button", { name: "退出代管" }).click();
    await expect(page.getByText("真实操作人")).toHaveCount(0);
  });
});

test.describe("a provider's root", () => {
  test.use({ login: "sp01" });

  test("reads who did what, proves that the log is whole, and is told why somebody may not", async ({ page }) => {
    await page.goto("/#/jurisdiction/audit");
    await expect(page.getByRole("table", { name: "操作日志" }).locator("tbody tr").first()).toBeVisible();
    // All that the demo and these journeys wrote down is told in the staff's words.
    const token = await tokenOf("sp01");
    const unnamed = new Set<string>();
    for (let n = 1; n <= 6; n++) {
      const { status, data } = await api<{ items: { title: string; changes: { field: string }[] }[] }>(
        token,
        "GET",
        `/api/audit?page=${n}&pageSize=100`,
      );
      expect(status).toBe(200);
      for (const { title, changes } of data.items)
        for (const { field } of changes) if (auditField(field) === field && /^\w+$/.test(field)) unnamed.add(`${field} (${title})`);
    }
    expect([...unnamed]).toEqual([]);
    await page.getByRole("button", { name: "核验完整性" }).click();
    await expect(page.getByRole("status").filter({ hasText: "未被改动" })).toBeVisible();
    await page.locator("tbody tr:visible").first().click();
    await expect(page.getByRole("dialog").getByText("真实操作人")).toBeVisible();
    await page.keyboard.press("Escape");

    await page.goto("/#/account/account?keyword=fin01");
    await page.getByRole("button", { name: "fin01", exact: true }).click();
    const details = page.getByRole("dialog", { name: "账号 fin01" });
    await details.getByLabel("功能", { exact: true }).fill("退款申请");
    await page.locator(".ant-select-item-option").filter({ hasText: "退款申请" }).first().click();
    await expect(details.getByRole("status")).toContainText("岗位没有勾选此项");
  });
});
