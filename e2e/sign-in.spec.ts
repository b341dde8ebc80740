import type { Locator, Page } from "@playwright/test";
import { expect, signedIn, test } from "./journey.ts";
import { api, PASSWORD, signIn, tokenOf } from "./world.ts";

const BOTH_TREES = ["蜀味川菜", "晨光便利", "麦香烘焙", "江南小笼"];
const STORES = ["春熙路店", "建设路店", "天府三街店", "宽窄巷子店"];
const LISTS = ["支付订单", "支付退款订单"];
const MERCHANT = ["商户概览", ...LISTS, "退款申请", "门店收款", "导出记录"];
const ABOVE = ["数据概览", ...LISTS, "导出记录"];

/** Who they are, what their menu holds, and of whom a list of orders shows them something and never anything. */
const ACCOUNTS = {
  admin: { entity: "平台", home: "数据看板", menu: ABOVE, sees: BOTH_TREES, never: [] },
  sp01: {
    entity: "禾木智慧商业",
    home: "概览",
    menu: ["服务商概览", ...LISTS, "退款申请", "导出记录"],
    sees: ["蜀味川菜", "晨光便利", "麦香烘焙"],
    never: ["江南小笼", "邻里超市"],
  },
  agent01: {
    entity: "锦城商务代理",
    home: "数据看板",
    menu: ABOVE,
    sees: ["蜀味川菜", "晨光便利"],
    never: ["麦香烘焙", "悦颜美容", "江南小笼"],
  },
  group01: {
    entity: "西南业务集团",
    home: "数据看板",
    menu: ABOVE,
    sees: ["蜀味川菜", "麦香烘焙"],
    never: ["晨光便利", "百草堂药房", "江南小笼"],
  },
  team01: {
    entity: "成渝直营团队",
    home: "数据看板",
    menu: ABOVE,
    sees: ["蜀味川菜", "麦香烘焙"],
    never: ["晨光便利", "百草堂药房", "江南小笼"],
  },
  mch01: { entity: "蜀味川菜", home: "概览", menu: MERCHANT, sees: STORES, never: ["玉林路店", "河坊街店", "解放碑店"] },
  area01: { entity: "蜀味川菜", home: "概览", menu: MERCHANT, sees: STORES.slice(0, 2), never: [...STORES.slice(2), "河坊街店"] },
  emp01: { entity: "蜀味川菜", home: "概览", menu: MERCHANT, sees: STORES.slice(0, 1), never: [...STORES.slice(1), "河坊街店"] },
  sp02: {
    entity: "云岸数字",
    home: "概览",
    menu: ["服务商概览", ...LISTS, "退款申请", "导出记录"],
    sees: ["江南小笼", "邻里超市"],
    never: ["蜀味川菜", "晨光便利", "鲜果时光"],
  },
  mch02: { entity: "江南小笼", home: "概览", menu: MERCHANT, sees: ["河坊街店", "武林广场店"], never: [...STORES, "鼓楼店"] },
};

const entityIn = (page: Page): Locator => page.getByRole("banner").locator(".entity");
/** Some order of a merchant of the other tree: sp02's for the first, sp01's for the second. */
async function foreignOrder(login: string): Promise<{ id: string; orderNo: string }> {
  const other = login === "sp02" || login === "mch02" ? "mch03" : "mch02";
  const { data } = await api<{ items: { id: string; orderNo: string }[] }>(
    await tokenOf(other),
    "GET",
    "/api/orders/pay-orders?pageSize=10",
  );
  return data.items[0]!;
}

for (const [login, { entity, home, menu, sees, never }] of Object.entries(ACCOUNTS)) {
  test(`${login} signs in and sees its own world only`, async ({ page }) => {
    await signIn(page, login);
    await expect(entityIn(page)).toHaveText(entity);
    await expect(page).toHaveTitle(`${home} - ${entity}`);
    if (home === "概览") {
      await expect(page.getByRole("heading", { level: 1, name: "昨日经营" })).toBeVisible();
      await expect(page.locator(".view:visible .stat-value").first()).toHaveText(/^[\d,]+\.\d\d$/);
    }
    const sidebar = page.getByRole("navigation", { name: "主菜单" });
    await sidebar.getByRole("button", { name: "数据中心" }).click();
    // What it has for sure; the menu's own rules are tested where they stand.
    for (const line of menu) await expect(sidebar.getByRole("link", { name: line, exact: true })).toBeVisible();

    // The oldest of everybody's: what one merchant sells in the meantime does not crowd the others out.
    await page.goto("/#/dataCentre/payOrder?pageSize=100&sort=createdAt");
    const table = page.getByRole("table", { name: "支付订单" });
    for (const name of sees) await expect(table.getByRole("cell", { name, exact: true }).first()).toBeVisible();
    const shown = await page.locator("body").innerText();
    for (const name of never) expect(shown).not.toContain(name);

    if (login === "admin") return;
    // A number of another world, typed or sent along by somebody, leads nowhere and says nothing.
    const foreign = await foreignOrder(login);
    await page.goto(`/#/dataCentre/payOrder?keyword=${foreign.orderNo}`);
    await expect(page.getByText("没有符合筛选条件的数据")).toBeVisible();
    await page.goto(`/#/dataCentre/payOrder?id=${foreign.id}`);
    await expect(page.getByRole("dialog").getByRole("alert")).toContainText("不存在");
  });
}

