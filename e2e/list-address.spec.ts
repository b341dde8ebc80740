import type { Locator, Page, Request } from "@playwright/test";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { api } from "./world.ts";

// A link to a list is the list: filters, page, size, sort and the open drawer, asked for with the very same requests.

interface Case {
  readonly login: string;
  readonly path: string;
  readonly call: string;
  readonly tab?: string;
  readonly paged?: boolean;
  more?(page: Page): Promise<void>;
}
const CASES: Readonly<Record<string, Case>> = {
  支付订单: {
    login: "sp01",
    path: "/dataCentre/payOrder",
    call: "/api/orders/pay-orders",
    tab: "已完成",
    paged: true,
    more: async (page) => {
      await page.getByRole("button", { name: "更多筛选" }).click();
      await choose(page, page.getByRole("combobox", { name: "钱包" }), "微信");
      await choose(page, page.getByRole("combobox", { name: "收款方式" }), "扫码枪");
      await page.getByRole("textbox", { name: "实收金额最低（元）" }).fill("12.5");
      await page.keyboard.press("Enter");
      await choose(page, page.getByRole("combobox", { name: "商户" }), "蜀味川菜");
    },
  },
  支付退款订单: { login: "sp01", path: "/dataCentre/payRefund", call: "/api/orders/refunds", tab: "已退款", paged: true },
  退款申请: { login: "sp01", path: "/dataCentre/refund", call: "/api/orders/refund-requests", tab: "全部" },
  导出记录: { login: "sp01", path: "/dataCentre/exports", call: "/api/exports", tab: "可下载" },
};

/** What a call asked for, without what differs at every call. */
function asked(request: Request): string {
  const { pathname, searchParams } = new URL(request.url());
  for (const name of ["_t", "withTotal"]) searchParams.delete(name);
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}
/** What a page asks for from now on, in the order of asking. */
function listen(page: Page, call: string): string[] {
  const heard: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "GET" && new URL(request.url()).pathname.startsWith(call)) heard.push(asked(request));
  });
  return heard;
}
/** What the list that hangs open offers. */
const optionsOf = (page: Page): Locator => page.locator(".ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option");
async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click();
  await optionsOf(page).filter({ hasText: option }).first().click();
  await settled(page);
}
/** The rows that stand there are those of what was asked last. */
const settled = (page: Page): Promise<void> => expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
/** How far the shown screen is pushed down. */
const scrolled = (page: Page): Promise<number> => page.locator(".view:visible").evaluate((view) => view.scrollTop);
/** Of the list; what a drawer beside it tells comes later. */
const shown = (page: Page): Promise<string[]> => page.locator(".rows tbody tr:visible").allInnerTexts();

for (const [title, { login, path, call, tab, paged, more }] of Object.entries(CASES))
  test(`the address of ${title} opens the same list elsewhere`, async ({ page, browser }) => {
    await page.context().addInitScript((token) => localStorage.setItem("zhangfang_token", token), await sharedToken(login));
    const before = listen(page, call);
    await page.goto(`/#${path}`);
    await settled(page);
    const last30 = page.getByRole("button", { name: "近30天" });
    if ((await last30.count()) > 0) await last30.click();
    await settled(page);
    if (tab) await page.getByRole("group", { name: "按状态查看" }).getByRole("button", { name: tab }).click();
    await more?.(page);
    const sorter = page.locator("button.sorter").first();
    if ((await sorter.count()) > 0) await sorter.click();
    await settled(page);
    if (paged) {
      await page.getByRole("button", { name: "下一页" }).click();
      await expect(page.getByText(/^第 2/)).toBeVisible();
      await settled(page);
      // In a window too low for ten rows, pushed down: back is back to the same row.
      await page.setViewportSize({ width: 1440, height: 480 });
      await page.locator("tbody tr:visible").nth(6).scrollIntoViewIfNeeded();
      await page.locator("tbody tr:visible").nth(6).click();
      await expect(page.getByRole("dialog").getByRole("heading", { level: 2 })).toContainText(/[PR]\d{10}/);
    }
    const rows = await shown(page);
    const down = await scrolled(page);
    if (paged) expect(down).toBeGreaterThan(0);

    const context = await browser.newContext({ storageState: signedIn(await sharedToken(login)) });
    const elsewhere = await context.newPage();
    const after = listen(elsewhere, call);
    await elsewhere.goto(page.url());
    await settled(elsewhere);
    await expect.poll(() => shown(elsewhere)).toEqual(rows);
    const list = before.findLast((one) => one.startsWith(`${call}?`));
    await expect.poll(() => after).toContain(list);
    for (const other of ["summary", "refunds/", "pay-orders/"].map((part) => before.findLast((one) => one.includes(`/${part}`))))
      if (other) await expect.poll(() => after).toContain(other);
    expect(await elsewhere.locator(".chip:visible").allInnerTexts()).toEqual(await page.locator(".chip:visible").allInnerTexts());
    if (paged) {
      expect(await elsewhere.getByRole("dialog").getByRole("heading", { level: 2 }).innerText()).toBe(
        await page.getByRole("dialog").getByRole("heading", { level: 2 }).innerText(),
      );
      // Back goes to the list as it was, not out of it.
      await page.keyboard.press("Escape");
      await page.goBack();
      await expect(page.getByRole("dialog")).toBeVisible();
      await page.goBack();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(page.getByText(/^第 2/)).toBeVisible();
      expect(await scrolled(page)).toBe(down);
    }
    await context.close();
  });

