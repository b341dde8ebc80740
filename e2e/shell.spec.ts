import type { Locator, Page } from "@playwright/test";
import { expect, sharedToken, signedIn, test } from "./journey.ts";

test.use({ login: "mch03" });

const sidebar = (page: Page): Locator => page.getByRole("navigation", { name: "主菜单" });
const strip = (page: Page): Locator => page.getByRole("navigation", { name: "已打开的页面" });
const heading = (page: Page, name: string): Locator => page.getByRole("heading", { name, level: 1 });
const orders = (page: Page): Locator => page.getByRole("table", { name: "支付订单" });
/** Chooses from the menu of a visited tab. */
async function ofTab(page: Page, tab: string, choice: string): Promise<void> {
  await strip(page).getByRole("link", { name: tab, exact: true }).click({ button: "right" });
  await page
    .getByRole("menu", { name: `${tab}的页签菜单` })
    .getByRole("menuitem", { name: choice, exact: true })
    .click();
}

test("the sidebar is 210 or 64 wide, remembers it in its cookie, and closes on a narrow window", async ({ page, context }) => {
  const width = async (): Promise<number> => Math.round((await sidebar(page).boundingBox())!.width);
  const cookie = async (): Promise<string | undefined> => (await context.cookies()).find(({ name }) => name === "sidebarStatus")?.value;
  await page.goto("/#/");
  await expect.poll(width).toBe(210);
  await page.getByRole("button", { name: "收起菜单" }).click();
  await expect.poll(width).toBe(64);
  expect(await cookie()).toBe("0");
  await page.reload();
  await expect.poll(width).toBe(64);
  // Closed, it still leads everywhere.
  await sidebar(page).getByRole("button", { name: "数据中心" }).click();
  await page.getByRole("link", { name: "支付退款订单" }).click();
  await expect(heading(page, "支付退款订单")).toBeVisible();
  await page.getByRole("button", { name: "展开菜单" }).click();
  await expect.poll(width).toBe(210);
  expect(await cookie()).toBe("1");
  await page.setViewportSize({ width: 991, height: 800 });
  await expect.poll(width).toBe(64);
  await page.setViewportSize({ width: 992, height: 800 });
  await expect.poll(width).toBe(210);
  await expect(page.locator(".shell")).toHaveAttribute("data-device", "desktop");
  await page.setViewportSize({ width: 767, height: 800 });
  await expect(page.locator(".shell")).toHaveAttribute("data-device", "mobile");
});

test("of more than twelve pages the one not seen for longest is let go, with all that it held", async ({ page }) => {
  test.setTimeout(240_000);
  const routes = [
    ...["payOrder", "payRefund", "refund", "payStatistics", "storeOrder", "sales", "comment", "couponDetail", "points", "exports"].map(
      (name) => `dataCentre/${name}`,
    ),
    "store/store",
    "store/printers",
    "cashier/cashier",
    "member/member",
    "memberCard/card",
  ];
  const session = await page.context().newCDPSession(page);
  /** What the browser still holds once it has swept. */
  const held = async (): Promise<number> => {
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Memory.getDOMCounters")).nodes;
  };
  const walk = async (): Promise<void> => {
    for (const route of routes) {
      await page.goto(`/#/${route}`);
      await expect(page.locator(".view:visible h1")).toBeVisible();
      await expect(page.locator(".view:visible").getByRole("status", { name: "正在加载" })).toHaveCount(0);
    }
  };
  await page.goto("/#/");
  await walk();
  const tabs = strip(page).getByRole("link");
  await expect(tabs).toHaveCount(12);
  await expect(tabs.filter({ hasText: "概览" })).toHaveCount(1);
  await expect(tabs.filter({ hasText: "支付退款订单" })).toHaveCount(0);
  await expect(page.locator(".view")).toHaveCount(12);
  const first = await held();
  for (let round = 0; round < 2; round++) await walk();
  await expect(page.locator(".view")).toHaveCount(12);
  // Thirty pages more, and no page's worth more is held.
  expect(await held()).toBeLessThan(first * 1.25);
});

test("visited pages keep what was typed and where they were, also through a reload", async ({ page }) => {
  await page.goto("/#/");
  const view = page.locator(".view:visible");
  await expect(page.getByText("门店排行")).toBeVisible();
  await view.evaluate(async (box) => {
    const scrolled = new Promise((resolve) => box.addEventListener("scroll", resolve, { once: true }));
    box.scrollTo(0, 300);
    await scrolled;
  });
  await page.goto("/#/dataCentre/payOrder");
  await orders(page).getByRole("button", { name: "退款" }).first().click();
  const form = page.getByRole("dialog", { name: /^退款 P/ });
  await form.getByLabel("退款原因").fill("写到一半");
  // To another page and back by keyboard: the form stays with its page and does not lie over the other.
  await page.keyboard.press("Alt+1");
  await expect(page.getByText("门店排行")).toBeVisible();
  await expect(form).toBeHidden();
  await expect.poll(() => view.evaluate((box) => box.scrollTop)).toBe(300);
  // The group that the page left has closed by itself.
  await expect(sidebar(page).getByRole("link", { name: "支付退款订单" })).toHaveCount(0);
  await sidebar(page).getByRole("button", { name: "数据中心" }).click();
  await sidebar(page).getByRole("link", { name: "支付退款订单" }).click();
  await expect(heading(page, "支付退款订单")).toBeVisible();
  await page.keyboard.press("Alt+2");
  await expect(form.getByLabel("退款原因")).toHaveValue("写到一半");

  await page.reload();
  await expect(strip(page).getByRole("link")).toHaveText(["概览", "支付订单", "支付退款订单"]);
  await expect(form.getByLabel("退款原因")).toHaveValue("写到一半");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "放弃修改" }).click();
  await expect(form).toBeHidden();
});

