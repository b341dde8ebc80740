import type { Browser, Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { aPhone, join } from "./phone.ts";
import { api, BASE_URL, SIMULATOR_URL } from "./world.ts";

// A provider makes a coupon and bears a part of it, another of its people lets it run, a merchant takes part, a customer uses it, half of the
// order goes back, and the claim is what is left of the provider's part.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "sp01" });

const view = (page: Page) => page.locator(".view:visible");
const question = (page: Page) => page.getByRole("dialog", { name: "提示" });
async function office<T>(login: "sp01" | "mch01", path: string, body: object): Promise<T> {
  const { status, data } = await api<T>(await sharedToken(login), "POST", path, body);
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
}
/** Another of the provider's people, who may approve. */
async function auditorOf(browser: Browser): Promise<Page> {
  const login = `券审${String(Date.now()).slice(-6)}`;
  const { id: positionId } = await office<{ id: string }>("sp01", "/api/positions/add", {
    requestId: crypto.randomUUID(),
    name: login,
    items: ["/ticket/list", "/ticket/details", "/ticket/list/audit"],
  });
  const username = `audit${Date.now() % 1_000_000}.sp01`;
  const { password } = await office<{ password: string }>("sp01", "/api/users/add", {
    login: username,
    firstName: "审核小周",
    level: "SP",
    positionId,
  });
  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username,
    password,
    newPassword: "Kontor#2026",
  });
  return pageOf(browser, data.id_token);
}
async function pageOf(browser: Browser, token: string): Promise<Page> {
  const context = await browser.newContext({
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    viewport: { width: 1440, height: 900 },
    baseURL: BASE_URL,
    storageState: signedIn(token),
  });
  return context.newPage();
}
const claimed = async (): Promise<number> =>
  (await api<{ openCents: number }>(await sharedToken("mch01"), "GET", "/api/coupons/subsidies/summary")).data.openCents;

