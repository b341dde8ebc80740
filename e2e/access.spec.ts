import type { Page } from "@playwright/test";
import { expect, test } from "./journey.ts";

// A phone, a small window, a page at twice its size, a keyboard, less motion: everything can still be read and done.
test.use({ login: "mch01" });

const SCREENS = [
  "/",
  "/dataCentre/payOrder",
  "/dataCentre/payRefund",
  "/dataCentre/refund",
  "/dataCentre/storeOrder",
  "/dataCentre/comment",
  "/dataCentre/comment?view=stores",
  "/dataCentre/daifu",
  "/reconciliation/pay",
  "/reconciliation/refund",
  "/reconciliation/bill",
  "/reconciliation/bill?view=differences",
  "/reconciliation/bill?view=stores",
  "/dataCentre/daifu?view=links",
  "/dataCentre/payStatistics",
  "/dataCentre/payStatistics?by=cashier&against=week",
  "/dataCentre/sales",
  "/dataCentre/merchantsProfit",
  "/dataCentre/couponDetail",
  "/dataCentre/exports",
  "/dataCentre/sharing",
  "/dataCentre/sharingReturn",
  "/store/store",
  "/store/group",
  "/store/area",
  "/store/other",
  "/store/wx",
  "/store/payIsService",
  "/bypass/bypass",
  "/jurisdiction/permission",
  "/jurisdiction/audit",
  "/store/printers",
  "/store/trumpet",
  "/merchants/info",
  "/dataCentre/withdrawal",
  "/device/config",
  "/device/list",
  "/cashier/equipment",
  "/cashier/cashier",
  "/memberCard/card",
  "/memberCard/card?view=holders",
  "/memberCard/wx",
  "/memberCard/area",
  "/memberCard/activity",
  "/memberCard/binding",
  "/memberCard/setAuth",
  "/dataCentre/coupon",
  "/dataCentre/groupBuy",
  "/dataCentre/groupBuy?view=entries",
  "/dataCentre/takeaway",
  "/dataCentre/takeaway?view=orders",
  "/merchantTicket/list",
  "/merchantTicket/list?show=offered",
  "/merchantTicket/list?show=subsidies",
  "/merchantTicket/new",
  "/ticket/batchSend",
  "/ticket/group",
  "/ticket/groupRecord",
  "/ticket/discountSet",
  "/ticket/discountRules",
  "/ticket/discountRecord",
  "/activity/centre",
  "/activity/new",
  "/activity/birthday",
  "/activity/scan",
  "/activity/recommend",
  "/activity/shake",
  "/invoice/merchant",
  "/applyment/info",
  "/wxCRM/app",
  "/wxCRM/fans",
  "/wxCRM/fansSummary",
  "/plat-dy/coupon",
  "/plat-dy/coupon?show=list",
  "/plat-dy/goods",
  "/plat-ks/coupon?show=list",
  "/plat-ks/goods",
  "/wxCRM/fansCoupon",
  "/wxCRM/groupNote",
  "/wxCRM/groupNote/detail",
  "/vip-member/rules",
  "/vip-member/rights",
  "/vip-member/timesCard",
  "/vip-member/orders",
  "/vip-member/timesOrders",
  "/vip-member/timesRecords",
];

/** What sticks out of the window or of its page to the right and can't be scrolled to in a box of its own, what can be pushed sideways, and what is still on its way. */
function outside(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Two frames after a window became another one, its screen is drawn for it.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (/(auto|scroll)/.test(getComputedStyle(element).overflowX) && !element.matches(".view") ? true : scrolls(element.parentElement));
    const sticking = [...document.querySelectorAll("body *")].filter((element) => {
      const box = element.getBoundingClientRect();
      if (box.right <= innerWidth + 1 || box.width === 0 || box.height === 0) return false;
      const style = getComputedStyle(element);
      return style.visibility !== "hidden" && style.position !== "fixed" && !element.closest(".sr-only, .skip") && !scrolls(element);
    });
    const pushed = [document.scrollingElement!, ...document.querySelectorAll(".view")].filter((box) => box.scrollWidth > box.clientWidth);
    const coming = [...document.querySelectorAll(".view [aria-busy=true], .view .skeleton, .view-skeleton")].filter((one) =>
      one.checkVisibility(),
    );
    return [...sticking, ...pushed, ...coming].map((element) => `${element.tagName}.${element.className}`).slice(0, 5);
  });
}
/** Amounts in the tables of a screen that do not stand right, with two decimals and thousands. */
function oddAmounts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLTableElement>(".view table.table")]
      .filter((table) => table.checkVisibility())
      .flatMap((table) => {
        const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
        const money = heads.flatMap((cell, at) => (cell.innerText.includes("（元）") ? [at] : []));
        const cells = [...table.tBodies].flatMap(({ rows }) => [...rows].flatMap((row) => money.map((at) => row.cells[at])));
        return cells.filter((cell): cell is HTMLTableCellElement => cell !== undefined);
      })
      .filter((cell) => {
        const [text = ""] = cell.innerText.trim().split("\n");
        return !["right", "end"].includes(getComputedStyle(cell).textAlign) || !/^(—|−?\d{1,3}(,\d{3})*\.\d\d)?$/.test(text);
      })
      .map((cell) => `${cell.innerText} ${getComputedStyle(cell).textAlign}`)
      .slice(0, 5),
  );
}
async function loaded(page: Page): Promise<void> {
  await expect(page.locator(".view:visible h1").first()).toBeVisible();
  await expect(page.locator(".view:visible [aria-busy=true]")).toHaveCount(0);
  await expect(page.locator(".view:visible .skeleton, .view-skeleton:visible")).toHaveCount(0);
}

