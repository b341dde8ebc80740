import type { Browser, Page } from "@playwright/test";
import { openXlsx } from "@zhangfang/server/lists/xlsx-writer.ts";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { anotherToken, office } from "./office.ts";
import { api, BASE_URL, PASSWORD, sell, tokenOf } from "./world.ts";

// 待办 on the homes: from 'it waits' to 'it is gone', each through the sentence that says so. Others may add to a kind meanwhile: what a
// sentence counts is held against its list, and one's own row is looked for by its name.
test.describe.configure({ timeout: 180_000 });

interface Todo {
  readonly key: string;
  readonly count: number;
  readonly to: string;
}
const todoOf = async (token: string, key: string): Promise<Todo | undefined> =>
  (await api<{ todos: Todo[] }>(token, "GET", "/api/todos")).data.todos.find((todo) => todo.key === key);
const card = (page: Page) => page.getByRole("region", { name: "待办" });
/** The card stands before its counts do. */
async function counted(page: Page): Promise<void> {
  await expect(card(page)).toBeVisible();
  await expect(card(page)).not.toContainText("正在统计");
}
/** Opens the home and waits until it says what waits. */
async function home(page: Page): Promise<void> {
  await page.goto("/#/");
  await counted(page);
  const more = card(page).getByRole("button", { name: /^展开其余/ });
  if ((await more.count()) > 0) await more.click();
}
const question = (page: Page) => page.locator("dialog.ask");
const pageOf = async (browser: Browser, token: string): Promise<Page> => {
  const viewport = { width: 1440, height: 900 };
  const context = await browser.newContext({
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    viewport,
    baseURL: BASE_URL,
    storageState: signedIn(token),
  });
  return context.newPage();
};

test.describe("a merchant", () => {
  test.use({ login: "mch01" });

  test("is told of a refund that waits, decides it where the sentence leads, and is told no more", async ({ page }) => {
    const { orderNo } = await sell(80_000, "包间消费");
    const clerk = await sharedToken("emp01");
    const order = (await api<{ items: { id: string }[] }>(clerk, "GET", `/api/orders/pay-orders?keyword=${orderNo}`)).data.items[0]!;
    const asked = await api<{ refundId: string; refundNo: string }>(clerk, "POST", "/api/orders/refunds", {
      requestId: crypto.randomUUID(),
      orderId: order.id,
      amountCents: 70_000,
      reason: "重复付款",
    });
    expect(asked.status).toBe(200);
    const { refundId, refundNo } = asked.data;
    // Who asked is not told of it.
    expect(await todoOf(clerk, "refunds-to-approve")).toBeUndefined();
    await home(page);
    const told = card(page).getByRole("link", { name: /笔退款等待审批/ });
    await expect(told).toBeVisible();
    await clean(page, "待办", ".todos");
    await told.click();
    await expect(page).toHaveURL(/\/dataCentre\/refund\?state=pending/);
    await page.goto(`/#/dataCentre/refund?state=pending&panel=decide:${refundId}`);
    const drawer = page.getByRole("dialog", { name: `退款审批 ${refundNo}` });
    await drawer.getByLabel("驳回").check();
    await drawer.getByLabel("驳回原因").fill("监控显示已用餐");
    await drawer.getByRole("button", { name: "驳回退款 ¥700.00" }).click();
    await expect(drawer).toBeHidden();
    const token = await sharedToken("mch01");
    const { data } = await api<{ items: { id: string; decidable: boolean }[] }>(
      token,
      "GET",
      "/api/orders/refund-requests?state=pending&pageSize=100",
    );
    expect(data.items.map(({ id }) => id)).not.toContain(refundId);
    await expect
      .poll(async () => (await todoOf(token, "refunds-to-approve"))?.count ?? 0)
      .toBe(data.items.filter(({ decidable }) => decidable).length);
  });

  test("a coupon waits for somebody else than who made it, and no longer once they said yes", async ({ page, browser }) => {
    const name = `待办券 ${Date.now() % 1_000_000}`;
    await office("/api/coupons/campaigns/add", {
      requestId: crypto.randomUUID(),
      name,
      terms: { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 7, unit: "day" } },
      total: 5_000,
      perPerson: 10,
      beginsAt: new Date(Date.now() - 60_000).toISOString(),
      endsAt: new Date(Date.now() + 60 * 86_400_000).toISOString(),
      listed: false,
    });
    const auditor = await anotherToken(["/", "/merchantTicket/list", "/merchantTicket/list/audit", "/merchantTicket/details"]);
    const other = await pageOf(browser, auditor);
    await home(other);
    const told = card(other).getByRole("link", { name: /张优惠券等待审核/ });
    const count = (await todoOf(auditor, "campaigns"))!.count;
    await expect(told).toContainText(`${count} 张优惠券等待审核`);
    await other.goto("/#/merchantTicket/list?state=UNAUDIT");
    await other.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "审核" }).click();
    const drawer = other.getByRole("dialog", { name: `审核优惠券 ${name}` });
    await drawer.getByLabel("通过，按时开始发").check();
    await drawer.getByRole("button", { name: /^通过 · 最高/ }).click();
    await question(other).getByRole("button", { name: "通过" }).click();
    await expect(other.getByText(`已通过「${name}」`)).toBeVisible();
    // Back at home nothing of it is said any more, unless others wait meanwhile.
    const left = (await todoOf(auditor, "campaigns"))?.count ?? 0;
    await other.goto("/#/");
    await counted(other);
    if (left === 0) await expect(card(other).getByRole("link", { name: /张优惠券等待审核/ })).toHaveCount(0);
    expect(
      (await api<{ items: { name: string }[] }>(auditor, "GET", "/api/coupons/campaigns?state=UNAUDIT&pageSize=100")).data.items.map(
        (one) => one.name,
      ),
    ).not.toContain(name);
    await other.context().close();
    await page.close();
  });

  test("points that somebody gives beyond the line wait for another, who answers in the list", async ({ page }) => {
    const other = await anotherToken(["/member/member", "/member/pointsAdd", "/member/pointsAdd/adjust"]);
    const token = await sharedToken("mch01");
    const { data } = await api<{ items: { memberNo: string }[] }>(token, "GET", "/api/members?status=1&stage=1&pageSize=20");
    const note = `补发 ${Date.now() % 1_000_000}`;
    const asked = { requestId: crypto.randomUUID(), memberNo: data.items[0]!.memberNo, points: 50_000, reason: "comfort", note };
    expect((await api<{ status: number }>(other, "POST", "/api/points/adjustments", asked)).data.status).toBe(0);
    await home(page);
    await card(page)
      .getByRole("link", { name: /笔积分调整等待审核/ })
      .click();
    await expect(page).toHaveURL(/\/member\/pointsAdd\?status=0/);
    await page.getByRole("row").filter({ hasText: note }).getByRole("button", { name: "驳回" }).click();
    await question(page).getByRole("button").last().click();
    await expect(page.getByRole("row").filter({ hasText: note })).toHaveCount(0);
    // Those that they asked for themselves wait for others.
    const { data: waiting } = await api<{ items: { mine: boolean }[] }>(token, "GET", "/api/points/adjustments?status=0&pageSize=100");
    await expect
      .poll(async () => (await todoOf(token, "point-adjustments"))?.count ?? 0)
      .toBe(waiting.items.filter(({ mine }) => !mine).length);
  });
});

