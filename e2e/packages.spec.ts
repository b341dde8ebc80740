import type { Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { aPhone, fits, join } from "./phone.ts";
import { api } from "./world.ts";

// A merchant puts coupons together, another person lets them go, a customer buys them on a phone, and the office gives the price of what
// nobody used back.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "mch01" });

const view = (page: Page) => page.locator(".view:visible");
const question = (page: Page) => page.getByRole("dialog", { name: "提示" });
async function office<T>(path: string, body: object, token?: string): Promise<T> {
  const { status, data } = await api<T>(token ?? (await sharedToken("mch01")), "POST", path, body);
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
}
/** Somebody else of the same merchant, who may approve and no more: their session. */
async function anotherToken(): Promise<string> {
  const login = `packs${Date.now() % 1_000_000}.mch01`;
  const items = ["/merchantTicket/list", "/merchantTicket/list/audit", "/ticket/group", "/ticket/group/audit"];
  const requestId = crypto.randomUUID();
  const { id: positionId } = await office<{ id: string }>("/api/positions/add", { requestId, name: `券包审核员 ${login}`, items });
  const user = { login, firstName: "审核小李", level: "MCH", positionId };
  const { password } = await office<{ password: string }>("/api/users/add", user);
  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username: login,
    password,
    newPassword: "Kontor#2026",
  });
  return data.id_token;
}
async function campaign(auditor: string, name: string, terms: object): Promise<string> {
  const { id } = await office<{ id: string }>("/api/coupons/campaigns/add", {
    requestId: crypto.randomUUID(),
    name,
    terms: { kind: 1, validity: { mode: 3, wait: 0, count: 30, unit: "day" }, ...terms },
    total: 500,
    perPerson: 1,
    listed: false,
    beginsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 60 * 86_400_000).toISOString(),
  });
  await office("/api/coupons/campaigns/decide", { id, version: 1, approve: true }, auditor);
  return id;
}