/** A small phone, a phone, a laptop at 200 %, a tablet, a wide screen. */
const SIZES = [
  [360, 740],
  [390, 844],
  [720, 450],
  [768, 1024],
  [1920, 1080],
] as const;

/** Each screen is opened once, in the smallest window, and then shown in the others. */
async function fits(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      if (width === SIZES[0][0]) await page.goto(`/#${path}`);
      if (width === SIZES[0][0]) await loaded(page);
      // A chart follows its box a moment later, and until then its page may be wider than the window.
      await expect.poll(() => outside(page), `${path} at ${width}`).toEqual([]);
    }
    // The last window is wide: its lists are tables.
    expect(await oddAmounts(page), path).toEqual([]);
  }
}

const half = Math.ceil(SCREENS.length / 2);
for (const [which, screens] of [
  ["first", SCREENS.slice(0, half)],
  ["second", SCREENS.slice(half)],
] as const)
  test(`the ${which} half of the screens fits windows from 360 to 1920 px without being pushed sideways`, ({ page }) =>
    fits(page, screens));

test.describe("a provider's screens", () => {
  test.use({ login: "sp01" });
  test("fit windows from 360 to 1920 px without being pushed sideways", ({ page }) =>
    fits(page, [
      "/ad/list",
      "/ad/list/new",
      "/ad/config",
      "/ticket/list",
      "/ticket/list?show=subsidies",
      "/ticket/new",
      "/admin/dataPush",
      "/applyment/form",
      "/applyment/info",
      "/admin/dataPush/list",
    ]));
});

test("on a phone a row is a card with all that can be done with it", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/#/dataCentre/payOrder?status=2");
  const cards = page
    .getByRole("list", { name: "支付订单" })
    .getByRole("listitem")
    .filter({ has: page.locator(".card-title") });
  await expect(cards).toHaveCount(10);
  await expect(page.getByRole("table", { name: "支付订单" })).toHaveCount(0);
  const card = cards.filter({ has: page.getByRole("button", { name: "退款", exact: true }) }).first();
  await expect(card).toContainText(/P\d{10}/);
  await expect(card).toContainText(/\d\.\d\d/);
  await expect(card).toContainText("已完成");
  await card.getByText("更多信息").click();
  await expect(card).toContainText("钱包");
  for (const name of ["刷新", "导出", "列设置", "筛选", "下一页"])
    await expect(page.locator(".view:visible").getByRole("button", { name, exact: true }), name).toBeVisible();
  await page.getByRole("button", { name: "筛选", exact: true }).click();
  await expect(page.getByRole("searchbox", { name: "单号" })).toBeVisible();
  await page.getByRole("button", { name: "收起筛选" }).first().click();

  await card.getByRole("button", { name: "退款", exact: true }).click();
  const form = page.getByRole("dialog", { name: /^退款 P/ });
  await form.getByLabel("退款金额").fill("0.01");
  await expect(form.getByRole("button", { name: /^(确认|申请)退款 ¥0\.01$/ })).toBeInViewport();
  await expect.poll(() => form.boundingBox()).toMatchObject({ x: 0, width: 390 });
  await form.getByRole("button", { name: "取消", exact: true }).click();
  await page.getByRole("button", { name: "放弃修改" }).click();
  await card.getByRole("button", { name: "详情" }).click();
  const details = page.getByRole("dialog", { name: /^订单 P/ });
  await expect(details.getByRole("table", { name: "账务分录" }).or(details.getByRole("list", { name: "账务分录" }))).toBeVisible();
  // The drawer comes in from the right.
  await expect.poll(() => outside(page)).toEqual([]);
  await details.getByRole("button", { name: "关闭" }).click();

  await page.getByRole("button", { name: "展开菜单" }).click();
  await page.getByRole("navigation", { name: "主菜单" }).getByRole("link", { name: "门店收款" }).click();
  await expect(page.getByRole("heading", { name: "门店收款", level: 1 })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "主菜单" })).toBeHidden();
});