test.describe("a provider", () => {
  test.use({ login: "sp01" });

  // The bank transfer that an approved one leaves to record: todos.test.ts (withdrawals-to-record) and RecordDrawer.test.tsx.
  test("is told of a withdrawal, and no more once it was refused", async ({ page }) => {
    const agent = await tokenOf("agent01");
    const { data: terms } = await api<{ accounts: { id: string; usable: boolean }[] }>(agent, "GET", "/api/commissions/withdrawal-terms");
    const applied = await api<{ id: string; withdrawalNo: string }>(agent, "POST", "/api/commissions/withdrawals", {
      requestId: crypto.randomUUID(),
      accountId: terms.accounts.find(({ usable }) => usable)!.id,
      amountCents: 200,
      password: PASSWORD,
    });
    expect(applied.status, JSON.stringify(applied.data)).toBe(200);
    const { id, withdrawalNo } = applied.data;
    await home(page);
    await expect(card(page).getByRole("link", { name: /笔提现等待审核/ })).toBeVisible();
    await page.goto(`/#/dataCentre/withdrawal?status=0&panel=decide:${id}`);
    const drawer = page.getByRole("dialog", { name: `审核提现 ${withdrawalNo}` });
    await drawer.getByLabel("驳回", { exact: true }).check();
    await drawer.getByLabel("驳回原因").fill("账户姓名不符");
    await clean(page, "审核提现", ".drawer");
    await drawer.getByRole("button", { name: /^驳回提现/ }).click();
    await expect(drawer).toBeHidden();
    const token = await sharedToken("sp01");
    const { data } = await api<{ perStatus: { status: number; count: number }[] }>(token, "GET", "/api/commissions/withdrawals/summary");
    const waiting = data.perStatus.find(({ status }) => status === 0)!.count;
    await expect.poll(async () => (await todoOf(token, "withdrawals-to-decide"))?.count ?? 0).toBe(waiting);
  });
});