test("the menu of a tab reloads, closes, pins, and brings back what was closed", async ({ page }) => {
  const open = async (...names: string[]): Promise<void> => {
    for (const name of names) await sidebar(page).getByRole("link", { name, exact: true }).click();
  };
  const tabs = strip(page).getByRole("link");
  await page.goto("/#/dataCentre/payOrder");
  await open("支付退款订单", "退款申请", "门店收款", "导出记录");
  await expect(tabs).toHaveText(["概览", "支付订单", "支付退款订单", "退款申请", "门店收款", "导出记录"]);
  const again = page.waitForRequest(/api\/exports\?/);
  await ofTab(page, "导出记录", "重新加载");
  await again;
  await ofTab(page, "支付退款订单", "关闭");
  await expect(tabs).toHaveText(["概览", "支付订单", "退款申请", "门店收款", "导出记录"]);
  await expect(heading(page, "导出记录")).toBeVisible();
  await ofTab(page, "支付订单", "固定");
  await ofTab(page, "门店收款", "关闭左侧");
  await expect(tabs).toHaveText(["概览", "支付订单", "门店收款", "导出记录"]);
  await ofTab(page, "门店收款", "关闭右侧");
  await expect(tabs).toHaveText(["概览", "支付订单", "门店收款"]);
  await expect(heading(page, "门店收款")).toBeVisible();
  await ofTab(page, "门店收款", "关闭其它");
  await ofTab(page, "门店收款", "关闭全部");
  // The first page and the pinned one stay.
  await expect(tabs).toHaveText(["概览", "支付订单"]);
  await page.keyboard.press("Control+Shift+K");
  await expect(heading(page, "门店收款")).toBeVisible();
  await page.keyboard.press("Alt+w");
  await expect(tabs).toHaveText(["概览", "支付订单"]);
});

test("two accounts in one browser: the tab of the first is told, frozen, and sends nothing any more", async ({ page, context }) => {
  await page.goto("/#/dataCentre/payOrder");
  await expect(orders(page)).toBeVisible();
  const other = await context.newPage();
  await other.goto("/#/");
  await expect(other.getByText("门店排行")).toBeVisible();
  const sent: string[] = [];
  // Code that comes when nobody does anything is nobody's.
  page.on("request", (request) => {
    if (!request.url().includes("/assets/")) sent.push(request.url());
  });
  const [mine, theirs] = [await sharedToken("mch03"), await sharedToken("mch02")];
  await other.evaluate((token) => localStorage.setItem("zhangfang_token", token), theirs);
  await expect(page.getByRole("alert")).toContainText("已在其他页面登录了另一个账号");
  await expect(orders(page)).toBeHidden();
  expect(sent).toEqual([]);
  await page.getByRole("button", { name: "以当前账号重新加载" }).click();
  await expect(page.getByRole("banner").locator(".entity")).toHaveText("江南小笼");

  await other.evaluate((token) => localStorage.setItem("zhangfang_token", token), mine);
  await expect(page.getByRole("alert")).toBeVisible();
  await other.evaluate(() => localStorage.removeItem("zhangfang_token"));
  await page.getByRole("button", { name: /重新/ }).click();
  await expect(page).toHaveURL(/#\/login$/);
});

test("any page is a few letters away, in hanzi or by the initials of its sounds", async ({ page }) => {
  await page.goto("/#/");
  await expect(sidebar(page)).toBeVisible();
  for (const [typed, name] of [
    ["zfdd", "支付订单"],
    ["tksq", "退款申请"],
    ["mdsk", "门店收款"],
    ["导出", "导出记录"],
    ["zftk", "支付退款订单"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: /搜索/ })).toBeFocused();
    await page.keyboard.insertText(typed);
    await expect(page.getByRole("listbox", { name: "结果" }).getByRole("option").first()).toContainText(name);
    await page.keyboard.press("Enter");
    await expect(heading(page, name)).toBeVisible();
    await expect(page).toHaveTitle(`${name} - 晨光便利`);
  }
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /搜索/ })).toBeFocused();
  await page.keyboard.insertText("没有这样的东西");
  await expect(page.getByText("没有找到")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("combobox", { name: /搜索/ })).toBeHidden();
});