test("a provider's coupon goes from the draft over a paid and half refunded order to what the merchant claims", async ({
  page,
  browser,
}) => {
  const before = await claimed();
  const name = `全城 ${String(Date.now()).slice(-6)}`;
  await page.goto("/#/ticket/list");
  await page.getByRole("button", { name: "新建优惠券" }).first().click();
  await view(page).getByRole("button", { name: "提交审核", exact: true }).click();
  await expect(page.getByText("请选择商户")).toBeVisible();
  await clean(page, "what is missing", ".view");
  await page.getByLabel("适用商户").fill("蜀味");
  await page
    .getByTitle(/蜀味川菜/)
    .first()
    .click();
  await page.keyboard.press("Escape");
  await page.getByLabel("服务商承担").fill("70");
  await page.getByLabel("券名称").fill(name);
  await page.getByLabel("每单满").fill("10");
  await page.getByLabel("减", { exact: true }).fill("3");
  await page.getByLabel("共", { exact: true }).fill("500");
  await expect(view(page)).toContainText("服务商最多承担 1,050.00 元");
  await expect(view(page)).toContainText("服务商承担 70%，商户承担 30%");
  await clean(page, "the form", ".view");
  await view(page).getByRole("button", { name: "提交审核 · 最高 1,500.00 元" }).click();
  await expect(page.getByRole("heading", { name: "优惠券详情" })).toBeVisible();
  await expect(view(page).getByRole("table", { name: "适用商户" })).toContainText("待接受");
  await clean(page, "what was made", ".view");
  await page.getByRole("button", { name: "审核" }).click();
  await expect(page.getByRole("dialog", { name: "审核优惠券" })).toContainText("创建人自己不能审核");
  await page.keyboard.press("Escape");

  const auditor = await auditorOf(browser);
  await auditor.goto("/#/ticket/list?state=UNAUDIT");
  await auditor.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "审核" }).click();
  const drawer = auditor.getByRole("dialog", { name: `审核优惠券 ${name}` });
  await drawer.getByLabel("通过，按时开始发").check();
  await drawer.getByRole("button", { name: "通过 · 最高 1,500.00 元" }).click();
  await question(auditor).getByRole("button", { name: "通过" }).click();
  await expect(auditor.getByText(`已通过「${name}」`)).toBeVisible();
  await auditor.context().close();

  // The merchant bears a part, so it is asked; before that its customers find nothing.
  const shop = await pageOf(browser, await sharedToken("mch01"));
  await shop.goto("/#/merchantTicket/list?show=offered");
  const offer = shop.getByRole("row").filter({ hasText: name });
  await expect(offer).toContainText("待接受");
  await clean(shop, "what the provider offers", ".view");
  await offer.getByRole("button", { name: "参加" }).click();
  await expect(question(shop)).toContainText("服务商承担 70%，商户承担 30%");
  await question(shop).getByRole("button", { name: "参加" }).click();
  await expect(offer).toContainText("已参加");

  const phone = await aPhone(browser);
  const { data } = await api<{ merchants: { id: string } }[]>(
    await sharedToken("mch01"),
    "GET",
    "/newokpayorderservice/api/stores/list?keyword=&type=all",
  );
  await join(phone, `/m/${data[0]!.merchants.id}`, "苏半夏");
  await phone.getByRole("button", { name: /领券中心/ }).click();
  await phone.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "领取" }).click();
  await expect(phone.getByRole("status")).toContainText(`已领「${name}」`);
  await phone.getByRole("button", { name: "我的券" }).click();
  await phone.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "出示" }).click();
  await expect(phone.locator(".digits")).toHaveAttribute("data-code", /^98\d{18}$/);
  const code = (await phone.locator(".digits").getAttribute("data-code"))!;
  await phone.context().close();

  const till = await browser.newPage({ locale: "zh-CN" });
  await till.goto(`${SIMULATOR_URL}/till`);
  await till.getByLabel("设备").selectOption("ZF-01-1");
  await till.getByLabel(/^金额/).fill("30.00");
  await till.getByLabel(/^券码/).fill(code);
  await till.getByRole("button", { name: "报价" }).click();
  await expect(till.getByRole("status")).toHaveText("应付 ¥27.00");
  await till.getByRole("button", { name: "填一个微信付款码" }).click();
  await till.getByRole("button", { name: "收款" }).click();
  await expect(till.getByRole("status")).toHaveText("已收款 ¥27.00");
  expect(await claimed()).toBe(before + 210);
  const orderNo = /P?\d{20,}/.exec(await till.locator("#orders small").first().innerText())![0];
  await till.close();

  // Half of it goes back, and half of the claim with it.
  await shop.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
  await shop.getByRole("row").filter({ hasText: orderNo }).getByRole("button", { name: "退款" }).click();
  const refund = shop.getByRole("dialog", { name: `退款 ${orderNo}` });
  await refund.getByLabel("退款金额").fill("13.50");
  await refund.getByRole("button", { name: "重复付款" }).click();
  await expect(refund).toContainText("服务商补贴收回 1.05 元");
  await refund.getByRole("button", { name: "确认退款 ¥13.50" }).click();
  await question(shop).getByRole("button", { name: "确认退款 ¥13.50" }).click();
  await expect(shop.getByRole("dialog", { name: "退款结果" }).getByRole("status")).toContainText("已退款");
  await expect.poll(claimed).toBe(before + 105);
  const { data: found } = await api<{ items: { id: string }[] }>(
    await sharedToken("mch01"),
    "GET",
    `/api/orders/pay-orders?keyword=${orderNo}`,
  );
  const trace = await api(await sharedToken("mch01"), "GET", `/api/orders/pay-orders/${found.items[0]!.id}/trace`);
  expect(JSON.stringify(trace.data)).toContain('"station":"subsidy"');
  await shop.goto("/#/merchantTicket/list?show=subsidies");
  await expect(view(shop)).toContainText("还没出结算单");
  await clean(shop, "what the provider owes", ".view");
  await shop.goto("/#/dataCentre/coupon");
  await expect(view(shop).getByRole("table", { name: "按券" })).toContainText(name);
  await clean(shop, "what coupons brought", ".view");
  await shop.context().close();

  // Its own coupon to members whom it does not see, of the merchant that takes part.
  await page.goto("/#/ticket/batchSend?panel=add:new");
  const sending = page.getByRole("dialog", { name: "新建批量发券任务" });
  await sending.getByLabel("优惠券", { exact: true }).click();
  const offered = page.locator(".ant-select-item-option:visible").filter({ hasText: `${name} · 满 10 减 3 · 剩 499` });
  await expect(offered).toBeVisible();
  await offered.click();
  await expect(sending.getByRole("button", { name: "上传名单" })).toHaveCount(0);
  await expect(sending).toContainText("只看得到人数，看不到会员是谁");
  await sending.getByLabel("累计消费满").fill("10");
  await sending.getByLabel("任务名称").fill(name);
  await expect(sending.getByText(/现在有 .* 人符合/)).toBeVisible();
  await clean(page, "a provider's sending", ".drawer");
  await sending.getByRole("button", { name: "开始发送" }).click();
  await expect(question(page)).toContainText("给所有参加商户的累计消费满 10.00 元的会员");
  await question(page)
    .getByRole("button", { name: /^发 .* 张$/ })
    .click();
  const sent = page.getByRole("dialog", { name: "批量发券任务" });
  await expect(sent).toContainText("已完成", { timeout: 60_000 });
  await expect(sent.getByRole("button", { name: "作废已发的券" })).toBeVisible();

  await page.goto("/#/ticket/list");
  await page.getByRole("row").filter({ hasText: name }).getByRole("link", { name }).click();
  await expect(view(page)).toContainText("服务商承担 2.10");
  await expect(view(page).getByRole("table", { name: "适用商户" })).toContainText("已参加");
  // Who made it does not say for whom else it may be.
  await page.getByRole("button", { name: "增加商户" }).click();
  const more = page.getByRole("dialog", { name: `增加适用商户 ${name}` });
  await clean(page, "more merchants", ".drawer");
  await more.getByLabel("商户").click();
  await expect(more.getByLabel("商户")).toHaveAttribute("aria-expanded", "true");
  await expect(page.locator(".ant-select-item-option:visible").first()).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await more.getByRole("button", { name: "增加 1 家" }).click();
  await expect(more).toContainText("须由另一人审核");
});