const HEADINGS = ["商户名称*", "商户简称*", "联系人*", "联系电话*", "登录名*", "行业", "省份", "城市"];
async function workbook(rows: readonly (readonly string[])[]) {
  const pieces: Buffer[] = [];
  const columns = HEADINGS.map((label) => ({ label, kind: "text" as const, width: 16 }));
  const book = await openXlsx(async (bytes) => void pieces.push(Buffer.from(bytes)), { sheetName: "商户", columns });
  await book.write(rows);
  await book.end();
  return { name: "待办商户.xlsx", mimeType: "application/octet-stream", buffer: Buffer.concat(pieces) };
}

test.describe("whoever brings a sheet", () => {
  test.use({ login: "sp02" });

  test("is told that it was not begun, then that lines are left, and of nothing when all are in", async ({ page }) => {
    const tag = `todo${Date.now() % 1_000_000}`;
    const row = (nth: number, phone: string) => [
      `苏州${tag}${nth}茶业有限公司`,
      `${tag}${nth}`,
      "陆羽",
      phone,
      `${tag}-${nth}`,
      "",
      "江苏",
      "苏州",
    ];
    await page.goto("/#/merchants/merchants?panel=import:new");
    await page.locator("input[type=file]").setInputFiles(await workbook([row(1, "13912345678"), row(2, "1")]));
    const sheet = page.getByRole("dialog", { name: "导入商户" });
    await expect(sheet.getByText("可导入 1，有误 1")).toBeVisible();
    // Others bring sheets too: this one is opened by its own address.
    await expect(page).toHaveURL(/panel=import(:|%3A)[0-9a-f]/);
    const own = page.url();
    const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(own)!;
    const token = await sharedToken("sp02");
    await home(page);
    await expect(card(page).getByRole("link", { name: /份表格已上传，还没开始导入/ })).toBeVisible();
    expect((await todoOf(token, "imports-waiting"))!.to).toMatch(/panel=import:/);
    await page.goto(own);
    await sheet.getByRole("button", { name: "导入 1 家商户" }).click();
    await expect(sheet.getByText("已完成")).toBeVisible({ timeout: 20_000 });
    await home(page);
    const left = card(page).getByRole("link", { name: /份表格有没导入的行/ });
    await expect(left).toBeVisible();
    await page.goto(own);
    await sheet.getByLabel("第 3 行 联系电话").fill("13800001234");
    await page.keyboard.press("Enter");
    await sheet.getByRole("button", { name: "导入 1 家商户" }).click();
    await expect(sheet.getByText("已导入 2").first()).toBeVisible({ timeout: 20_000 });
    await expect.poll(async () => JSON.stringify((await todoOf(token, "imports-left-over")) ?? "")).not.toContain(id);
  });
});

test.describe("first steps", () => {
  test("a new merchant finds what to set up, puts it away, and has it back from the account menu", async ({ browser }) => {
    const boss = await sharedToken("sp02");
    const login = `steps${Date.now() % 1_000_000}`;
    const made = await api<{ password: string }>(boss, "POST", "/api/organisation/merchants/add", {
      requestId: crypto.randomUUID(),
      name: `${login}小吃店`,
      shortName: login,
      contactName: "陆羽",
      contactPhone: "13912345678",
      login,
    });
    expect(made.status, JSON.stringify(made.data)).toBe(200);
    const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
      username: login,
      password: made.data.password,
      newPassword: "Kontor#2026",
    });
    const page = await pageOf(browser, data.id_token);
    await page.goto("/#/");
    const list = page.getByRole("region", { name: "入门清单" });
    await expect(list).toContainText("已完成 0 / 5");
    await expect(card(page).getByRole("link", { name: /还没有开通支付通道/ })).toBeVisible();
    await clean(page, "入门清单");
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await list.getByRole("link", { name: "开通支付通道", exact: true }).click();
    await expect(page.getByRole("button", { name: "设置密钥" })).toBeVisible();
    await page.goBack();
    await list.getByRole("link", { name: "开第一家门店" }).click();
    await expect(page.getByRole("dialog", { name: "新建门店" })).toBeVisible();
    await page.goto("/#/");
    await list.getByRole("button", { name: "不再显示" }).click();
    await expect(list).toBeHidden();
    await page.reload();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByText("还没有收款").first()).toBeVisible();
    await expect(list).toHaveCount(0);
    await page.getByRole("button", { name: /账号菜单/ }).click();
    await page.getByRole("link", { name: "入门清单" }).click();
    await expect(list).toBeVisible();
    await page.context().close();
  });
});
