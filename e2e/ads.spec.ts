import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./journey.ts";

const cell = (page: Page, weekday: string, hour: number): Locator =>
  page.getByRole("grid", { name: "播放时段" }).getByRole("gridcell", { name: new RegExp(`^${weekday} ${hour} 点`) });
/** Draws from one cell to another as a hand does. */
async function draw(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.hover();
  await page.mouse.down();
  await to.hover();
  await page.mouse.up();
}

test.describe("a provider", () => {
  test.use({ login: "sp01" });

  test("makes an ad by painting its week, sees whom it reaches and meets, and it plays and is taken back", async ({ page }) => {
    await page.goto("/#/ad/list");
    await page.getByRole("link", { name: "新建广告" }).click();
    await page.getByLabel("名称", { exact: true }).fill("午市套餐");
    await page.getByRole("button", { name: "选择素材" }).click();
    const picking = page.getByRole("dialog", { name: "选择素材" });
    await picking.getByRole("button", { name: /新品试吃海报/ }).click();
    await picking.getByRole("button", { name: /早餐招牌海报/ }).click();
    await picking.getByRole("button", { name: "完成" }).click();
    await page.getByRole("button", { name: "上移 早餐招牌海报" }).click();
    await page.getByLabel("早餐招牌海报 停留秒数").fill("8");
    // Cleared, painted with the mouse, and one hour more with the keyboard.
    await page.getByRole("button", { name: "清空" }).click();
    await cell(page, "周一", 11).scrollIntoViewIfNeeded();
    await draw(page, cell(page, "周一", 11), cell(page, "周三", 12));
    await expect(page.getByLabel("第 1 段开始")).toHaveValue("11:00");
    await expect(page.getByLabel("第 1 段结束")).toHaveValue("13:00");
    await cell(page, "周一", 12).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    await expect(page.getByLabel("第 1 段结束")).toHaveValue("14:00");
    await page.getByLabel("第 1 段结束").fill("13:30");
    await page.keyboard.press("Tab");
    await expect(cell(page, "周二", 13)).toHaveAccessibleName(/投放 30 分钟/);
    // Under one merchant: the tree is opened and searched.
    const tree = page.getByRole("tree", { name: "层级" });
    await tree
      .getByRole("treeitem", { name: /蜀味川菜/ })
      .getByRole("button", { name: /蜀味川菜/ })
      .click();
    const preview = page.getByRole("region", { name: "投放预览" });
    await expect(preview.getByText(/覆盖 12 台设备/)).toBeVisible();
    await expect(preview.getByText("会员储值有礼")).toBeVisible();
    await expect(preview.getByText("轮流播放")).toBeVisible();
    await page.getByLabel("优先级", { exact: true }).click();
    await page.getByTitle("7", { exact: true }).click();
    await expect(preview.getByText("会替代", { exact: true })).toBeVisible();
    await page.getByRole("radiogroup").getByText("启用").click();
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(page.getByText("已保存广告")).toBeVisible();

    const row = page.getByRole("row", { name: /午市套餐/ });
    await expect(row).toContainText("11:00–13:30");
    await expect(row).toContainText("商户 蜀味川菜");
    await row.getByRole("button", { name: "暂停" }).click();
    await expect(page.getByText("已暂停「午市套餐」")).toBeVisible();
    await expect(row.getByRole("button", { name: "启用" })).toBeVisible();
    await page.getByRole("button", { name: "撤销" }).click();
    await expect(page.getByText("已启用「午市套餐」")).toBeVisible();
    await expect(row.getByRole("button", { name: "暂停" })).toBeVisible();
    await row.getByRole("button", { name: "午市套餐", exact: true }).click();
    const details = page.getByRole("dialog", { name: "广告详情" });
    await expect(details.getByRole("grid", { name: "一周播放" })).toBeVisible();
    await expect(details.getByText("新建广告").first()).toBeVisible();
    await details.getByRole("button", { name: "删除" }).click();
    const question = page.getByRole("dialog", { name: "提示" });
    await expect(question).toContainText("删除广告「午市套餐」？设备立即停止播放");
    await question.getByRole("button", { name: "删除广告" }).click();
    await expect(page.getByText("已删除「午市套餐」")).toBeVisible();
    await expect(row).toHaveCount(0);
  });

  test("is told which material keeps an ad from being enabled, changes several at once, and copies one", async ({ page }) => {
    await page.goto("/#/ad/list");
    const waiting = page.getByRole("row", { name: /冬季暖饮/ });
    await expect(waiting.getByRole("button", { name: "启用" })).toBeDisabled();
    await expect(waiting.getByRole("button", { name: "启用" })).toHaveAttribute("title", /素材「冬季暖饮海报」还没有审核/);
    for (const name of ["冬季暖饮", "早餐招牌"])
      await page
        .getByRole("row", { name: new RegExp(name) })
        .getByRole("checkbox")
        .check();
    const batch = page.getByRole("region", { name: "批量操作" });
    await batch.getByRole("button", { name: "启用" }).click();
    await expect(page.getByText(/1 个没有启用。「冬季暖饮」不能启用/)).toBeVisible();
    await page
      .getByRole("row", { name: /早餐招牌/ })
      .getByRole("link", { name: "复制" })
      .click();
    await expect(page.getByLabel("名称", { exact: true })).toHaveValue("早餐招牌 副本");
    await expect(page.getByRole("heading", { name: "新建广告", level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(page.getByRole("row", { name: /早餐招牌 副本/ })).toContainText("暂停");
  });

  test("of two who change one ad the second hears who and what", async ({ page, context }) => {
    await page.goto("/#/ad/list");
    await page
      .getByRole("row", { name: /会员储值有礼/ })
      .getByRole("link", { name: "修改" })
      .click();
    await expect(page.getByLabel("名称", { exact: true })).toHaveValue("会员储值有礼");
    const other = await context.newPage();
    await other.goto(page.url());
    await other.getByLabel("占比").fill("3");
    await other.getByRole("button", { name: "保存", exact: true }).click();
    await other.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "保存" }).click();
    await expect(other.getByText("已保存广告")).toBeVisible();
    await page.getByLabel("名称", { exact: true }).fill("会员储值有礼了");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "保存" }).click();
    await expect(page.getByText(/刚修改了「会员储值有礼」的占比，请重新打开后再改/).first()).toBeVisible();
  });
});

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("sees for a device what plays through the week, whose it is, and why the rest does not", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/#/ad/deviceAds");
    await page.getByRole("combobox", { name: "设备" }).fill("ZF-01-1");
    await page
      .getByTitle(/收银机 · 春熙路店/)
      .first()
      .click();
    await expect(page.getByRole("list", { name: "这一周播放" }).getByRole("listitem")).toHaveCount(7);
    await expect(page.getByText("刷脸支付安全提示").first()).toBeVisible();
    const every = page.getByRole("list", { name: "每个广告" });
    await expect(every.or(page.getByRole("table", { name: "每个广告" }))).toContainText("全平台");
    await page.reload();
    await expect(page.getByText("早餐招牌").first()).toBeVisible();
  });
});
