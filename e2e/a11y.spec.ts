import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { api } from "./world.ts";

// Every screen in both themes: with data, with nothing, and where its calls fail. No rule of axe is broken, of whatever impact.
// They change nothing and are the longest file: both workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

/**
 * All rules. Only what breaks one is told: to name every node that keeps each rule, and to carry that out of the page and into another
 * one, took eight times as long as looking (4.3 s of 新建广告 against 0.5 s).
 */
const axe = (page: Page) => new AxeBuilder({ page }).setLegacyMode(true).options({ resultTypes: ["violations"] });

/** Looks at what is shown, in light and in dark. */
async function clean(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
    const { violations } = await axe(page).analyze();
    const told = violations.map(
      ({ id, impact, nodes }) =>
        `${id} (${impact}): ${nodes.map(({ target, failureSummary }) => `${String(target)} ${failureSummary}`).join(" | ")}`,
    );
    expect(told, `${what}, ${colorScheme}`).toEqual([]);
  }
}
/** From now on the calls of a screen answer what a server answers that is broken. */
const breakCalls = (page: Page, calls: RegExp) =>
  page.route(calls, (route) =>
    route.fulfill({
      status: 500,
      contentType: "application/problem+json",
      body: JSON.stringify({
        type: "about:blank",
        title: "服务器内部错误",
        status: 500,
        code: "fault",
        traceId: "5f3a9c1e-0000-4000-8000-000000000000",
      }),
    }),
  );
const alert = (page: Page) => page.locator(".view:visible").getByRole("alert").filter({ hasText: "追踪编号" }).first();

const LISTS = {
  支付订单: ["mch01", "/dataCentre/payOrder", /api\/orders\/pay-orders/],
  对账差异: ["sp01", "/reconciliation/bill?view=differences", /api\/reconciliation\/differences/],
  代付统计: ["mch01", "/dataCentre/daifu?view=links", /api\/orders\/friend-pays/],
  订单评价: ["mch01", "/dataCentre/comment", /api\/orders\/comments/],
  商城支付订单: ["mch01", "/reconciliation/pay", /api\/mall\/pay-orders/],
  商城退款订单: ["sp01", "/reconciliation/refund", /api\/mall\/refunds/],
  支付退款订单: ["sp01", "/dataCentre/payRefund", /api\/orders\/refunds/],
  提现记录: ["sp01", "/dataCentre/withdrawal", /api\/commissions\/withdrawals/],
  分润: ["sp01", "/dataCentre/shareProfit", /api\/commissions\/share-profit/],
  服务商收益: ["admin", "/dataCentre/spProfit", /api\/commissions\/provider-profit/],
  退款申请: ["mch01", "/dataCentre/refund", /api\/orders\/refund-requests/],
  分账记录: ["mch01", "/dataCentre/sharing", /api\/profit-sharing\/shares/],
  分账回退: ["mch01", "/dataCentre/sharingReturn", /api\/profit-sharing\/returns/],
  商户: ["sp01", "/merchants/merchants", /api\/organisation\/merchants/],
  门店: ["mch01", "/store/store", /api\/stores/],
  门店分组: ["mch01", "/store/group", /api\/stores\/groups/],
  区域分组: ["mch01", "/store/area", /api\/stores\/areas/],
  其他门店: ["mch01", "/store/other", /api\/stores\/other-stores/],
  微信门店: ["mch01", "/store/wx", /api\/stores\/wx/],
  支付即服务: ["mch01", "/store/payIsService", /api\/stores\/guides/],
  资料补全: ["sp01", "/admin/fullInInfo", /api\/organisation\/full-in/],
  异常门店: ["sp01", "/store/abnormal", /api\/statistics\/abnormal-stores/],
  导出记录: ["mch01", "/dataCentre/exports", /api\/exports/],
  服务商: ["admin", "/admin/serviceProvider", /api\/organisation\/providers/],
  业务集团: ["sp01", "/businessGroup/businessGroup", /api\/organisation\/groups/],
  业务团队: ["sp01", "/businessGroup/businessTeam", /api\/organisation\/teams/],
  业务员: ["sp01", "/salesman/salesman", /api\/organisation\/salesmen/],
  官网: ["sp01", "/admin/officialSite", /api\/organisation\/sites/],
  代理商: ["sp01", "/agent/agent", /api\/organisation\/agents/],
  行业: ["admin", "/admin/trade", /api\/trades/],
  省份: ["admin", "/admin/province", /api\/divisions/],
  城市: ["admin", "/admin/city", /api\/divisions/],
  账号管理: ["sp01", "/account/account", /api\/users\/list/],
  子账号: ["mch01", "/bypass/bypass", /api\/staff/],
  权限管理: ["mch01", "/jurisdiction/permission", /api\/positions/],
  设备列表: ["mch01", "/device/list", /Device\/get_devices/],
  广告设备: ["sp01", "/ad/adDevices", /api\/ad-devices/],
  广告列表: ["sp01", "/ad/list", /Ad\/get_ads/],
  广告素材: ["sp01", "/ad/materials", /Material\/get_materials/],
  设备台账: ["sp01", "/cashier/equipment", /api\/equipment/],
  收银员: ["mch01", "/cashier/cashier", /api\/cashiers/],
  云打印机: ["mch01", "/store/printers", /api\/store-hardware\/printers/],
  云喇叭: ["mch01", "/store/trumpet", /api\/store-hardware\/speakers/],
  操作日志: ["sp01", "/jurisdiction/audit", /api\/audit/],
} as const;