test("a package is made, approved by somebody else, bought on a phone, and given back as far as nobody used it", async ({
  page,
  browser,
}) => {
  const mark = String(Date.now()).slice(-6);
  const [name, first, second] = [`早餐包 ${mark}`, `早餐券 ${mark}`, `咖啡券 ${mark}`];
  const auditor = await anotherToken();
  await campaign(auditor, first, { minCents: 2_000, offCents: 500 });
  await campaign(auditor, second, { minCents: 0, offCents: 200 });

  await page.goto("/#/ticket/group");
  await page.getByRole("button", { name: "新建券包" }).first().click();
  await view(page).getByRole("button", { name: "提交审核", exact: true }).click();
  await expect(page.getByText("请填写券包名称")).toBeVisible();
  await expect(page.getByText("请选择一种券")).toBeVisible();
  await clean(page, "what is missing", ".view");
  await page.getByLabel("券包名称").fill(name);
  await page.getByLabel("券 1", { exact: true }).click();
  await page.getByText(`${first} · 满 20 减 5`).click();
  await page.getByLabel("张数").first().fill("3");
  await page.getByRole("button", { name: "加一种券" }).click();
  await page.getByLabel("券 2", { exact: true }).click();
  await page.getByText(`${second} · 立减 2 元`).last().click();
  await page.getByRole("button", { name: "卖", exact: true }).click();
  await page.getByLabel("售价").fill("6.80");
  await page.getByLabel("一共").fill("100");
  const said = page.getByRole("complementary", { name: "这个券包" });
  await expect(said).toContainText(`6.80 元买一份，里面有「${first}」（满 20 减 5）3 张、「${second}」（立减 2 元）1 张，一次全给`);
  await expect(said).toContainText("1,700.00");
  await expect(said).toContainText("卖完能收 680.00 元");
  await clean(page, "the form", ".view");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await view(page).getByRole("button", { name: "提交审核 · 最高 1,700.00 元" }).click();
  const row = page.getByRole("row").filter({ hasText: name });
  await expect(row).toContainText("待审核");
  await row.getByRole("button", { name: "审核" }).click();
  await expect(page.getByRole("dialog", { name: "审核券包" })).toContainText("创建人自己不能审核");
  await clean(page, "the audit", ".drawer");
  await page.keyboard.press("Escape");
  const { data } = await api<{ items: { id: string }[] }>(auditor, "GET", `/api/coupons/packages?keyword=${encodeURIComponent(name)}`);
  await office("/api/coupons/packages/decide", { id: data.items[0]!.id, approve: true }, auditor);

  const { data: stores } = await api<{ merchants: { id: string } }[]>(
    await sharedToken("mch01"),
    "GET",
    "/newokpayorderservice/api/stores/list?keyword=&type=all",
  );
  const phone = await aPhone(browser);
  await join(phone, `/m/${stores[0]!.merchants.id}`, "顾一禾");
  await phone.getByRole("button", { name: /领券中心/ }).click();
  const offer = phone.getByRole("article").filter({ hasText: name });
  await expect(offer).toContainText("¥6.80");
  await expect(offer).toContainText("还有 100 份");
  await fits(phone, "领券中心");
  await offer.getByRole("button", { name: "看看" }).click();
  await expect(phone.getByText("4 张券，全部用上最多减 17.00 元")).toBeVisible();
  await fits(phone, "券包");
  await phone.getByRole("button", { name: "微信支付 ¥6.80" }).click();
  await expect(phone.getByRole("link", { name: "去付款" })).toBeVisible();
  await fits(phone, "paying");
  const [wallet] = await Promise.all([phone.waitForEvent("popup"), phone.getByRole("link", { name: "去付款" }).click()]);
  await wallet.getByRole("button", { name: "扫码支付" }).click();
  await expect(wallet.getByRole("status")).toHaveText("已支付");
  await expect(phone.getByRole("heading", { name: "买好了" })).toBeVisible();
  await fits(phone, "paid");
  await phone.getByRole("button", { name: "看我的券" }).click();
  await expect(phone.getByRole("article")).toHaveCount(4);

  // As many as one may have: it says so, and is not sold again.
  await phone.getByRole("button", { name: "去领券中心" }).click();
  await expect(offer).toContainText("已达每人限领份数");

  await page.goto(`/#/ticket/groupRecord?packageId=${data.items[0]!.id}`);
  const got = page.getByRole("row").filter({ hasText: name });
  await expect(got).toContainText("已用 0，未用 4");
  await got.getByRole("button", { name }).click();
  await expect(page.getByRole("dialog", { name: "券包领取详情" }).getByRole("row")).toHaveCount(5);
  await clean(page, "one that was received", ".drawer");
  await page.getByRole("dialog", { name: "券包领取详情" }).getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: "券包退款" });
  await expect(refund).toContainText("退掉并作废（4 张）");
  await refund.getByRole("button", { name: "确认退款 ¥6.80" }).click();
  await expect(refund).toContainText("请填写说明");
  await clean(page, "the refund", ".drawer");
  await refund.getByLabel("说明").fill("不想要了");
  await refund.getByRole("button", { name: "确认退款 ¥6.80" }).click();
  await expect(question(page)).toContainText("4 张没用的券作废");
  await question(page).getByRole("button", { name: "确认退款 ¥6.80" }).click();
  await expect(page.getByText("已提交退款，这些券不能再用")).toBeVisible();
  await page.goto(`/#/ticket/groupRecord?packageId=${data.items[0]!.id}`);
  await expect(async () => {
    await page.locator(".view:visible").getByRole("button", { name: "刷新" }).click();
    await expect(got).toContainText("已退款", { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await phone.getByRole("button", { name: "我的券" }).click();
  await phone.getByRole("button", { name: /^失效 4/ }).click();
  await expect(phone.getByRole("article").first()).toContainText("随券包退款了");
  await fits(phone, "given back");
  await phone.context().close();

  await page.goto(`/#/ticket/group?id=${data.items[0]!.id}`);
  const facts = page.getByRole("dialog", { name: "券包详情" });
  await expect(facts).toContainText("已减退款 6.80");
  await clean(page, "what it brought", ".drawer");
  await facts.getByRole("button", { name: "停止" }).click();
  await expect(question(page)).toContainText("剩下的 99 份不再发");
  await question(page).getByRole("button", { name: "停止券包" }).click();
  await expect(facts).toContainText("已停止");
});

test("a package is sent to members of a sheet, to each whole or not at all; it rests with its coupon, and goes on with it", async ({
  page,
}) => {
  const mark = String(Date.now()).slice(-6);
  const [name, coupon] = [`回店包 ${mark}`, `回店券 ${mark}`];
  const auditor = await anotherToken();
  const campaignId = await campaign(auditor, coupon, { minCents: 2_000, offCents: 500 });
  const { id } = await office<{ id: string }>("/api/coupons/packages/add", {
    requestId: crypto.randomUUID(),
    name,
    items: [{ campaignId, count: 2 }],
    total: 20,
    perPerson: 1,
    beginsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  });
  await office("/api/coupons/packages/decide", { id, approve: true }, auditor);
  const { data: members } = await api<{ items: { memberNo: string }[] }>(
    await sharedToken("mch01"),
    "GET",
    "/api/members?pageSize=10&status=1&stage=1",
  );
  const numbers = members.items.slice(0, 2).map(({ memberNo }) => memberNo);
  // Its coupon rests meanwhile, so nobody gets a part of it.
  await office("/api/coupons/campaigns/steer", { id: campaignId, act: "pause" });

  await page.goto("/#/ticket/batchSend?panel=add:new");
  const form = page.getByRole("dialog", { name: "新建批量发券任务" });
  await form.getByRole("button", { name: "券包" }).click();
  await form.getByRole("button", { name: "上传名单" }).click();
  await form.getByLabel("券包", { exact: true }).click();
  await page.getByText(`${name} · 1 种共 2 张 · 剩 20`).click();
  await expect(form).toContainText("每人整份发，少一张都不发。还剩 20 份");
  await form.locator("input[type=file]").setInputFiles({
    name: "名单.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`会员号\n${numbers.join("\n")}\n`),
  });
  await expect(form.getByText("已读取 2 人")).toBeVisible();
  await clean(page, "a package to send", ".drawer");
  await form.getByRole("button", { name: "开始发送" }).click();
  await expect(question(page)).toContainText(`给名单里的会员 2 人每人发一份券包「${name}」（1 种共 2 张）`);
  await question(page).getByRole("button", { name: "发 2 份" }).click();
  const made = page.getByRole("dialog", { name: "批量发券任务" });
  await expect(made).toContainText(`券包里的优惠券「${coupon}」已暂停或停止发放`, { timeout: 30_000 });
  await expect(made).toContainText("已发 0 / 2");
  await clean(page, "a sending that rests", ".drawer");
  await office("/api/coupons/campaigns/steer", { id: campaignId, act: "resume" });
  await made.getByRole("button", { name: "继续" }).click();
  await expect(made).toContainText("已发 2 / 2", { timeout: 30_000 });
  await made.getByRole("link", { name: new RegExp(name) }).click();
  await expect(page.getByRole("dialog").filter({ hasText: name })).toContainText("18");
});