test("the store and the cashier of 门店收款 stand in its address", async ({ browser }) => {
  const storageState = signedIn(await sharedToken("mch01"));
  const [here, there] = [await browser.newContext({ storageState }), await browser.newContext({ storageState })];
  const page = await here.newPage();
  await page.goto("/#/dataCentre/storeOrder");
  // It opens on a store by itself, in the address.
  await expect(page).toHaveURL(/storeId=/);
  await expect(page.locator(".view:visible .totals").getByText("截至")).toBeVisible();
  await page.getByRole("combobox", { name: "门店" }).click();
  await optionsOf(page).filter({ hasText: "天府三街店" }).click();
  await expect(page.getByText("净收款（元）").first()).toBeVisible();
  await page.getByRole("combobox", { name: "收银员" }).click();
  await optionsOf(page).last().click();
  await expect(page).toHaveURL(/storeId=.*cashierId=/);
  const figures = page.locator(".stat-value");
  const elsewhere = await there.newPage();
  await elsewhere.goto(page.url());
  await expect(elsewhere.locator(".stat-value").first()).toBeVisible();
  await expect.poll(() => elsewhere.locator(".stat-value").allInnerTexts()).toEqual(await figures.allInnerTexts());
  await expect(elsewhere.getByText("天府三街店").first()).toBeVisible();
  await here.close();
  await there.close();
});

/** Lists whose drawers take the row as the list has it: where each stands, how a drawer is opened there, whence a row, and what the drawer says of it. */
const OVER_A_LIST: readonly (readonly [title: string, path: string, open: string, list: string, says: string])[] = [
  ["云打印机", "/store/printers", "id=", "/api/store-hardware/printers", "sn"],
  ["云喇叭", "/store/trumpet", "panel=edit:", "/api/store-hardware/speakers", "name"],
  ["微信应用", "/wxCRM/app", "id=", "/api/wx-apps", "name"],
  ["微信粉丝", "/wxCRM/fans", "id=", "/api/wx-fans", "no"],
  ["渠道码", "/wxCRM/fans?view=channels", "id=", "/api/wx-fans/channels", "name"],
  ["商品标签", "/product/tag", "panel=edit:", "/api/product-tags", "code"],
  ["红字发票", "/invoice/merchant?view=reds", "id=", "/api/invoices/reds", "title"],
  ["开票主体", "/invoice/merchant", "panel=stores:", "/api/invoices/tax-subjects", "name"],
  ["会员卡授权", "/memberCard/setAuth", "panel=edit:", "/api/member-cards/grants", "name"],
  ["操作日志", "/jurisdiction/audit", "id=", "/api/audit", "title"],
  ["平台商品", "/plat-dy/goods", "panel=serve:", "/api/platforms/goods?platform=dy", "title"],
];
test.describe("a merchant", () => {
  test.use({ login: "mch01" });
  test("the address of a row opens its drawer under a filter that does not show it", async ({ page }) => {
    for (const [title, path, open, list, says] of OVER_A_LIST)
      await test.step(title, async () => {
        const { data } = await api<{ items: Record<string, string>[] }>(await sharedToken("mch01"), "GET", list);
        const row = data.items[0]!;
        await page.goto(`/#${path}${path.includes("?") ? "&" : "?"}keyword=NOTHING0000&${open}${row["id"]}`);
        await expect(page.getByRole("dialog").last()).toContainText(row[says]!);
        await expect(page.locator(".view:visible .empty")).toBeVisible();
        await expect(page.locator(".view:visible").getByText(row[says]!, { exact: true })).toHaveCount(0);
      });
  });
});