for (const [title, [login, path, calls]] of Object.entries(LISTS))
  test.describe(title, () => {
    test.use({ login });
    test(`${title} with rows, without, and broken`, async ({ page }) => {
      await page.goto(`/#${path}`);
      await expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
      const more = page.getByRole("button", { name: "更多筛选" });
      if ((await more.count()) > 0) await more.click();
      await clean(page, "with rows");
      const and = path.includes("?") ? "&" : "?";
      await page.goto(`/#${path}${and}keyword=NOTHING0000LIKE0THIS`);
      await expect(page.locator(".view:visible .empty")).toBeVisible();
      await clean(page, "nothing found");
      await breakCalls(page, calls);
      await page.goto(`/#${path}${and}keyword=OTHER0000`);
      await expect(alert(page)).toBeVisible();
      await clean(page, "broken");
    });
  });

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

test.describe("广告设备", () => {
  test.use({ login: "sp01" });
  test("what an ad played: along the days, by store, as a table, and broken", async ({ page }) => {
    const { data } = await api<{ id: string }[]>(await sharedToken("sp01"), "GET", "/api/ads/lookup");
    await page.goto(`/#/ad/adDevices?ad_id=${data[0]!.id}`);
    await expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
    await expect(page.locator(".chart canvas, .chart svg").first()).toBeVisible();
    await clean(page, "along the days");
    await page.getByRole("button", { name: "按门店" }).click();
    await page.getByRole("button", { name: "看数据表" }).click();
    await clean(page, "by store, as a table");
    await breakCalls(page, /api\/ad-(devices|statistics)/);
    await page.reload();
    await expect(alert(page)).toBeVisible();
    await clean(page, "broken");
  });
});

for (const [title, path, key, calls] of [
  ["设备配置", "/device/config", "音量", /Device\/get_device_config/],
  ["广告配置", "/ad/config", "视频音量", /Ad\/get_ad_config/],
] as const)
  test.describe(title, () => {
    test.use({ login: "sp01" });
    test(`${title}: the tree, a node, a change before it is saved, the history, nothing found, and broken`, async ({ page }) => {
      await page.goto(`/#${path}`);
      const tree = page.getByRole("tree", { name: "层级" });
      await expect(tree.getByRole("treeitem").nth(2)).toBeVisible();
      await clean(page, "nothing chosen");
      await tree.getByRole("treeitem").first().click();
      await page.getByLabel(key).fill("999");
      await expect(page.getByText(`${key}须为 0 到 100 的整数`)).toBeVisible();
      await clean(page, "a value that does not fit");
      await page.getByLabel(key).fill("44");
      await page.getByRole("button", { name: "查看影响并保存" }).click();
      await expect(
        page
          .getByRole("dialog")
          .getByText(/台设备/)
          .first(),
      ).toBeVisible();
      await clean(page, "before it is saved");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "全部取消" }).click();
      await page.getByRole("button", { name: "修改历史" }).click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await clean(page, "the history");
      await page.keyboard.press("Escape");
      await page.getByLabel("查找节点").fill("NOTHING0LIKE0THIS");
      await expect(page.getByText("没有找到")).toBeVisible();
      await clean(page, "nothing found");
      await breakCalls(page, calls);
      await page.reload();
      await expect(alert(page)).toBeVisible();
      await clean(page, "broken");
    });
  });