test("a month's statement is paid outside by the provider and confirmed by the merchant", async ({ page, browser }) => {
  await page.goto("/#/ticket/list?show=subsidies&state=WAITING");
  const row = page.getByRole("row").filter({ hasText: "待付款" }).first();
  await expect(row).toContainText("蜀味川菜");
  await clean(page, "statements", ".view");
  await row.click();
  const drawer = page.getByRole("dialog", { name: "补贴结算单" });
  await expect(drawer.getByRole("table", { name: "补贴明细" })).toContainText("用券");
  await clean(page, "a statement", ".drawer");
  const due = /[\d,]+\.\d\d/.exec(await drawer.innerText())![0];
  await drawer.getByRole("button", { name: "记录付款" }).click();
  const pay = page.getByRole("dialog", { name: "记录付款" });
  await pay.getByRole("button", { name: `已付 ${due} 元` }).click();
  await expect(pay.getByText(/^请填写/).first()).toBeVisible();
  await pay.getByLabel("付款凭证号").fill("工行回单 0926");
  await clean(page, "a payment", ".drawer");
  await pay.getByRole("button", { name: `已付 ${due} 元` }).click();
  await expect(page.getByText("已记录，等商户确认到账")).toBeVisible();

  const shop = await pageOf(browser, await sharedToken("mch01"));
  await shop.goto("/#/merchantTicket/list?show=subsidies&state=PAID");
  await shop.getByRole("row").filter({ hasText: "工行回单 0926" }).getByRole("button", { name: "确认到账" }).click();
  const answer = shop.getByRole("dialog", { name: "确认到账" });
  await answer.getByLabel("到账了，金额对").check();
  await clean(shop, "an answer", ".drawer");
  await answer.getByRole("button", { name: `确认收到 ${due} 元` }).click();
  await expect(shop.getByText("的补贴已结清")).toBeVisible();
  await shop.context().close();
});
