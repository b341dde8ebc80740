import type { Browser, Locator, Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";
import { anotherToken, office } from "./office.ts";
import { aPhone, fits, join } from "./phone.ts";
import { api, PORT, SIMULATOR_URL } from "./world.ts";

// A merchant connects its official account; who scans a store's code and follows gets a coupon by the link that comes back, and uses it at
// the till.
test.describe.configure({ timeout: 180_000 });
test.use({ login: "mch01" });

const wechat = async <T>(path: "check" | "raise", body: object): Promise<T> =>
  (await (await fetch(`http://127.0.0.1:${PORT + 3}/wechat-fans/${path}`, { method: "POST", body: JSON.stringify(body) })).json()) as T;
const STORE = "春熙路店";
const shown = (page: Page, name: string) =>
  page.getByRole("dialog", { name: "公众号" }).locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]");

/** A coupon that gives out, ¥3 off from ¥10 on. */
async function coupon(auditor: string, name: string): Promise<void> {
  const { id } = await office<{ id: string }>("/api/coupons/campaigns/add", {
    requestId: crypto.randomUUID(),
    name,
    terms: { kind: 1, minCents: 1_000, offCents: 300, validity: { mode: 3, wait: 0, count: 7, unit: "day" } },
    total: 100,
    perPerson: 1,
    beginsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 60 * 86_400_000).toISOString(),
    listed: false,
  });
  expect((await api(auditor, "POST", "/api/coupons/campaigns/decide", { id, version: 1, approve: true })).status).toBe(200);
}
/** The customer shows the coupon, the till takes ¥30 less it. */
async function usedAtTill(phone: Page, name: string, browser: Browser): Promise<void> {
  await phone.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "出示" }).click();
  const code = (await phone.locator(".digits").getAttribute("data-code"))!;
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
  await till.close();
  await phone.getByRole("button", { name: "返回" }).click();
  await phone.getByRole("button", { name: /^已用 1/ }).click();
  await expect(phone.getByRole("article").filter({ hasText: name })).toContainText("已用");
}