test.describe("广告", () => {
  test.use({ login: "sp01" });
  test("新建广告 empty, filled, refused and broken, and an ad's details", async ({ page }) => {
    await page.goto("/#/ad/list/new");
    await expect(page.getByRole("tree", { name: "层级" }).getByRole("treeitem").nth(1)).toBeVisible();
    await clean(page, "a new ad");
    await page.getByRole("button", { name: "选择素材" }).click();
    await expect(page.locator(".pick-card").first()).toBeVisible();
    await clean(page, "choosing materials");
    await page.locator(".pick-card").first().click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "保存", exact: true }).click();
    await expect(page.getByText("请选择投放范围").first()).toBeVisible();
    await clean(page, "refused");
    await page.getByRole("tree", { name: "层级" }).getByRole("treeitem").first().focus();
    await page.keyboard.press("Enter");
    await expect(page.getByText(/覆盖 \d+ 台设备/)).toBeVisible();
    await clean(page, "with its preview");
    await page.goto("/#/ad/list");
    await page.locator("tbody tr:visible").first().click();
    await expect(page.getByRole("dialog").getByText(/覆盖 \d+ 台设备/)).toBeVisible();
    await clean(page, "the details of an ad");
  });
  test("设备广告 of a device, of none, and broken", async ({ page }) => {
    await page.goto("/#/ad/deviceAds");
    await expect(page.locator(".view:visible .empty")).toBeVisible();
    await clean(page, "no device");
    await page.getByRole("combobox", { name: "设备" }).fill("ZF-01-1");
    await page
      .getByTitle(/春熙路店/)
      .first()
      .click();
    await expect(page.getByRole("list", { name: "这一周播放" })).toBeVisible();
    await clean(page, "a device");
    await breakCalls(page, /api\/ads\/on-device/);
    await page.reload();
    await expect(alert(page)).toBeVisible();
    await clean(page, "broken");
  });
});

test.describe("分账", () => {
  test.use({ login: "mch02" });
  test("a share without an answer, and what is recorded of it, with mistakes", async ({ page }) => {
    await page.goto("/#/dataCentre/sharing?status=1");
    await page
      .getByRole("table", { name: "分账记录" })
      .getByRole("button", { name: /^S\d+$/ })
      .last()
      .click();
    const details = page.getByRole("dialog", { name: /^分账 S/ });
    await expect(details).toContainText("渠道超过一天没有给出结果");
    await clean(page, "a share without an answer");
    await details.getByRole("button", { name: "登记结果" }).click();
    const form = page.getByRole("dialog", { name: /^登记结果/ });
    await form.getByLabel("已到账", { exact: true }).check();
    await page.keyboard.press("Control+Enter");
    await expect(form.getByText("请填写")).toBeVisible();
    await clean(page, "a record with mistakes");
  });
});

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
    await page.getByRole("button", { name: /^消息/ }).click();
    await expect(page.getByRole("link", { name: /^未读 / }).first()).toBeVisible();
    await clean(page, "messages");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "设置条件" }).click();
    await expect(page.getByLabel("无订单")).toBeVisible();
    await clean(page, "limits");
  });
});

