import { expect, test } from "../journey.ts";
import { alert, breakCalls, clean } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

test.describe("home pages", () => {
  for (const [login, title, calls, path] of [
    ["mch01", "昨日经营", /api\/statistics\/overview/, "/?range=week"],
    ["admin", "数据看板", /api\/statistics\/dashboard/, "/?by=week"],
  ] as const)
    test.describe(login, () => {
      test.use({ login });
      test(`the home of ${login}`, async ({ page }) => {
        await page.goto("/#/");
        await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
        await expect(page.locator(".stat-value").first()).toBeVisible();
        await expect(page.locator(".chart canvas, .chart svg").first()).toBeVisible();
        await clean(page, "with figures");
        await page
          .getByRole("button", { name: /数据表/ })
          .first()
          .click();
        await clean(page, "charts as tables");
        await breakCalls(page, calls);
        await page.goto(`/#${path}`);
        await expect(alert(page)).toBeVisible();
        await clean(page, "broken");
      });
    });
});

test.describe("reports", () => {
  for (const [login, title, path] of [
    ["sp01", "支付统计", "/dataCentre/payStatistics?against=week"],
    ["mch01", "销售情况", "/dataCentre/sales?show=payCount"],
  ] as const)
    test.describe(title, () => {
      test.use({ login });
      test(`${title} with rows, one taken apart, without, and broken`, async ({ page }) => {
        await page.goto(`/#${path}`);
        const table = page.getByRole("table", { name: title, exact: true });
        await expect(table.getByRole("row").last()).toContainText("合计");
        await expect(page.locator(".chart canvas, .chart svg").first()).toBeVisible();
        await clean(page, "with rows");
        await table.locator("tbody .link").first().click();
        await expect(page.getByRole("dialog").getByRole("table", { name: "金额构成" })).toBeVisible();
        await clean(page, "one figure");
        await page.goto(`/#${path}&by=store`);
        await expect(page.getByRole("list", { name: "门店实收" })).toBeVisible();
        await clean(page, "by store");
        await page.goto(`/#${path}&from=2020-01-01&to=2020-01-02`);
        await expect(page.locator(".view:visible .empty")).toBeVisible();
        await clean(page, "nothing found");
        await breakCalls(page, /api\/statistics\/takings/);
        await page.goto(`/#${path}&from=2020-02-01&to=2020-02-02`);
        await expect(alert(page)).toBeVisible();
        await clean(page, "broken");
      });
    });
});

test.describe("商户收益", () => {
  test.use({ login: "sp01" });
  test("商户收益 with rows, without, and broken", async ({ page }) => {
    await page.goto("/#/dataCentre/merchantsProfit?by=both");
    await expect(page.getByRole("table", { name: "商户收益", exact: true }).getByRole("row").last()).toContainText("合计");
    await clean(page, "with rows");
    await page.goto("/#/dataCentre/merchantsProfit?from=2020-01-01&to=2020-01-02");
    await expect(page.locator(".view:visible .empty")).toBeVisible();
    await clean(page, "nothing found");
    await breakCalls(page, /api\/statistics\/merchants-profit/);
    await page.goto("/#/dataCentre/merchantsProfit?from=2020-02-01&to=2020-02-02");
    await expect(alert(page)).toBeVisible();
    await clean(page, "broken");
  });
});

test.describe("粉丝汇总", () => {
  test.use({ login: "mch01" });
  test("粉丝汇总 by day and source with rows, the rows behind a figure, without, and broken", async ({ page }) => {
    for (const by of ["day", "source", "store"]) {
      await page.goto(`/#/wxCRM/fansSummary?by=${by}`);
      await expect(page.locator(".view:visible .stat-value").first()).toBeVisible();
      await expect(page.locator(".view:visible tbody tr").first()).toBeVisible();
      await clean(page, `by ${by}`);
    }
    await page.goto("/#/wxCRM/fansSummary?view=rows&part=total&by=day");
    await expect(page.locator(".view:visible tbody tr").first()).toBeVisible();
    await clean(page, "the rows behind");
    await page.goto("/#/wxCRM/fansSummary?from=2010-01-01&to=2010-01-02");
    await expect(page.locator(".view:visible .empty")).toBeVisible();
    await clean(page, "nothing found");
    await breakCalls(page, /api\/wx-fans\/figures/);
    await page.goto("/#/wxCRM/fansSummary?from=2010-02-01&to=2010-02-02");
    await expect(alert(page)).toBeVisible();
    await clean(page, "broken");
  });
});
