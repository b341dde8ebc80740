import { openXlsx } from "@zhangfang/server/lists/xlsx-writer.ts";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { api } from "./world.ts";

interface Member {
  readonly id: string;
  readonly memberNo: string;
  readonly name: string;
  readonly phone: string;
  readonly stage: number;
}
async function members(): Promise<Member[]> {
  const { data } = await api<{ items: Member[] }>(await sharedToken("mch01"), "GET", "/api/members?status=1&stage=1&pageSize=50");
  return data.items.filter(({ name, phone }) => name !== "" && phone !== "");
}
async function workbook(rows: readonly (readonly string[])[]) {
  const pieces: Buffer[] = [];
  const columns = ["会员号*", "积分*"].map((label) => ({ label, kind: "text" as const, width: 14 }));
  const book = await openXlsx(async (bytes) => void pieces.push(Buffer.from(bytes)), { sheetName: "名单", columns });
  await book.write(rows);
  await book.end();
  return { name: "旅程名单.xlsx", mimeType: "application/octet-stream", buffer: Buffer.concat(pieces) };
}

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("reads a rule as a sentence while it is typed, and saves it as the next version", async ({ page }) => {
    await page.goto("/#/member/pointRule");
    await page.getByLabel("得", { exact: true }).fill("3");
    const said = page.getByRole("complementary", { name: "这条规则" });
    await expect(said.getByText(/得 3 积分/).first()).toBeVisible();
    await page.getByLabel("每次用它的整数倍").fill("0");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(page.getByText("积分须大于 0")).toBeVisible();
    await page.getByLabel("每次用它的整数倍").fill("100");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    const question = page.locator("dialog.ask");
    await expect(question).toContainText("得 3 积分");
    await question.getByRole("button").last().click();
    await expect(page.getByText("积分规则已保存，从下一笔起生效")).toBeVisible();
    await expect(said.getByText("第 2 版")).toBeVisible();
    await clean(page, "积分规则");
  });

  test("adds points by hand, finds them by the phone's last four with the member's name, sees the entry, and exports", async ({ page }) => {
    const someone = (await members()).at(-1)!;
    await page.goto("/#/member/pointsAdd?panel=adjust:new");
    const adjust = page.getByRole("dialog", { name: "调整积分" });
    await adjust.getByLabel("会员号").fill(someone.memberNo);
    await adjust.getByLabel("积分", { exact: true }).fill("66");
    await adjust.getByLabel("说明").fill("旅程补偿");
    await adjust.getByRole("button", { name: "提交" }).click();
    await page.locator("dialog.ask").getByRole("button").last().click();
    await expect(page.getByText("已调整 66 积分")).toBeVisible();

    await page.goto(`/#/member/pointsAdd?keyword=${someone.phone.slice(-4)}`);
    const row = page.getByRole("row").filter({ hasText: "旅程补偿" }).first();
    await expect(row.getByRole("link", { name: `${someone.name} · ${someone.phone}` })).toBeVisible();
    await clean(page, "积分调整");
    await row.getByRole("button", { name: someone.memberNo, exact: true }).click();
    const ledger = page.getByRole("dialog", { name: "积分明细" });
    await expect(ledger.getByRole("row").filter({ hasText: "66" }).first()).toBeVisible();
    await expect(ledger.getByText(someone.phone)).toBeVisible();
    await page.keyboard.press("Escape");

    // The summary counts it, and leads back to it.
    await page.goto("/#/dataCentre/points");
    const summary = page.locator(".view:visible");
    await summary.getByRole("button", { name: "按原因" }).click();
    await expect(page).toHaveURL(/by=reason/);
    await page.reload();
    await expect(summary.getByRole("link", { name: "活动奖励" })).toBeVisible();
    await clean(page, "积分汇总", ".view");
    await summary.getByRole("link", { name: "活动奖励" }).click();
    await expect(page.getByRole("row").filter({ hasText: "旅程补偿" }).first()).toBeVisible();

    await page.locator(".view:visible").getByRole("button", { name: "导出", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "导出积分调整" });
    await dialog.getByRole("button", { name: "开始导出" }).click();
    await page.getByRole("button", { name: "查看导出记录" }).click();
    const file = page.getByRole("table", { name: "导出记录" }).getByRole("row").filter({ hasText: "积分调整" }).first();
    await expect(file.getByText("可下载")).toBeVisible({ timeout: 30_000 });

    await page.goto(`/#/member/pointsAdd?keyword=${someone.phone.slice(-4)}`);
    await page
      .getByRole("link", { name: `${someone.name} · ${someone.phone}` })
      .first()
      .click();
    await expect(page.getByText(`会员号 ${someone.memberNo}`)).toBeVisible();
  });

  test("sends points by a sheet, each row with its result, and by what members are", async ({ page }) => {
    const [first, second] = await members();
    await page.goto("/#/member/batchPoints?panel=add:new");
    const task = page.getByRole("dialog", { name: "新建批量积分任务" });
    await task.locator("input[type=file]").setInputFiles(
      await workbook([
        [first!.memberNo, "7"],
        [second!.memberNo, "8"],
        ["1000000000", "9"],
      ]),
    );
    await expect(task.getByText("已读取 3 人")).toBeVisible();
    await task.getByRole("button", { name: "开始发放" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "发给 3 人" }).click();
    const made = page.getByRole("dialog", { name: "批量积分任务" });
    await expect(made.getByText("没有此会员")).toBeVisible();
    await made.getByRole("group", { name: "名单里的" }).getByRole("button", { name: "全部" }).click();
    await expect(made.getByRole("row").filter({ hasText: first!.memberNo })).toContainText(first!.phone);
    await expect(made.getByRole("button", { name: "导出" })).toBeVisible();
    await clean(page, "批量积分任务");
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/#/member/batchPoints?panel=add:new");
    await task.getByRole("button", { name: "按条件选会员" }).click();
    await task.getByLabel("标签").fill("没有人有的");
    await task.getByLabel("每人积分").fill("5");
    await task.getByLabel("任务名称").fill("旅程按条件");
    await task.getByRole("button", { name: "开始发放" }).click();
    await page.locator("dialog.ask").getByRole("button", { name: "每人发 5 积分" }).click();
    await expect(task.getByText("没有符合条件的会员")).toBeVisible();
    await clean(page, "新建批量积分任务");
  });

  test("sees what ends next and for whom, and what clearing at once would take", async ({ page }) => {
    await page.goto("/#/vip-member/integralReset");
    await expect(page.getByText(/位会员的 .* 分到期/)).toBeVisible();
    await expect(page.getByText("名单", { exact: false }).first()).toBeVisible();
    await page.goto("/#/vip-member/integralReset?panel=ask:new");
    const ask = page.getByRole("dialog", { name: "立即清零" });
    await expect(ask.getByText(/现在有 .* 位会员的 .* 积分/)).toBeVisible();
    await ask.getByRole("button", { name: "提交审核" }).click();
    await expect(ask.getByText("请填写原因")).toBeVisible();
    await clean(page, "积分清零");
  });
});