test.describe("what lies over a page", () => {
  test.use({ login: "mch01" });

  test("an order, its refund, and what comes of it", async ({ page }) => {
    await page.goto("/#/dataCentre/payOrder?refunded=true");
    await page.locator("tbody tr:visible").first().click();
    const drawer = page.getByRole("dialog");
    await expect(drawer.getByRole("table", { name: "账务分录" })).toBeVisible();
    await drawer.getByText(/^渠道交互/).click();
    await clean(page, "an order");
    await page.goto("/#/dataCentre/payOrder?status=2");
    await page.getByRole("button", { name: "退款", exact: true }).first().click();
    await page.getByLabel("退款金额").fill("999999");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText("请填写退款原因")).toBeVisible();
    await clean(page, "a refund with mistakes");
    await page.getByLabel("退款金额").fill("0.01");
    await page.getByLabel("退款原因").fill("看看");
    await page.keyboard.press("Control+Enter");
    await expect(page.getByRole("dialog", { name: "提示" })).toBeVisible();
    await clean(page, "the question before it");
    await page.keyboard.press("Escape");
    await page.goto("/#/dataCentre/payRefund");
    await page.locator("tbody tr:visible").first().click();
    await expect(page.getByRole("dialog").getByText("退款金额")).toBeVisible();
    await clean(page, "a refund");
  });

  test("a decision, a shift, its sheet", async ({ page, browser }) => {
    await page.goto("/#/dataCentre/refund");
    await page.getByRole("table", { name: "退款申请" }).getByRole("button", { name: "审批" }).first().click();
    await page.getByLabel("驳回").check();
    await clean(page, "a decision");
    const clerk = await (
      await browser.newContext({ storageState: signedIn(await sharedToken("mch02")), reducedMotion: "reduce" })
    ).newPage();
    await clerk.goto("/#/dataCentre/storeOrder");
    await expect(clerk.getByText("选择门店，查看上次交班以来的收款")).toBeVisible();
    await clean(clerk, "no store chosen");
    await clerk.getByRole("combobox", { name: "门店" }).click();
    await clerk.locator(".ant-select-item-option").filter({ hasText: "河坊街店" }).click();
    await expect(clerk.getByText("净收款（元）").first()).toBeVisible();
    await clean(clerk, "a shift");
    await clerk.getByRole("button", { name: "交班", exact: true }).click();
    await expect(clerk.getByRole("dialog", { name: /^交班/ })).toBeVisible();
    await clean(clerk, "handing over");
    await clerk.keyboard.press("Escape");
    await clerk.getByRole("button", { name: "打印", exact: true }).first().click();
    await expect(clerk.getByRole("dialog", { name: "打印交班单" })).toBeVisible();
    await clean(clerk, "the sheet on A4");
    await clerk.getByLabel("80 毫米小票").check();
    await clean(clerk, "the sheet on a roll");
    await clerk.context().close();
  });

  test("the palette, the keys, the menus, the calendar, an export", async ({ page }) => {
    await page.goto("/#/dataCentre/payOrder");
    await expect(page.locator("tbody tr:visible").first()).toBeVisible();
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: /搜索/ })).toBeFocused();
    await page.keyboard.insertText("zf");
    await expect(page.getByRole("listbox", { name: "结果" })).toBeVisible();
    await clean(page, "the palette");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "快捷键" })).toBeVisible();
    await clean(page, "the keys");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "列设置" }).click();
    await clean(page, "the columns");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /账号菜单/ }).click();
    await clean(page, "the account");
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: /^导出(，|$)/ })
      .first()
      .click();
    await expect(page.getByRole("link", { name: "查看导出记录" })).toBeVisible();
    await clean(page, "the tray");
    await page.keyboard.press("Escape");
    await page.getByRole("navigation", { name: "已打开的页面" }).getByRole("link", { name: "支付订单" }).click({ button: "right" });
    await clean(page, "the menu of a tab");
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: /^下单时间 / })
      .first()
      .click();
    await expect(page.locator(".ant-picker-dropdown")).toBeVisible();
    await clean(page, "the calendar");
    await page.keyboard.press("Escape");
    await page.locator(".list-tools:visible").getByRole("button", { name: "导出" }).click();
    await expect(page.getByRole("dialog", { name: "导出支付订单" })).toBeVisible();
    await clean(page, "an export");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "收起菜单" }).click();
    await page.getByRole("navigation", { name: "主菜单" }).getByRole("button", { name: "数据中心" }).click();
    await clean(page, "the closed sidebar");
    await page.goto("/#/nowhere");
    await expect(page.getByText("请联系管理员开通")).toBeVisible();
    await clean(page, "a page that is not there");
  });

  test("on a phone: cards, menu, filters, a drawer", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/#/dataCentre/payOrder");
    await expect(page.getByRole("list", { name: "支付订单" })).toBeVisible();
    await clean(page, "cards");
    await page.getByRole("button", { name: "筛选", exact: true }).click();
    await clean(page, "filters");
    await page.getByRole("button", { name: "展开菜单" }).click();
    await clean(page, "the menu");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "退款", exact: true }).first().click();
    await expect(page.getByLabel("退款金额")).toBeVisible();
    await clean(page, "a refund");
  });
});

test("the login, by password and by code, and a link that is used up", async ({ page }) => {
  await page.goto("/#/login");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByRole("alert")).toHaveText("请输入用户名");
  await clean(page, "the password");
  await page.getByRole("tab", { name: "扫码登录" }).click();
  await expect(page.getByRole("img", { name: /二维码/ })).toBeVisible();
  await clean(page, "the code");
  await page.goto("/#/autoLogin?requestId=used-up");
  await expect(page.getByText("登录凭证无效或已使用")).toBeVisible();
  await clean(page, "a link");
});
