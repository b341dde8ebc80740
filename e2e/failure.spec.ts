import type { Page, Route } from "@playwright/test";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { api, PASSWORD, sell, tokenOf } from "./world.ts";

// What people see when something between them and their money breaks: words that help, a way on, and nothing done twice.
test.use({ login: "mch01" });

const ORDERS = /\/api\/orders\/pay-orders\?/;
/** Nothing that a program says to a programmer. */
async function inChinese(page: Page): Promise<void> {
  const text = await page.locator("body").innerText();
  expect(text).not.toMatch(/undefined|null|NaN|\[object|Error:|Failed|Bad Gateway|Internal Server|<html|\{"/);
}
const rows = (page: Page) => page.getByRole("table", { name: "支付订单" }).locator("tbody tr");
const view = (page: Page) => page.locator(".view:visible");

const BROKEN: readonly (readonly [what: string, answer: Parameters<Route["fulfill"]>[0] | "abort", says: RegExp])[] = [
  ["a fault", { status: 500, contentType: "text/plain", body: "Internal Server Error" }, /服务器内部错误/],
  [
    "a proxy's page",
    { status: 502, contentType: "text/html", body: "<html><h1>502 Bad Gateway</h1></html>" },
    /服务器暂时无法访问，请稍后重试/,
  ],
  ["somebody else's page", { status: 200, contentType: "text/html", body: "<html>please sign in to the network</html>" }, /答复无法识别/],
  ["half an answer", { status: 200, contentType: "application/json", body: '{"items":[{"id":"01' }, /答复无法识别/],
  ["no answer", "abort", /网络连接失败，请稍后重试/],
];
for (const [what, answer, says] of BROKEN)
  test(`a list that gets ${what} says so in words, and comes when it is asked again`, async ({ page }) => {
    let broken = true;
    await page.route(ORDERS, (route) => (!broken ? route.continue() : answer === "abort" ? route.abort() : route.fulfill(answer)));
    await page.goto("/#/dataCentre/payOrder");
    const alert = view(page).getByRole("alert");
    await expect(alert).toContainText(says);
    await inChinese(page);
    broken = false;
    await alert.getByRole("button", { name: "重试" }).click();
    await expect(rows(page).first()).toContainText(/P\d{10}/);
    await expect(alert).toHaveCount(0);
  });

test("rows that are there stay when asking again fails", async ({ page }) => {
  await page.goto("/#/dataCentre/payOrder");
  await expect(rows(page)).toHaveCount(10);
  await page.route(ORDERS, (route) => route.abort());
  await page.locator(".list-tools:visible").getByRole("button", { name: "刷新" }).click();
  await expect(page.getByText("请求错误: 网络连接失败，请稍后重试").first()).toBeVisible();
  await expect(rows(page)).toHaveCount(10);
  await inChinese(page);
});

for (const [title, path, calls] of [
  ["the overview", "/", /\/api\/statistics\/overview/],
  ["the approvals", "/dataCentre/refund", /\/api\/orders\/refund-requests\?/],
  ["the downloads", "/dataCentre/exports", /\/api\/exports\?/],
] as const)
  test(`${title} says what is broken and comes back without a reload`, async ({ page }) => {
    let broken = true;
    await page.route(calls, (route) =>
      broken ? route.fulfill({ status: 503, contentType: "text/html", body: "<html></html>" }) : route.continue(),
    );
    await page.goto(`/#${path}`);
    const alert = view(page).getByRole("alert").filter({ hasText: "服务器暂时无法访问" });
    await expect(alert.first()).toBeVisible({ timeout: 20_000 });
    await inChinese(page);
    broken = false;
    await alert.getByRole("button", { name: "重试" }).first().click();
    await expect(alert).toHaveCount(0);
    await expect(view(page).locator(".skeleton")).toHaveCount(0);
  });

test("without a network that is said, and work goes on when it is back", async ({ page, context }) => {
  await page.goto("/#/dataCentre/payOrder");
  await expect(rows(page)).toHaveCount(10);
  await context.setOffline(true);
  await expect(page.getByRole("status").filter({ hasText: "网络已断开" })).toBeVisible();
  await expect(rows(page)).toHaveCount(10);
  const first = await rows(page).first().innerText();
  await page.getByRole("button", { name: "下一页" }).click();
  await inChinese(page);
  await context.setOffline(false);
  await expect(page.getByRole("status").filter({ hasText: "网络已断开" })).toHaveCount(0);
  // What was asked for meanwhile comes by itself.
  await expect(rows(page).first()).not.toHaveText(first);
  await expect(rows(page)).toHaveCount(10);
});

/** A paid order of 50.00 with its refund form open and one cent typed. */
async function openRefund(page: Page): Promise<{ orderNo: string; submit: () => Promise<void> }> {
  const { orderNo } = await sell(5_000);
  await page.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
  await page.locator("tr[data-row]").getByRole("button", { name: "退款", exact: true }).click();
  const form = page.getByRole("dialog", { name: `退款 ${orderNo}` });
  await form.getByLabel("退款金额").fill("0.01");
  await form.getByRole("button", { name: "金额有误" }).click();
  return {
    orderNo,
    submit: async () => {
      await form.getByRole("button", { name: "确认退款 ¥0.01" }).click();
      await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "确认退款 ¥0.01" }).click();
    },
  };
}
async function refundsOf(orderNo: string): Promise<number[]> {
  const { data } = await api<{ items: { amountCents: number }[] }>(
    await sharedToken("mch01"),
    "GET",
    `/api/orders/refunds?keyword=${orderNo}`,
  );
  return data.items.map(({ amountCents }) => amountCents);
}

test("a refund whose answer is lost is said to be unknown, and sending it again is still one refund", async ({ page }) => {
  const { orderNo, submit } = await openRefund(page);
  let lost = 0;
  await page.route("**/api/orders/refunds?*", async (route) => {
    if (route.request().method() !== "POST" || lost++ > 0) return route.continue();
    // It reaches the server; the way back breaks.
    await route.fetch();
    await route.abort();
  });
  await submit();
  await expect(page.getByText("结果未知，请先查询再重试").first()).toBeVisible();
  await inChinese(page);
  await submit();
  await expect(page.getByRole("dialog", { name: "退款结果" })).toContainText(/已退款|退款中/);
  expect(await refundsOf(orderNo)).toEqual([1]);
});

test("a session that ends in the middle of a form brings back the same page with what was typed", async ({ browser }) => {
  const token = await tokenOf("mch01");
  const context = await browser.newContext({ storageState: signedIn(token) });
  const page = await context.newPage();
  const { orderNo, submit } = await openRefund(page);
  // The session is over at the moment the refund is sent, not earlier: a poll of the page would find it first.
  await page.route("**/api/orders/refunds?*", async (route) => {
    if (route.request().method() === "POST") await api(token, "POST", "/api/sessions/logout", {});
    await route.continue();
  });
  // After a word the page loads itself anew.
  const anew = page.waitForEvent("load");
  await submit();
  await anew;
  await expect(page).toHaveURL(/#\/login/);
  await page.getByLabel("用户名").fill("mch01");
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByRole("dialog", { name: `退款 ${orderNo}` }).getByLabel("退款金额")).toHaveValue("0.01");
  await expect(page).toHaveURL(new RegExp(`keyword=${orderNo}`));
  expect(await refundsOf(orderNo)).toEqual([]);
  await context.close();
});

test("logging out in one tab stops the other before it sends anything", async ({ browser }) => {
  const context = await browser.newContext({ storageState: signedIn(await tokenOf("mch01")) });
  const [one, other] = [await context.newPage(), await context.newPage()];
  for (const page of [one, other]) {
    await page.goto("/#/dataCentre/payOrder");
    await expect(rows(page)).toHaveCount(10);
  }
  await one.getByRole("button", { name: /账号菜单$/ }).click();
  await one.getByRole("button", { name: "退出登录" }).click();
  await expect(one).toHaveURL(/#\/login/);
  await expect(other.getByRole("alert")).toContainText("已在其他页面退出登录");
  await context.close();
});

test("a page whose part is gone with an older release asks for a reload instead of staying white", async ({ page, faults }) => {
  await page.goto("/#/dataCentre/payOrder");
  await expect(rows(page)).toHaveCount(10);
  await page.route(/\/assets\/StoreTakings-.*\.js$/, (route) =>
    route.fulfill({ status: 404, contentType: "application/problem+json", body: "{}" }),
  );
  await page.getByRole("navigation", { name: "主菜单" }).getByRole("link", { name: "门店收款" }).click();
  await expect(view(page).getByRole("alert")).toContainText("页面已更新，请重新加载后继续。");
  await inChinese(page);
  faults.length = 0;
  await page.unroute(/\/assets\/StoreTakings-.*\.js$/);
  await view(page).getByRole("button", { name: "重新加载" }).click();
  await expect(page.getByRole("heading", { name: "门店收款", level: 1 })).toBeVisible();
});

test("a page whose part can't be fetched while the service is away says so, and loads anew only when it is back", async ({
  page,
  faults,
}) => {
  await page.goto("/#/dataCentre/payOrder");
  await expect(rows(page)).toHaveCount(10);
  await page.route("**/*", (route) => route.abort("connectionrefused"));
  await page.getByRole("navigation", { name: "主菜单" }).getByRole("link", { name: "门店收款" }).click();
  await expect(view(page).getByRole("alert")).toContainText("网络连接失败，恢复后请重新加载。");
  await view(page).getByRole("button", { name: "重新加载" }).click();
  await expect(view(page).getByRole("alert")).toContainText("网络连接失败，恢复后请重新加载。");
  faults.length = 0;
  await page.unroute("**/*");
  await view(page).getByRole("button", { name: "重新加载" }).click();
  await expect(page.getByRole("heading", { name: "门店收款", level: 1 })).toBeVisible();
});

test("a new release is announced, and not over unsaved changes", async ({ page }) => {
  await page.clock.install();
  await page.goto("/#/dataCentre/payOrder");
  await expect(rows(page)).toHaveCount(10);
  await page.route("**/version.json", (route) => route.fulfill({ json: { version: "a-newer-one" } }));
  await page.clock.fastForward(61_000);
  await expect(page.getByRole("status").filter({ hasText: "新版本已发布" })).toBeVisible();
});

test("a program that doesn't come after the login leaves a way on instead of a white page", async ({ page, faults }) => {
  await page.route(/\/assets\/SignedIn-.*\.js$/, (route) => route.abort());
  await page.goto("/#/dataCentre/payOrder");
  await expect(page.getByRole("alert")).toContainText("页面没有加载成功");
  await inChinese(page);
  faults.length = 0;
  await page.unroute(/\/assets\/SignedIn-.*\.js$/);
  await page.getByRole("button", { name: "重新加载" }).click();
  await expect(rows(page)).toHaveCount(10);
});