test("the key of the search is heard from the moment the frame stands", async ({ page }) => {
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector(".shell")) return;
      seen.disconnect();
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true, cancelable: true }));
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto("/#/");
  await expect(page.getByRole("combobox", { name: /搜索/ })).toBeFocused();
});

test("light, dark, or as the system has it; chosen before the first paint of the next load", async ({ page }) => {
  const shown = (): Promise<string | undefined> => page.evaluate(() => document.documentElement.dataset["theme"]);
  const choose = async (name: string): Promise<void> => {
    await page.getByRole("button", { name: /账号菜单/ }).click();
    await page.getByRole("button", { name, exact: true }).click();
    await page.keyboard.press("Escape");
  };
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/#/");
  await expect(page.getByText("门店排行")).toBeVisible();
  expect(await shown()).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(shown).toBe("light");
  await choose("深色");
  expect(await shown()).toBe("dark");
  await page.reload({ waitUntil: "commit" });
  await page.waitForFunction(() => document.querySelector("body") !== null);
  expect(await shown()).toBe("dark");
  await expect(page.getByText("门店排行")).toBeVisible();
  await choose("跟随系统");
  expect(await shown()).toBe("light");
});

test("columns, density and page size stay, on this computer and on another", async ({ page, browser }) => {
  await page.goto("/#/dataCentre/payOrder");
  await expect(orders(page).getByRole("row")).toHaveCount(11);
  await page.getByLabel("每页条数").selectOption("20");
  await expect(orders(page).getByRole("row")).toHaveCount(21);
  expect(await page.evaluate(() => localStorage.getItem("inner_page_size"))).toBe("20");
  await page.getByRole("button", { name: "列设置" }).click();
  const picker = page.locator(".column-picker");
  await picker.getByRole("checkbox", { name: "收银员" }).check();
  await picker.getByRole("checkbox", { name: "钱包" }).uncheck();
  await picker.getByRole("button", { name: "上移收银员" }).click();
  const saved = page.waitForResponse(
    (response) => response.url().includes("/api/preferences/density") && response.request().method() === "PUT",
  );
  await picker.getByRole("button", { name: "紧凑" }).click();
  await saved;
  await page.keyboard.press("Escape");
  const titles = async (on: Page): Promise<string[]> => orders(on).getByRole("columnheader").allInnerTexts();
  const seen = await titles(page);
  expect(seen).toContain("收银员");
  expect(seen).not.toContain("钱包");

  await page.reload();
  await expect(orders(page).getByRole("row")).toHaveCount(21);
  expect(await titles(page)).toEqual(seen);
  await expect(orders(page)).toHaveClass(/table-compact/);

  const elsewhere = await (await browser.newContext({ storageState: signedIn(await sharedToken("mch03")) })).newPage();
  await elsewhere.goto("/#/dataCentre/payOrder");
  await expect(orders(elsewhere)).toHaveClass(/table-compact/);
  await expect.poll(() => titles(elsewhere)).toEqual(seen);
  await elsewhere.getByRole("button", { name: "列设置" }).click();
  const reset = elsewhere.waitForResponse(
    (response) => response.url().includes("/api/preferences/columns") && response.request().method() === "PUT",
  );
  await elsewhere.getByRole("button", { name: "恢复默认" }).click();
  await reset;
  await expect.poll(() => titles(elsewhere)).toContain("钱包");
  const plain = elsewhere.waitForResponse(
    (response) => response.url().includes("/api/preferences/density") && response.request().method() === "PUT",
  );
  await elsewhere.getByRole("button", { name: "标准" }).click();
  await plain;
  await elsewhere.context().close();
});

test("rows are walked, opened and left by keyboard, and ? says how", async ({ page }) => {
  await page.goto("/#/dataCentre/payOrder");
  const row = (n: number): Locator => orders(page).getByRole("row").nth(n);
  await expect(row(1)).toBeVisible();
  await page.keyboard.press("j");
  await expect(row(1)).toBeFocused();
  await page.keyboard.press("j");
  await expect(row(2)).toBeFocused();
  await page.keyboard.press("k");
  await expect(row(1)).toBeFocused();
  const numbers = await orders(page)
    .getByRole("button", { name: /^P\d+$/ })
    .allInnerTexts();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: `订单 ${numbers[0]}` })).toBeVisible();
  await page.keyboard.press("j");
  await expect(page.getByRole("dialog", { name: `订单 ${numbers[1]}` })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(row(1)).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "单号" })).toBeFocused();
  await page.keyboard.type("?");
  await expect(page.getByRole("dialog", { name: "快捷键" })).toBeHidden();
  await page.keyboard.press("Backspace");
  await page.getByRole("heading", { name: "支付订单", level: 1 }).click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "快捷键" })).toContainText("上下移动一行");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "快捷键" })).toBeHidden();
});