test("at twice the size a refund can be made from end to end", async ({ page }) => {
  await page.setViewportSize({ width: 720, height: 450 });
  await page.goto("/#/dataCentre/payOrder?status=2");
  await page.getByRole("button", { name: "退款", exact: true }).first().click();
  const form = page.getByRole("dialog", { name: /^退款 P/ });
  await form.getByLabel("退款金额").fill("0.01");
  await form.getByRole("button", { name: "金额有误" }).click();
  await expect(form.getByRole("region", { name: "退款试算" })).toContainText("¥0.01");
  await form.getByText("商户实际支出").scrollIntoViewIfNeeded();
  await expect(form.getByText("商户实际支出")).toBeInViewport();
  // The newest may be invoiced: then it is asked for, and goes out after the red letter.
  await form.getByRole("button", { name: /^(确认|申请)退款 ¥0\.01$/ }).click();
  const question = page.getByRole("dialog", { name: "提示" });
  await expect(question.getByRole("button", { name: /退款 ¥0\.01$/ })).toBeInViewport();
  await question.getByRole("button", { name: "取消" }).click();
  await expect(form).toBeVisible();
});

test("tab goes in reading order with a ring that is seen, and Esc closes only what is on top", async ({ page }) => {
  await page.goto("/#/dataCentre/payOrder");
  await loaded(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "跳到主要内容" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.locator(".view:visible").getByRole("button", { name: "视图", exact: true })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "全部", exact: true })).toBeFocused();
  const ring = await page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
    return `${outlineStyle} ${outlineWidth}`;
  });
  expect(ring).toMatch(/^solid [2-4]px$/);
  await page
    .locator("tbody tr:visible")
    .filter({ has: page.getByRole("button", { name: "退款", exact: true }) })
    .first()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "退款", exact: true }).click();
  await expect(page.getByRole("dialog", { name: /^退款 P/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "搜索" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "搜索" })).toBeHidden();
  await expect(page.getByRole("dialog", { name: /^退款 P/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: /^退款 P/ })).toBeHidden();
  await expect(page.getByRole("dialog", { name: /^订单 P/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page.locator("tbody tr:visible").first()).toBeVisible();
});

test("amounts stand under each other: right, two decimals, digits of one width", async ({ page }) => {
  for (const path of ["/dataCentre/payOrder", "/dataCentre/payRefund"]) {
    await page.goto(`/#${path}`);
    await loaded(page);
    const found = await page
      .locator("table:visible")
      .first()
      .evaluate((table: HTMLTableElement) => {
        const at = [...table.tHead!.rows[0]!.cells].flatMap((cell, index) => (cell.innerText.includes("（元）") ? [index] : []));
        return at.flatMap((index) =>
          [table.tHead!.rows[0]!.cells[index]!, ...[...table.tBodies[0]!.rows].map((row) => row.cells[index]!)].map((cell) => ({
            text: cell.innerText.trim().split("\n")[0]!,
            align: getComputedStyle(cell).textAlign,
          })),
        );
      });
    expect(found.length).toBeGreaterThan(10);
    for (const { text, align } of found) {
      expect(["right", "end"], text).toContain(align);
      if (!text.includes("元")) expect(text).toMatch(/^(—|−?\d{1,3}(,\d{3})*\.\d\d)$/);
    }
  }
  const widths = await page.evaluate(() => {
    const probe = (text: string): number => {
      const span = document.createElement("span");
      span.className = "num";
      span.textContent = text;
      document.querySelector("main")!.append(span);
      const { width } = span.getBoundingClientRect();
      span.remove();
      return width;
    };
    return [probe("1,111.11"), probe("8,888.88")];
  });
  expect(Math.abs(widths[0]! - widths[1]!)).toBeLessThanOrEqual(0.5);
});

test.describe("less motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });
  test("nothing moves where somebody asked for less motion", async ({ page }) => {
    await page.goto("/#/");
    await expect(page.locator(".chart canvas, .chart svg").first()).toBeVisible();
    await page.goto("/#/dataCentre/payOrder");
    await loaded(page);
    await page.locator("tbody tr:visible").first().click();
    await expect(page.getByRole("dialog")).toBeVisible();
    const moving = await page.evaluate(() =>
      document
        .getAnimations()
        .map((animation) => Number(animation.effect?.getComputedTiming().duration ?? 0))
        .filter((duration_ms) => duration_ms > 10),
    );
    expect(moving).toEqual([]);
  });
});
