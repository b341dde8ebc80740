import type { Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";

// Who looks after whom: merchants change hands, and what was sold before stays where it was.
test.use({ login: "sp02" });

const row = (page: Page, name: string) => page.getByRole("table", { name: "业务员" }).getByRole("row").filter({ hasText: name });
/** Cells of a salesman's row by the head of their column. */
async function cell(page: Page, name: string, head: string): Promise<string> {
  const heads = await page.getByRole("table", { name: "业务员" }).getByRole("columnheader").allInnerTexts();
  return (
    await row(page, name)
      .getByRole("cell")
      .nth(heads.findIndex((one) => one.startsWith(head)))
      .innerText()
  ).trim();
}

test("a salesman is added with the keyboard alone, gets a merchant from a day on, and at once after that was cancelled", async ({
  page,
}) => {
  await page.goto("/#/salesman/salesman");
  await page.getByRole("button", { name: "新建业务员" }).first().focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "新建业务员" })).toBeVisible();
  await expect(page.getByLabel("姓名")).toBeFocused();
  await page.keyboard.type("沈接手");
  await page.keyboard.press("Tab");
  await page.keyboard.type("13912345678");
  for (let n = 0; n < 5 && !(await page.getByLabel("登录名").evaluate((field) => field === document.activeElement)); n++)
    await page.keyboard.press("Tab");
  await page.keyboard.type("sale.shen");
  await page.keyboard.press("Control+Enter");
  const made = page.getByRole("dialog", { name: "业务员 sale.shen 已建好" });
  await expect(made).toContainText("初始密码只显示这一次");
  await page.keyboard.press("Escape");
  await expect(row(page, "沈接手")).toContainText("139****5678");
  const before = await cell(page, "钱塘", "本月交易");

  await row(page, "钱塘").getByRole("button", { name: "移交" }).click();
  const form = page.getByRole("dialog", { name: "移交 钱塘 的商户" });
  await form.getByLabel("移交给").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "沈接手" }).click();
  const inAWeek = new Date(Date.now() + 7 * 86_400_000 + 8 * 3_600_000).toISOString().slice(0, 10);
  await form.getByLabel("生效日期").fill(inAWeek);
  await clean(page, "移交商户", ".drawer");
  await form.getByRole("button", { name: "移交 1 家商户" }).click();
  await expect(page.getByRole("dialog", { name: "提示" })).toContainText(`${inAWeek} 0 点起生效`);
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "移交", exact: true }).click();
  await expect(page.getByText(`1 家商户将从 ${inAWeek} 起移交`)).toBeVisible();
  expect(await cell(page, "钱塘", "商户")).toBe("1");

  await row(page, "钱塘").getByRole("button", { name: "钱塘" }).click();
  const planned = page.getByRole("table", { name: "预约移交" });
  await expect(planned).toContainText("业务员 → 沈接手");
  await planned.getByRole("button", { name: "取消移交" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "取消移交" }).click();
  await expect(planned).toHaveCount(0);

  await page.getByRole("dialog", { name: "钱塘" }).getByRole("button", { name: "移交商户" }).click();
  await form.getByLabel("移交给").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "沈接手" }).click();
  await form.getByRole("button", { name: "移交 1 家商户" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "移交", exact: true }).click();
  await expect(page.getByText("已移交 1 家商户")).toBeVisible();
  await page.goto("/#/salesman/salesman?state=active");
  await expect.poll(() => cell(page, "沈接手", "商户")).toBe("1");
  expect(await cell(page, "钱塘", "商户")).toBe("0");
  expect(await cell(page, "钱塘", "本月交易")).toBe(before);
  expect(await cell(page, "沈接手", "本月交易")).toBe("0.00");
});

test("a team moves to a new group, and its merchants and salesmen with it", async ({ page }) => {
  await page.goto("/#/businessGroup/businessGroup?panel=add");
  const form = page.getByRole("dialog", { name: "新建业务集团" });
  await form.getByLabel("集团名称").fill("浙东业务集团");
  await form.getByLabel("负责人").fill("俞东");
  await form.getByLabel("登录名").fill("group.zhedong");
  await clean(page, "新建业务集团", ".drawer");
  await form.getByRole("button", { name: "新建业务集团" }).click();
  await expect(page.getByRole("dialog", { name: "业务集团 group.zhedong 已建好" })).toBeVisible();
  await page.keyboard.press("Escape");

  await page.goto("/#/businessGroup/businessTeam");
  await page
    .getByRole("table", { name: "业务团队" })
    .getByRole("row")
    .filter({ hasText: "杭州团队" })
    .getByRole("button", { name: "转集团" })
    .click();
  const move = page.getByRole("dialog", { name: "转移团队 杭州团队" });
  await expect(move).toContainText("现属 服务商直属");
  await move.getByLabel("转到集团").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "浙东业务集团" }).click();
  await clean(page, "转移团队", ".drawer");
  await move.getByRole("button", { name: "转移团队和 1 家商户" }).click();
  const question = page.getByRole("dialog", { name: "提示" });
  await expect(question).toContainText("1 家商户、1 名业务员的集团随之变更");
  await question.getByRole("button", { name: "转移" }).click();
  await expect(page.getByText("已转移，1 家商户、1 名业务员随团队转移")).toBeVisible();
  await page.goto("/#/businessGroup/businessGroup");
  const moved = page.getByRole("table", { name: "业务集团" }).getByRole("row").filter({ hasText: "浙东业务集团" });
  await expect(moved.getByRole("cell").nth(3)).toHaveText("1");
  await expect(moved.getByRole("cell").nth(4)).toHaveText("1");
});

test("an agent comes with its account, and its address opens what it is", async ({ page }) => {
  await page.goto("/#/agent/agent?panel=add:new");
  const form = page.getByRole("dialog", { name: "新建代理商" });
  await form.getByLabel("代理商名称").fill("西溪代理");
  await form.getByLabel("分润比例").fill("20");
  await form.getByLabel("联系人").fill("顾西溪");
  await form.getByLabel("联系电话").fill("13912345679");
  await form.getByLabel("登录名").fill("agent.xixi");
  await form.getByRole("button", { name: "新建代理商" }).click();
  await expect(page.getByRole("dialog", { name: /agent\.xixi 已建好/ })).toContainText("初始密码只显示这一次");
  await page.keyboard.press("Escape");
  const agents = page.getByRole("table", { name: "代理商" });
  await agents.getByRole("row").filter({ hasText: "西溪代理" }).getByRole("button", { name: "西溪代理" }).click();
  const detail = page.getByRole("dialog", { name: "西溪代理" });
  await expect(detail).toContainText("139****5679");
  await page.reload();
  await expect(detail).toContainText("139****5679");
});