test("a wrong password and an unknown login get one answer, and after three failures a captcha is asked for", async ({ page }) => {
  const tried = async (login: string): Promise<string> => {
    await page.getByLabel("用户名").fill(login);
    await page.getByLabel("密码", { exact: true }).fill("Wrong#2026");
    const answer = page.waitForResponse("**/api/authenticateNew*");
    await page.getByRole("button", { name: "登录", exact: true }).click();
    await (await answer).finished();
    await expect(page.getByRole("button", { name: "登录", exact: true })).toBeEnabled();
    return page.getByRole("alert").innerText();
  };
  await page.goto("/#/login");
  const said = await tried("mch06");
  expect(said).toMatch(/[一-龥]/);
  expect(await tried(`nobody-${Date.now()}`)).toBe(said);
  await expect(page.getByLabel("图形验证码", { exact: true })).toBeHidden();
  await tried("mch06");
  await tried("mch06");
  const captcha = page.getByRole("textbox", { name: "图形验证码" });
  await expect(captcha).toBeFocused();
  await expect(page.getByRole("img", { name: "图形验证码" })).toBeVisible();
  // From here on the right password alone is not enough, and a guess at the picture is not either.
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await captcha.fill("aaaaa");
  await page.getByRole("button", { name: "登录", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("验证码");
  expect(await page.evaluate(() => localStorage.getItem("zhangfang_token"))).toBeNull();
});

test("an address that was opened before the login is opened after it", async ({ page }) => {
  const address = "/dataCentre/payRefund?status=2&pageSize=20";
  await page.goto(`/#${address}`);
  await expect(page).toHaveURL(/#\/login$/);
  await expect(page.getByText("登录已过期")).toBeVisible();
  await page.getByLabel("用户名").fill("mch01");
  await page.getByLabel("密码", { exact: true }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "支付退款订单", level: 1 })).toBeVisible();
  expect(page.url()).toContain(`#${address}`);
});

test("logging out ends the session on the server and leaves nothing of the account behind", async ({ page }) => {
  await signIn(page, "mch03");
  await page.goto("/#/dataCentre/payOrder");
  await page.getByRole("button", { name: "列设置" }).click();
  await page.getByRole("button", { name: "紧凑" }).click();
  const token = await page.evaluate(() => localStorage.getItem("zhangfang_token") ?? "");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /账号菜单/ }).click();
  await page.getByRole("button", { name: "退出登录" }).click();
  await expect(page).toHaveURL(/#\/login$/);
  await expect(page).toHaveTitle("智慧商业服务平台");
  expect((await api(token, "GET", "/api/account")).status).toBe(401);
  const left = await page.evaluate(() =>
    [...Object.entries(localStorage), ...Object.entries(sessionStorage)].map((pair) => pair.join("=")),
  );
  expect(left.filter((pair) => /mch03|晨光|token|user_item|offspring|backNavbar|draft|recent/.test(pair))).toEqual([]);
  // The page that was left can't be gone back to.
  await page.goBack();
  await expect(page).toHaveURL(/#\/login$/);
});

test("a page that does not exist, or that the account does not hold, is one and the same page", async ({ page }) => {
  await signIn(page, "agent01");
  for (const path of ["/nowhere/at/all", "/dataCentre/storeOrder", "/admin/serviceProvider"]) {
    await page.goto(`/#${path}`);
    await expect(page).toHaveURL(/#\/404$/);
    await expect(page).toHaveTitle("页面不存在或无权访问 - 锦城商务代理");
    await expect(page.getByText("请联系管理员开通")).toBeVisible();
  }
  await page.getByRole("link", { name: "返回首页" }).click();
  await expect(page).toHaveTitle("数据看板 - 锦城商务代理");
});

test("reloading again and again warns, then signs out", async ({ page }) => {
  await signIn(page, "mch01");
  await page.reload();
  await expect(entityIn(page)).toBeVisible();
  await expect(page.getByText("请勿频繁刷新页面")).toBeHidden();
  await page.reload();
  await expect(page.getByText("请勿频繁刷新页面")).toBeVisible();
  await expect(entityIn(page)).toBeVisible();
  await page.reload();
  await expect(entityIn(page)).toBeVisible();
  await page.reload();
  await expect(page.getByText("页面刷新过于频繁，已退出登录，请稍后再登录")).toBeVisible();
  await expect(page).toHaveURL(/#\/login$/);
  expect(await page.evaluate(() => localStorage.getItem("zhangfang_token"))).toBeNull();
});

test("a phone that is signed in lets a browser in, by the number that stands there", async ({ page, browser }) => {
  const phone = await (
    await browser.newContext({ storageState: signedIn(await tokenOf("mch01")), viewport: { width: 390, height: 844 } })
  ).newPage();
  const scan = async (): Promise<string> => {
    const asked = page.waitForResponse((response) => response.url().includes("/api/qr-requests?"));
    await page.getByRole("tab", { name: "扫码登录" }).click();
    const { requestId } = (await (await asked).json()) as { requestId: string };
    await expect(page.getByRole("img", { name: /二维码/ })).toBeVisible();
    const number = await page.locator(".login-match strong").innerText();
    await phone.goto(`/#/qr-confirm?requestId=${requestId}`);
    await expect(phone.getByRole("heading", { name: "确认登录" })).toBeVisible();
    await expect(page.getByText("已扫码")).toBeVisible();
    return number;
  };
  const answer = async (number: string): Promise<void> => {
    await phone.getByLabel("电脑上显示的数字").fill(number);
    await phone.getByRole("button", { name: "确认登录" }).click();
  };
  await page.goto("/#/login");
  const first = await scan();
  await answer(String((Number(first) + 1) % 100).padStart(2, "0"));
  await expect(phone.getByText("数字不一致，本次登录已拒绝")).toBeVisible();
  await expect(page.getByText("手机端已拒绝登录")).toBeVisible();

  await page.getByRole("tab", { name: "密码登录" }).click();
  await answer(await scan());
  await expect(phone.getByText("已确认，电脑端正在登录")).toBeVisible();
  await expect(entityIn(page)).toHaveText("蜀味川菜");
  await phone.context().close();
});

test("a ticket that is used up signs nobody in and does not stay in the address", async ({ page }) => {
  await page.goto("/#/autoLogin?requestId=used-up-long-ago&serviceProviderId=");
  await expect(page.getByText("登录凭证无效或已使用")).toBeVisible();
  expect(page.url()).not.toContain("requestId");
  await page.getByRole("link", { name: "使用密码登录" }).click();
  await expect(page.getByLabel("用户名")).toBeVisible();
});

test("a provider acts for a merchant below it, says so on every page, and comes back", async ({ page }) => {
  await signIn(page, "sp01");
  const own = await page.evaluate(() => localStorage.getItem("zhangfang_token") ?? "");
  const { token } = await actAs(own, "mch01");
  await page.evaluate(
    ([acting, before]) => {
      localStorage.setItem("zhangfang_own_token", before!);
      localStorage.setItem("zhangfang_token", acting!);
    },
    [token, own],
  );
  await page.reload();
  const banner = page.getByText("真实操作人 sp01");
  await expect(banner).toBeVisible();
  await expect(entityIn(page)).toHaveText("蜀味川菜");
  await page.goto("/#/dataCentre/payOrder");
  await expect(page.getByRole("table", { name: "支付订单" })).toBeVisible();
  await expect(banner).toBeVisible();
  await page.getByRole("button", { name: "退出代管" }).click();
  await expect(entityIn(page)).toHaveText("禾木智慧商业");
  expect((await api(token, "GET", "/api/account")).status).toBe(401);
});

test("nobody acts for somebody beside or above them", async () => {
  for (const [who, whom] of [
    ["sp01", "admin"],
    ["sp01", "sp02"],
    ["sp01", "mch02"],
    ["mch01", "mch03"],
    ["agent01", "mch04"],
    ["emp01", "mch01"],
    ["mch01", "mch01"],
  ] as const)
    expect(await actAs(await tokenOf(who), whom), `${who} for ${whom}`).toMatchObject({ token: undefined });
});

async function actAs(own: string, whom: string): Promise<{ token: string | undefined }> {
  const userId = await userIdOf(whom);
  const answer = await api<{ code?: number; data?: string | null }>(
    own,
    "POST",
    `/sfpfacadeservicepc/api/authorize/manualLogin?userId=${userId}`,
  );
  return { token: answer.data.code === 200 ? (answer.data.data ?? undefined) : undefined };
}
const userIdOf = async (login: string): Promise<string> => (await api<{ id: string }>(await tokenOf(login), "GET", "/api/account")).data.id;
