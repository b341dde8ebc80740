import type { Page, Route } from "@playwright/test";
import { expect, shortWaits, test } from "./journey.ts";
import { PASSWORD } from "./world.ts";

// One part of a screen breaks: it says so in words, the rest stays, and it comes back where it stands.
test.use({ login: "mch01" });

type Answer = Parameters<Route["fulfill"]>[0] | "refused";
const ANSWERS: readonly (readonly [what: string, answer: Answer, says: string])[] = [
  ["a fault", { status: 500, contentType: "text/plain", body: "Internal Server Error" }, "服务器内部错误"],
  ["a proxy's page", { status: 503, contentType: "text/html", body: "<h1>Service Unavailable</h1>" }, "服务器暂时无法访问，请稍后重试"],
  ["half an answer", { status: 200, contentType: "application/json", body: '{"id":"01' }, "服务器的答复无法识别，请稍后重试"],
  ["a refused connection", "refused", "网络连接失败，请稍后重试"],
];
/** Breaks what fits until the returned function is called. */
async function breakCalls(page: Page, calls: RegExp, answer: Answer): Promise<() => void> {
  let broken = true;
  await page.route(calls, (route) =>
    !broken ? route.fallback() : answer === "refused" ? route.abort("connectionrefused") : route.fulfill(answer),
  );
  return () => void (broken = false);
}
/** Nothing that a program says to a programmer. */
async function inWords(page: Page): Promise<void> {
  const text = await page.locator("body").innerText();
  expect(text).not.toMatch(/undefined|\bnull\b|NaN|\[object|Error\b|Failed|Unavailable|Cannot read|is not|<h1|\{"/);
}
const rows = (page: Page) => page.getByRole("table", { name: "支付订单" }).locator("tbody tr");
async function openList(page: Page): Promise<void> {
  await page.goto("/#/dataCentre/payOrder?status=2");
  await expect(rows(page)).toHaveCount(10);
}

for (const [what, answer, says] of ANSWERS) {
  test(`an order's details that get ${what} say so and come when asked again, over a list that stays`, async ({ page }) => {
    await openList(page);
    const mend = await breakCalls(page, /\/api\/orders\/pay-orders\/[\w-]+\?/, answer);
    await rows(page).first().click();
    const alert = page.getByRole("dialog").getByRole("alert");
    await expect(alert).toContainText(says);
    await inWords(page);
    mend();
    await alert.getByRole("button", { name: "重试" }).click();
    await expect(page.getByRole("dialog").getByRole("table", { name: "账务分录" })).toBeVisible();
    await expect(rows(page)).toHaveCount(10);
  });

  test(`a login that gets ${what} says so, and works when it is pressed again`, async ({ browser }) => {
    const page = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();
    await page.goto("/#/login");
    const mend = await breakCalls(page, /\/api\/authenticateNew/, answer);
    await page.getByLabel("用户名").fill("mch01");
    await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "登录", exact: true }).dblclick();
    await expect(page.getByRole("alert")).toHaveText(says);
    await inWords(page);
    mend();
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await expect(page.getByRole("navigation", { name: "主菜单" })).toBeVisible();
    await page.context().close();
  });
}

test("a code that can't be made says why, and is made when asked again", async ({ browser }) => {
  const page = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();
  const mend = await breakCalls(page, /\/api\/qr-requests\?/, "refused");
  await page.goto("/#/login");
  await page.getByRole("tab", { name: "扫码登录" }).click();
  await expect(page.getByRole("status").filter({ hasText: "网络连接失败，请稍后重试" })).toBeVisible();
  mend();
  await page.getByRole("button", { name: "刷新二维码" }).click();
  await expect(page.getByText("验证数字")).toBeVisible();
  await page.context().close();
});

test("a list that is never answered stops waiting, says so, and comes when asked again", async ({ page }) => {
  const short = await shortWaits(page);
  await page.goto("/#/");
  await expect(page.locator(".stat-value").first()).toBeVisible();
  let hanging = true;
  await page.route(/\/api\/orders\/pay-orders\?/, (route) => (hanging ? undefined : route.fallback()));
  await short(true);
  await page.goto("/#/dataCentre/payOrder?status=2");
  await expect(page.locator(".view:visible .skeleton").first()).toBeVisible();
  const alert = page.locator(".view:visible").getByRole("alert");
  await expect(alert).toContainText("等待超过 50 秒没有答复，请稍后重试");
  await short(false);
  hanging = false;
  await alert.getByRole("button", { name: "重试" }).click();
  await expect(rows(page)).toHaveCount(10);
});

test("sums that don't come are missed in words and come with the next look", async ({ page }) => {
  const mend = await breakCalls(page, /\/api\/orders\/pay-orders\/summary\?/, { status: 500, body: "" });
  await openList(page);
  await expect(page.getByText("请求错误: 服务器内部错误").first()).toBeVisible();
  await inWords(page);
  mend();
  await page.locator(".list-tools:visible").getByRole("button", { name: "刷新" }).click();
  await expect(page.locator(".totals:visible")).toContainText("实收");
});

test("a refund whose reckoning fails says so in the form and reckons again", async ({ page }) => {
  await openList(page);
  const mend = await breakCalls(page, /refunds\/preview|refund-preview/, { status: 503, body: "" });
  await rows(page).getByRole("button", { name: "退款", exact: true }).first().click();
  const part = page.getByRole("region", { name: "退款试算" });
  const reckoned = page.waitForResponse(/refund-preview\?.*amountCents=1(&|$)/);
  await page.getByRole("dialog").getByLabel("退款金额").fill("0.01");
  await reckoned;
  await expect(part).toContainText("试算没有成功：服务器暂时无法访问，请稍后重试");
  await inWords(page);
  mend();
  await part.getByRole("button", { name: "重试" }).click();
  await expect(part).toContainText("¥0.01");
  await expect(page.getByRole("dialog").getByLabel("退款金额")).toHaveValue("0.01");
});

test("an export that can't be started, or fetched, says so and is one export when pressed again", async ({ page }) => {
  await page.goto("/#/dataCentre/exports");
  await expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
  const files = page.getByRole("table", { name: "导出记录" }).locator("tbody tr").filter({ hasText: ".csv" });
  const before = await files.count();
  await page.goto("/#/dataCentre/payRefund");
  await expect(page.locator(".rows:visible")).toHaveAttribute("aria-busy", "false");
  let lost = 0;
  await page.route(/\/api\/exports\?/, async (route) => {
    if (route.request().method() !== "POST" || lost++ > 0) return route.fallback();
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press("e");
  const dialog = page.getByRole("dialog", { name: "导出支付退款订单" });
  await dialog.getByLabel(/\.csv/).check();
  await dialog.getByRole("button", { name: "开始导出" }).click();
  await expect(page.getByText("网络连接失败，结果未知，请先查询再重试").first()).toBeVisible();
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "开始导出" }).click();
  await page.getByRole("button", { name: "查看导出记录" }).click();
  await expect(files).toHaveCount(before + 1);
  await expect(files.first()).toContainText("可下载");
  const mend = await breakCalls(page, /\/api\/exports\/link\?/, { status: 502, contentType: "text/html", body: "<h1>Bad</h1>" });
  await files.first().getByRole("button", { name: /下载/ }).click();
  await expect(page.getByText("请求错误: 服务器暂时无法访问，请稍后重试").first()).toBeVisible();
  await inWords(page);
  mend();
  const download = page.waitForEvent("download");
  await files.first().getByRole("button", { name: /下载/ }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test.describe("the platform", () => {
  test.use({ login: "admin" });
  test("a dashboard that breaks says so and comes when asked again", async ({ page }) => {
    const mend = await breakCalls(page, /\/api\/statistics\/dashboard/, "refused");
    await page.goto("/#/");
    const alert = page.locator(".view:visible").getByRole("alert").first();
    await expect(alert).toContainText("网络连接失败，请稍后重试");
    await inWords(page);
    mend();
    await alert.getByRole("button", { name: "重试" }).click();
    await expect(page.locator(".stat-value").first()).toBeVisible();
  });
});

for (const [what, body] of [
  ["an empty object", "{}"],
  ["nothing", "null"],
  ["a list", "[]"],
] as const)
  test(`answers that are ${what} leave no screen white, waiting, or speaking in code`, async ({ page, faults }) => {
    await page.route(/\/api\/(orders|statistics|exports)/, (route) =>
      route.fulfill({ status: 200, contentType: "application/json", body }),
    );
    for (const path of [
      "/",
      "/dataCentre/payOrder",
      "/dataCentre/payRefund",
      "/dataCentre/refund",
      "/dataCentre/storeOrder",
      "/dataCentre/exports",
    ]) {
      await page.goto(`/#${path}`);
      await expect(page.locator(".view:visible")).toContainText(/[一-龥]{4}/);
      await expect(page.locator(".view:visible .skeleton, .view-skeleton:visible")).toHaveCount(0);
      await inWords(page);
    }
    // The pages' own complaints about such answers are theirs to make.
    faults.length = 0;
  });

test("a part of the frame that is gone with an older release leaves the page as it is, and the new release is offered", async ({
  page,
}) => {
  await page.route(/\/assets\/ExportTray-.*\.js$/, (route) => route.fulfill({ status: 404, body: "" }));
  await page.route("**/version.json", (route) => route.fulfill({ json: { version: "a-newer-one" } }));
  await openList(page);
  await expect(page.getByRole("status").filter({ hasText: "新版本已发布" })).toBeVisible();
  await expect(rows(page)).toHaveCount(10);
});

for (const [what, spoil] of [
  [
    "blocked",
    () => {
      for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name, {
          get: () => {
            throw new DOMException("The operation is insecure.", "SecurityError");
          },
        });
    },
  ],
  [
    "full",
    () => {
      for (const storage of [localStorage, sessionStorage])
        for (let at = 0, size = 4_000_000; size > 0; at++)
          try {
            storage.setItem(`other-${at}`, "x".repeat(size));
          } catch {
            size = Math.floor(size / 2);
          }
    },
  ],
] as const)
  test(`with a storage that is ${what} everything works until the page is left`, async ({ browser, faults }) => {
    const page = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();
    page.on("pageerror", (fault) => faults.push(String(fault)));
    await page.addInitScript(spoil);
    await page.goto("/#/login");
    await page.getByLabel("用户名").fill("mch01");
    await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await expect(page.getByRole("navigation", { name: "主菜单" })).toBeVisible();
    await page.goto("/#/dataCentre/payOrder?status=2");
    await expect(rows(page)).toHaveCount(10);
    await page.getByLabel("每页条数").selectOption("20");
    await expect(rows(page)).toHaveCount(20);
    await page.getByRole("button", { name: "列设置" }).click();
    await page.getByRole("button", { name: "紧凑" }).click();
    await page.keyboard.press("Escape");
    await rows(page).getByRole("button", { name: "退款", exact: true }).first().click();
    await page.getByRole("dialog").getByLabel("退款原因").fill("写到一半");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "放弃修改" }).click();
    await page.getByRole("button", { name: /账号菜单/ }).click();
    await page.getByRole("button", { name: "深色" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await page.getByRole("button", { name: "退出登录" }).click();
    await expect(page).toHaveURL(/#\/login$/);
    await page.context().close();
  });
