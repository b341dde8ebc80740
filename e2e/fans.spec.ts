import type { Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";
import { anotherToken } from "./office.ts";
import { aPhone, fits, join } from "./phone.ts";
import { api, PORT } from "./world.ts";

// A merchant connects its official account, WeChat tells of a new follower, and the follower gets the 粉丝券 by the link that comes back.
test.describe.configure({ timeout: 180_000 });
test.use({ login: "mch01" });

const wechat = async <T>(path: "check" | "raise", body: object): Promise<T> =>
  (await (await fetch(`http://127.0.0.1:${PORT + 3}/wechat-fans/${path}`, { method: "POST", body: JSON.stringify(body) })).json()) as T;
const shown = (page: Page, name: string) =>
  page.getByRole("dialog", { name: "公众号" }).locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]");

test("a new follower gets the 粉丝券 by the link that the account sends", async ({ page, browser }) => {
  const auditor = await anotherToken();
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
  await page.goto("/#/wxCRM/fans?view=channels");
  await page.getByRole("button", { name: "做渠道码" }).first().click();
  const adding = page.getByRole("dialog", { name: "做渠道码" });
  await adding.getByText("桌台", { exact: true }).click();
  await adding.getByRole("combobox", { name: "门店" }).fill("春熙路");
  await page
    .getByTitle(/春熙路店/)
    .last()
    .click();
  const table = `靠窗 ${String(Date.now()).slice(-6)}`;
  await adding.getByLabel("桌号").fill(`${table}\n`);
  await clean(page, "the form of a code", ".drawer");
  await adding.getByRole("button", { name: "提交" }).click();
  const code = page.getByRole("row").filter({ hasText: table });
  await expect(code).toContainText("可用", { timeout: 30_000 });
  await code.getByRole("button", { name: table }).click();
  const poster = page.getByRole("dialog", { name: `渠道码 ${table}` });
  await expect(poster.getByRole("img", { name: `${table}的渠道码海报` })).toBeVisible();
  const scan = (await poster.locator("dt", { hasText: "二维码内容" }).locator("xpath=following-sibling::dd[1]").innerText()).trim();
  const taken = page.waitForEvent("download");
  await poster.getByRole("button", { name: "下载 SVG" }).click();
  expect((await taken).suggestedFilename()).toMatch(/^渠道码-.*靠窗.*\.svg$/);

  const name = `关注有礼 ${String(Date.now()).slice(-6)}`;
  await page.goto("/#/wxCRM/fansCoupon");
  await page.getByRole("button", { name: "新建粉丝券" }).first().click();
  const making = page.getByRole("dialog", { name: "新建粉丝券" });
  await expect(making.getByText("扫哪些门店的渠道码")).toBeVisible();
  await making.getByLabel("活动名称").fill(name);
  await making.getByLabel("送积分").fill("66");
  await making.getByLabel("名额").fill("100");
  await expect(making.getByRole("region", { name: "规则和成本" })).toContainText("第一次关注公众号的会员可得");
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
  expect(reply).toContain(`「${name}」送 66 积分，点这里领取`);
  const link = /http:\S+/.exec(reply)![0];
  const phone = await aPhone(browser);
  await phone.goto(new URL(link).pathname + new URL(link).hash);
  await expect(phone.getByText("登录或加入会员，就能领取")).toBeVisible();
  await join(phone, "", "关小注");
  await expect(phone.getByRole("main")).toContainText(name);
  await expect(phone.getByRole("main")).toContainText("66 积分");
  await fits(phone, "关注礼");
  await phone.getByRole("button", { name: "看活动和我的奖品" }).click();
  await expect(async () => {
    await phone.reload();
    await expect(phone.getByRole("button", { name: new RegExp(name) })).toContainText("已到账", { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await phone.context().close();

  // Where they came from, and the day that counts them.
  await page.goto("/#/wxCRM/fans");
  const fan = page.getByRole("row").filter({ hasText: `桌台码 ${table}` });
  await expect(fan).toContainText("春熙路");
  await expect(fan).toContainText("在关注");
  await expect(fan.getByRole("link", { name: /^\d{10}$/ })).toBeVisible();
  await page.getByRole("button", { name: "同步粉丝" }).first().click();
  await expect(page.getByText(/同步完成：名单/).first()).toBeVisible({ timeout: 60_000 });
  await page.goto("/#/wxCRM/fansSummary?by=source");
  const figure = page.getByRole("row").filter({ hasText: `桌台码 ${table}` });
  await figure.getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "粉丝明细" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: table })).toHaveCount(1);
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
