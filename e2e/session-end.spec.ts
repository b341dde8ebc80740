import type { Browser, Page } from "@playwright/test";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { api, PASSWORD, tokenOf } from "./world.ts";

// A session ends from outside, or can't be asked for: the person is told, and comes back to where they were.
test.describe.configure({ mode: "serial" });
const LOGIN = "fin01";
const ADDRESS = "/dataCentre/payOrder?status=2&pageSize=20";

async function open(browser: Browser, token: string): Promise<Page> {
  const page = await (await browser.newContext({ storageState: signedIn(token) })).newPage();
  await page.goto(`/#${ADDRESS}`);
  await expect(rows(page).first()).toBeVisible();
  return page;
}
const rows = (page: Page) => page.getByRole("table", { name: "支付订单" }).locator("tbody tr");
/** Asks something; the page says that the session is over and loads itself anew. */
async function thrownOut(page: Page): Promise<void> {
  const anew = page.waitForEvent("load");
  await page.locator(".list-tools:visible").getByRole("button", { name: "刷新" }).click();
  await expect(page.getByText("登录已过期，请重新登录！")).toBeVisible();
  await anew;
  await expect(page).toHaveURL(/#\/login$/);
}
async function typeLogin(page: Page): Promise<void> {
  await page.getByLabel("用户名").fill(LOGIN);
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "登录", exact: true }).click();
}
const backAtAddress = async (page: Page): Promise<void> => {
  await expect(rows(page).first()).toBeVisible();
  expect(page.url()).toContain(`#${ADDRESS}`);
};

test("ended from another device, the session is over at the next question, and a login leads back to the same address", async ({
  browser,
}) => {
  const page = await open(browser, await tokenOf(LOGIN));
  const { data } = await api<{ ended: number }>(await tokenOf(LOGIN), "POST", "/api/sessions/end-others", {});
  expect(data.ended).toBeGreaterThan(0);
  await thrownOut(page);
  await typeLogin(page);
  await backAtAddress(page);
  await page.context().close();
});

test("a disabled account is out at once, and in again when it is enabled", async ({ browser }) => {
  const page = await open(browser, await tokenOf(LOGIN));
  const root = await sharedToken("mch01");
  const { items } = (await api<{ items: { id: string; login: string }[] }>(root, "GET", "/api/users/list?pageSize=100")).data;
  const { id } = items.find(({ login }) => login === LOGIN)!;
  const put = async (state: string): Promise<void> =>
    expect((await api(root, "PUT", `/api/users/${id}/active`, { state })).status).toBe(200);
  await put("disabled");
  try {
    await thrownOut(page);
    await typeLogin(page);
    await expect(
      page
        .getByRole("alert")
        .filter({ hasText: /[一-龥]/ })
        .first(),
    ).toBeVisible();
    await expect(page).toHaveURL(/#\/login$/);
  } finally {
    await put("active");
  }
  await typeLogin(page);
  await backAtAddress(page);
  await page.context().close();
});

test.describe("while the page loads", () => {
  test.use({ login: "mch01" });

  for (const [answer, words] of [
    ["null", "登录失败，请重新登录"],
    [
      JSON.stringify({ authorities: [], firstName: "", login: LOGIN, rootLogin: LOGIN, id: "1" }),
      "getInfo: roles must be a non-null array!",
    ],
  ] as const)
    test(`an account that is answered with ${answer.slice(0, 20)} leads to the login, and says: ${words}`, async ({ page }) => {
      await page.route(/\/api\/account\?/, (route) => route.fulfill({ contentType: "application/json", body: answer }));
      await page.goto(`/#${ADDRESS}`);
      await expect(page.getByText(words)).toBeVisible();
      await expect(page).toHaveURL(/#\/login$/);
      expect(await page.evaluate(() => localStorage.getItem("zhangfang_token"))).toBeNull();
    });
  test("a service that is away for seconds is asked again, and nobody signs in anew", async ({ page }) => {
    let times = 0;
    await page.route("**/api/account?*", (route) =>
      times++ < 2 ? route.fulfill({ status: 503, contentType: "text/html", body: "<html></html>" }) : route.continue(),
    );
    await page.goto(`/#${ADDRESS}`);
    await expect(page.getByText("服务器暂时无法访问，请稍后重试").first()).toBeVisible();
    await backAtAddress(page);
    expect(times).toBe(3);
  });

  test("a service that stays away leads to the login with words, and from there back to the same address", async ({ page }) => {
    await page.route("**/api/account?*", (route) => route.abort());
    await page.goto(`/#${ADDRESS}`);
    await expect(page.getByText("网络连接失败，请稍后重试").first()).toBeVisible();
    await expect(page).toHaveURL(/#\/login$/, { timeout: 20_000 });
    await page.unroute("**/api/account?*");
    await page.getByLabel("用户名").fill("mch01");
    await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await backAtAddress(page);
  });

  test("whoever was signed out for reloading too often comes back to the same address", async ({ page }) => {
    await page.goto(`/#${ADDRESS}`);
    await backAtAddress(page);
    await page.evaluate(() => sessionStorage.setItem("zhangfang_loads", JSON.stringify(Array.from({ length: 4 }, () => Date.now()))));
    await page.reload();
    await expect(page.getByText("页面刷新过于频繁，已退出登录，请稍后再登录")).toBeVisible();
    await page.getByLabel("用户名").fill("mch01");
    await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await backAtAddress(page);
  });
});