test("a new follower of a store's code gets the coupon by the link that the account sends, and uses it at the till", async ({
  page,
  browser,
}) => {
  const auditor = await anotherToken();
  const worth = `关注券 ${String(Date.now()).slice(-6)}`;
  await coupon(auditor, worth);
  await page.goto("/#/wxCRM/app");
  await page.getByRole("button", { name: "添加公众号" }).first().click();
  const form = page.getByRole("dialog", { name: "添加公众号" });
  await form.getByRole("button", { name: "添加", exact: true }).click();
  await expect(form.getByText("AppID 是 wx 开头的 18 位")).toBeVisible();
  await clean(page, "what is missing", ".drawer");
  const appId = `wx${String(Date.now()).padStart(16, "0")}`;
  await form.getByLabel("AppID").fill(appId);
  await form.getByLabel("公众号名称").fill("蜀味川菜");
  await form.getByRole("button", { name: "添加", exact: true }).click();
  const drawer = page.getByRole("dialog", { name: "公众号", exact: true });
  await expect(drawer).toContainText("还没接通");
  const appRow = new URL(page.url().replace("#/", "")).searchParams.get("id")!;
  await clean(page, "公众号", ".drawer");
  const said = async (name: string) => (await shown(page, name).innerText()).trim();
  const keys = { address: await said("服务器地址"), appId, token: await said("令牌 Token"), aesKey: await said("EncodingAESKey") };
  expect(await wechat("check", { ...keys, token: "wrong" })).toEqual({ taken: false });
  expect(await wechat("check", keys)).toEqual({ taken: true });
  await page.reload();
  await expect(drawer).toContainText("已接通，还没有收到消息");
  await drawer.getByRole("button", { name: "填写 AppSecret" }).click();
  const secret = page.getByRole("dialog", { name: "蜀味川菜 的凭据" });
  await secret.getByLabel("AppSecret").fill("0123456789abcdef".repeat(2));
  await clean(page, "凭据", ".drawer");
  await secret.getByRole("button", { name: "保存" }).click();
  await drawer.getByRole("button", { name: "测试" }).click();
  await expect(page.getByText("连上了，微信认这个 AppSecret")).toBeVisible();

  // A code for a store: WeChat gives it a moment later.
  await page.goto(`/#/wxCRM/fans?view=channels&appRow=${appRow}`);
  await page.getByRole("button", { name: "做渠道码" }).first().click();
  const adding = page.getByRole("dialog", { name: "做渠道码" });
  const pickStore = async (within: Locator, label: string): Promise<void> => {
    await within.getByRole("combobox", { name: label }).fill(STORE);
    await page.getByTitle(new RegExp(STORE)).last().click();
    await within.getByRole("heading").first().click();
  };
  await pickStore(adding, "门店");
  await clean(page, "the form of a code", ".drawer");
  await adding.getByRole("button", { name: "提交" }).click();
  const code = page.getByRole("row").filter({ hasText: STORE });
  await expect(code).toContainText("可用", { timeout: 30_000 });
  await code.getByRole("button", { name: STORE }).click();
  const poster = page.getByRole("dialog", { name: new RegExp(`^渠道码 .*${STORE}`) });
  await expect(poster.getByRole("img", { name: new RegExp(`${STORE}的渠道码海报`) })).toBeVisible();
  const scan = (await poster.locator("dt", { hasText: "二维码内容" }).locator("xpath=following-sibling::dd[1]").innerText()).trim();
  const taken = page.waitForEvent("download");
  await poster.getByRole("button", { name: "下载 SVG" }).click();
  expect((await taken).suggestedFilename()).toMatch(/^渠道码-.*春熙路店.*\.svg$/);

  const name = `关注有礼 ${String(Date.now()).slice(-6)}`;
  await page.goto("/#/wxCRM/fansCoupon");
  await page.getByRole("button", { name: "新建粉丝券" }).first().click();
  const making = page.getByRole("dialog", { name: "新建粉丝券" });
  await pickStore(making, "扫哪些门店的渠道码");
  await making.getByLabel("活动名称").fill(name);
  await making.getByLabel("送优惠券").click();
  await page.locator(".ant-select-item-option").filter({ hasText: worth }).click();
  await making.getByLabel("名额").fill("100");
  await expect(making.getByRole("region", { name: "规则和成本" })).toContainText("扫的是指定的 1 家门店渠道码的会员可得");
  await clean(page, "the form", ".drawer");
  await making.getByRole("button", { name: /^提交审核 ·/ }).click();
  await expect(page.getByRole("dialog", { name: "活动详情" })).toContainText("要由另一人审核");
  const id = new URL(page.url().replace("#/", "")).searchParams.get("id");
  expect((await api(auditor, "POST", "/api/activities/decide", { id, version: 1, approve: true })).status).toBe(200);
  // WeChat's times are whole seconds.
  const second = Math.floor(Date.now() / 1_000);
  await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(second);

  const openId = `oFan${String(Date.now()).padStart(22, "0")}`;
  const { reply } = await wechat<{ reply: string }>("raise", { ...keys, openId, event: "scan", scan });
  expect(reply).toMatch(new RegExp(`「${name}」送 .*满 10 减 3.*，点这里领取`));
  const link = /http:\S+/.exec(reply)![0];
  const phone = await aPhone(browser);
  await phone.goto(new URL(link).pathname + new URL(link).hash);
  await expect(phone.getByText("登录或加入会员，就能领取")).toBeVisible();
  await join(phone, "", "关小注");
  await expect(phone.getByRole("main")).toContainText(name);
  await expect(phone.getByRole("main")).toContainText("满 10 减 3");
  await fits(phone, "关注礼");
  await phone.getByRole("button", { name: "看活动和我的奖品" }).click();
  await expect(async () => {
    await phone.reload();
    await expect(phone.getByRole("button", { name: new RegExp(name) })).toContainText("已到账", { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await phone.getByRole("button", { name: new RegExp(name) }).click();
  await phone
    .getByRole("region", { name: "我的奖品" })
    .getByRole("button", { name: new RegExp(worth) })
    .first()
    .click();
  await usedAtTill(phone, worth, browser);
  await phone.context().close();

  // Where they came from, and the day that counts them.
  await page.goto(`/#/wxCRM/fans?appRow=${appRow}`);
  const fan = page.getByRole("row").filter({ hasText: "门店码" });
  await expect(fan).toContainText(STORE);
  await expect(fan).toContainText("在关注");
  await expect(fan.getByRole("link", { name: /^\d{10}$/ })).toBeVisible();
  await page.getByRole("button", { name: "同步粉丝" }).first().click();
  await expect(page.getByText(/同步完成：名单/).first()).toBeVisible({ timeout: 60_000 });
  await page.goto(`/#/wxCRM/fansSummary?by=source&appRow=${appRow}`);
  const figure = page.getByRole("row").filter({ hasText: "门店码" });
  await figure.getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "粉丝明细" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: STORE })).toHaveCount(1);
  expect(await wechat("raise", { ...keys, openId, event: "unsubscribe" })).toEqual({ status: 200, reply: null });

  await page.goto("/#/wxCRM/app");
  const row = page.getByRole("row").filter({ hasText: appId });
  await row.getByRole("button", { name: "修改" }).click();
  const edit = page.getByRole("dialog", { name: "修改 蜀味川菜" });
  await edit.getByLabel("收微信发来的消息").click();
  await edit.getByRole("button", { name: "保存" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "停用" }).click();
  await expect(row).toContainText("停用");
  expect(await wechat("raise", { ...keys, openId, event: "subscribe" })).toMatchObject({ status: 401 });
});
