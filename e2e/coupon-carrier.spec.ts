import type { Browser, Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { comeRound } from "./rounds.ts";
import { api, BASE_URL, SIMULATOR_URL } from "./world.ts";

// A merchant has WeChat carry a coupon: the batch is refused first, which stands as a difference, and is made by another try.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "mch01" });

const view = (page: Page) => page.locator(".view:visible");
async function office<T>(path: string, body: object): Promise<T> {
  const { status, data } = await api<T>(await sharedToken("mch01"), "POST", path, body);
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
}
/** Somebody else of the merchant approves it. */
async function approve(id: string): Promise<void> {
  const login = `carrier${Date.now() % 1_000_000}.mch01`;
  const items = ["/merchantTicket/list", "/merchantTicket/details", "/merchantTicket/list/audit"];
  const { id: positionId } = await office<{ id: string }>("/api/positions/add", {
    requestId: crypto.randomUUID(),
    name: `券审核员 ${login}`,
    items,
  });
  const { password } = await office<{ password: string }>("/api/users/add", { login, firstName: "审核小赵", level: "MCH", positionId });
  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username: login,
    password,
    newPassword: "Kontor#2026",
  });
  const { status } = await api(data.id_token, "POST", "/api/coupons/campaigns/decide", { id, version: 1, approve: true });
  expect(status).toBe(200);
}
const simulator = (call: string, body?: object) =>
  fetch(`${SIMULATOR_URL}/_control/${call}`, {
    method: body ? "POST" : "DELETE",
    headers: { "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
async function narrow(browser: Browser, at: string): Promise<Page> {
  const context = await browser.newContext({
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    viewport: { width: 390, height: 844 },
    colorScheme: "dark",
    baseURL: BASE_URL,
    storageState: signedIn(await sharedToken("mch01")),
  });
  const page = await context.newPage();
  await page.goto(at);
  return page;
}

test("WeChat carries a coupon, what it refused is listed, and another try makes it right", async ({ page, browser }) => {
  const name = `微信券 ${String(Date.now()).slice(-6)}`;
  for (let times = 0; times < 2; times++)
    await simulator("faults", { kind: "refuse", operation: "create-stock", code: "PARAM_ERROR", message: "券名称含有敏感词" });
  // The page asks every thirty seconds.
  await page.clock.install();
  await page.goto("/#/merchantTicket/new");
  await page.getByLabel("券名称").fill(name);
  await page.getByLabel("每单满").fill("80");
  await page.getByLabel("减", { exact: true }).fill("20");
  await page.getByLabel("共", { exact: true }).fill("50");
  await page.getByLabel("微信代金券").check();
  await view(page)
    .getByRole("button", { name: /^提交审核/ })
    .click();
  await expect(page.getByText("微信代金券只能用固定的使用时间段")).toBeVisible();
  await clean(page, "what WeChat does not take", ".view");
  await page.getByLabel("微信商家券").check();
  await view(page)
    .getByRole("button", { name: /^提交审核/ })
    .click();
  await expect(page.getByRole("heading", { name: "优惠券详情" })).toBeVisible();
  await expect(view(page)).toContainText("审核通过后才建批次");
  const id = new URL(page.url().replace("/#/", "/")).searchParams.get("id")!;
  await approve(id);
  const differences = async () => {
    await comeRound("tell-coupon-carriers");
    const token = await sharedToken("mch01");
    return (await api<{ items: unknown[] }>(token, "GET", `/api/coupons/differences?campaignId=${id}&pageSize=10`)).data.items.length;
  };
  await expect.poll(differences, { intervals: [1_000] }).toBe(1);
  await page.clock.fastForward(31_000);
  await expect(view(page).getByText("券名称含有敏感词")).toBeVisible();
  await expect(page.getByRole("table", { name: "同步差异" })).toContainText("没有批次");
  await clean(page, "a campaign that differs", ".view");
  const phone = await narrow(browser, `/#/merchantTicket/list?show=differences`);
  await phone.getByText("更多信息").first().click();
  await expect(phone.getByText("券名称含有敏感词").first()).toBeVisible();
  await clean(phone, "differences on a phone", ".view");
  await phone.goto(`/#/merchantTicket/details?id=${id}`);
  await expect(view(phone)).toContainText("券名称含有敏感词");
  await phone.context().close();

  await page.goto("/#/merchantTicket/list?show=differences");
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("建批次");
  await row.getByRole("button", { name: "重试" }).click();
  await expect(page.getByText("已再次告诉微信")).toBeVisible();
  await expect.poll(differences, { intervals: [1_000] }).toBe(0);
  await page.goto(`/#/merchantTicket/details?id=${id}`);
  await page.clock.fastForward(31_000);
  await expect(view(page).getByText("已同步")).toBeVisible();
  await expect(view(page)).toContainText("没有差异");
});
