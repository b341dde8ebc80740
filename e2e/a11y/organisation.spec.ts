import { expect, test } from "../journey.ts";
import { clean, lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([
  ["商户", "sp01", "/merchants/merchants", /api\/organisation\/merchants/],
  ["资料补全", "sp01", "/admin/fullInInfo", /api\/organisation\/full-in/],
  ["服务商", "admin", "/admin/serviceProvider", /api\/organisation\/providers/],
  ["业务集团", "sp01", "/businessGroup/businessGroup", /api\/organisation\/groups/],
  ["业务团队", "sp01", "/businessGroup/businessTeam", /api\/organisation\/teams/],
  ["业务员", "sp01", "/salesman/salesman", /api\/organisation\/salesmen/],
  ["数据推送", "sp01", "/admin/dataPush", /api\/push\/endpoints/],
  ["官网", "sp01", "/admin/officialSite", /api\/organisation\/sites/],
  ["代理商", "sp01", "/agent/agent", /api\/organisation\/agents/],
  ["行业", "admin", "/admin/trade", /api\/trades/],
  ["省份", "admin", "/admin/province", /api\/divisions/],
  ["城市", "admin", "/admin/city", /api\/divisions/],
]);

test.describe("what lies over a provider's page", () => {
  test.use({ login: "sp01" });

  test("an import, its lines, the messages, and the limits of abnormal stores", async ({ page }) => {
    await page.goto("/#/merchants/merchants?panel=import:new");
    const file = page.locator("input[type=file]");
    await expect(page.getByRole("button", { name: "下载模板" })).toBeVisible();
    await clean(page, "an import");
    const text = "商户名称,商户简称,联系人,联系电话,登录名\n看看茶业,看看,陆羽,1,look-at-it\n";
    await file.setInputFiles({ name: "商户.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await expect(page.getByLabel("第 2 行 联系电话")).toBeVisible();
    await clean(page, "a line with a mistake");
    await page.goto("/#/store/abnormal");
    await expect(page.locator(".view:visible").getByRole("heading", { level: 1 })).toHaveText("异常门店");
    await page.getByRole("button", { name: /^消息/ }).click();
    await expect(page.getByRole("link", { name: /^未读 / }).first()).toBeVisible();
    await clean(page, "messages");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "设置条件" }).click();
    await expect(page.getByLabel("无订单")).toBeVisible();
    await clean(page, "limits");
  });
});
