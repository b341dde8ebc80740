import type { Browser, Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { aPhone, fits, join } from "./phone.ts";
import { api, BASE_URL, simulator, SIMULATOR_URL } from "./world.ts";

// A merchant makes a coupon, another person lets it run, a customer takes it on a phone, the till uses it, and a whole refund gives it
// back.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "mch01" });

const SN = "ZF-01-1";
const LOGIN = `coupons${Date.now() % 1_000_000}.mch01`;
const view = (page: Page) => page.locator(".view:visible");
const question = (page: Page) => page.getByRole("dialog", { name: "提示" });

async function office<T>(path: string, body: object): Promise<T> {
  const { status, data } = await api<T>(await sharedToken("mch01"), "POST", path, body);
  expect(status, JSON.stringify(data)).toBe(200);
  return data;
}
/** Somebody else of the same merchant, who may look at coupons and approve them, and no more: their session. */
async function anotherToken(login: string): Promise<string> {
  const { id: positionId } = await office<{ id: string }>("/api/positions/add", {
    requestId: crypto.randomUUID(),
    name: `券审核员 ${login}`,
    items: [
      "/merchantTicket/list",
      "/merchantTicket/details",
      "/merchantTicket/list/audit",
      "/ticket/batchSend",
      "/ticket/batchSend/revoke",
    ],
  });
  const { password } = await office<{ password: string }>("/api/users/add", {
    login,
    firstName: "审核小王",
    level: "MCH",
    positionId,
  });
  const { data } = await api<{ id_token: string }>(undefined, "POST", "/api/authenticateNew", {
    username: login,
    password,
    newPassword: "Kontor#2026",
  });
  return data.id_token;
}
async function another(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    viewport: { width: 1440, height: 900 },
    baseURL: BASE_URL,
    storageState: signedIn(await anotherToken(LOGIN)),
  });
  return context.newPage();
}
/** The address of the merchant's page for its members. */
async function memberPage(): Promise<string> {
  const { data } = await api<{ merchants: { id: string } }[]>(
    await sharedToken("mch01"),
    "GET",
    "/newokpayorderservice/api/stores/list?keyword=&type=all",
  );
  return `/m/${data[0]!.merchants.id}`;
}

/** 新建优惠券: the sentence grows with the fields, a phrase leads to its field, and nothing is sent while a sum is missing. */
async function propose(page: Page, name: string): Promise<void> {
  await page.goto("/#/merchantTicket/list");
  await page.getByRole("button", { name: "新建优惠券" }).first().click();
  const said = page.getByRole("complementary", { name: "这张券" });
  await view(page).getByRole("button", { name: "提交审核", exact: true }).click();
  await expect(page.getByText("请填写券名称")).toBeVisible();
  await clean(page, "what is missing", ".view");
  await page.getByLabel("券名称").fill(name);
  await page.getByLabel("每单满").fill("10");
  await page.getByLabel("减", { exact: true }).fill("12");
  await page.getByLabel("共", { exact: true }).fill("500");
  await view(page).getByRole("button", { name: "提交审核 · 最高 6,000.00 元" }).click();
  await expect(page.getByText("门槛不能低于优惠金额")).toBeVisible();
  await page.getByLabel("减", { exact: true }).fill("3");
  await page.getByLabel("每人最多").fill("2");
  await expect(said).toContainText("其他优惠算完还满 10 元，可减 3 元。");
  await expect(said).toContainText("每人最多 2 张，共 500 张。");
  await expect(said).toContainText("1,500.00");
  await said.getByRole("button", { name: "每人最多 2 张" }).click();
  await expect(page.getByLabel("每人最多")).toBeFocused();
  await expect(page.getByRole("region", { name: "试跑" })).toContainText(/会用掉\s*[\d,]+ 张/);
  await clean(page, "the form", ".view");
  // What was typed survives a reload.
  await page.reload();
  await expect(page.getByLabel("券名称")).toHaveValue(name);
  await view(page).getByRole("button", { name: "提交审核 · 最高 1,500.00 元" }).click();
  await expect(page.getByRole("heading", { name: "优惠券详情" })).toBeVisible();
  await expect(view(page)).toContainText("要由另一人审核");
  await clean(page, "what was made", ".view");
}

test("a coupon is made, approved by somebody else, taken on a phone, used at the till and given back by a whole refund", async ({
  page,
  browser,
}) => {
  const name = `午市 ${String(Date.now()).slice(-6)}`;
  await propose(page, name);

  // Who made it may not let it run alone: it may cost too much.
  await page.getByRole("button", { name: "审核" }).click();
  await expect(page.getByRole("dialog", { name: "审核优惠券" })).toContainText("创建人自己不能审核");
  await page.keyboard.press("Escape");

  const auditor = await another(browser);
  await auditor.goto("/#/merchantTicket/list?state=UNAUDIT");
  await expect(auditor.getByRole("button", { name: "新建优惠券" })).toHaveCount(0);
  await auditor.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "审核" }).click();
  const drawer = auditor.getByRole("dialog", { name: `审核优惠券 ${name}` });
  await expect(drawer).toContainText("其他优惠算完还满 10 元，可减 3 元。");
  await drawer.getByLabel("通过，按时开始发").check();
  await clean(auditor, "the audit", ".drawer");
  await drawer.getByRole("button", { name: "通过 · 最高 1,500.00 元" }).click();
  await expect(question(auditor)).toContainText("最高负债 ¥1,500.00");
  await question(auditor).getByRole("button", { name: "通过" }).click();
  await expect(auditor.getByText(`已通过「${name}」`)).toBeVisible();
  await auditor.context().close();

  const phone = await aPhone(browser);
  await join(phone, await memberPage(), "苏半夏");
  await phone.getByRole("button", { name: /领券中心/ }).click();
  const offer = phone.getByRole("article").filter({ hasText: name });
  await expect(offer).toContainText("还有 500 张");
  await fits(phone, "领券中心");
  await offer.getByRole("button", { name: "领取" }).click();
  await expect(phone.getByRole("status")).toContainText(`已领「${name}」`);
  await phone.getByRole("button", { name: "我的券" }).click();
  await fits(phone, "我的券");
  await phone.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "出示" }).click();
  await expect(phone.locator(".digits")).toHaveAttribute("data-code", /^98\d{18}$/);
  await expect(phone.getByRole("img", { name: "券码条码" })).toBeVisible();
  await fits(phone, "券码");
  const code = (await phone.locator(".digits").getAttribute("data-code"))!;

  // The desk of the same store says what it is, and that it is used with an order.
  const { tills } = await simulator<{ tills: { sn: string; store: string }[] }>("_till/tills");
  const stores = await api<{ id: string; name: string }[]>(await sharedToken("mch01"), "GET", "/api/platforms/desk/stores");
  const here = stores.data.find((one) => tills.find(({ sn }) => sn === SN)!.store.includes(one.name))!;
  await page.goto(`/#/plat-dy/coupon?store=${here.id}`);
  await page.getByLabel("券码", { exact: true }).fill(code);
  await page.getByLabel("券码", { exact: true }).press("Enter");
  const looked = page.getByRole("region", { name: "这张券" });
  await expect(looked).toContainText(name);
  await expect(looked).toContainText("要跟一笔订单一起用");
  await expect(page.getByRole("button", { name: /^核销(这张券| \d)/ })).toHaveCount(0);
  await clean(page, "an own coupon at the desk", ".view");

  const till = await browser.newPage({ locale: "zh-CN" });
  await till.goto(`${SIMULATOR_URL}/till`);
  await till.getByLabel("设备").selectOption(SN);
  await till.getByLabel(/^金额/).fill("30.00");
  await till.getByLabel(/^券码/).fill(code);
  await till.getByRole("button", { name: "报价" }).click();
  await expect(till.getByRole("status")).toHaveText("应付 ¥27.00");
  await expect(till.locator("#steps")).toContainText(name);
  await till.getByRole("button", { name: "填一个微信付款码" }).click();
  await till.getByRole("button", { name: "收款" }).click();
  await expect(till.getByRole("status")).toHaveText("已收款 ¥27.00");
  // A code that was read is not read by another shop, and the coupon is used.
  await till.getByLabel(/^券码/).fill(code);
  await till.getByRole("button", { name: "报价" }).click();
  await expect(till.getByRole("status")).toContainText("券");
  await phone.getByRole("button", { name: "返回" }).click();
  await phone.getByRole("button", { name: /^已用 1/ }).click();
  await expect(phone.getByRole("article").filter({ hasText: name })).toContainText("已用");

  await page.goto("/#/merchantTicket/list");
  await page.getByRole("row").filter({ hasText: name }).getByRole("link", { name }).click();
  await expect(view(page)).toContainText("已核销");
  await expect(view(page).getByRole("table", { name: "在哪些门店用掉" })).toContainText("3.00");
  await expect(view(page)).toContainText("每减 1 元，带来 10.00 元");
  await clean(page, "what it brought", ".view");

  // The office gives all of it back, and says beforehand what becomes of the coupon.
  const orderNo = /P?\d{20,}/.exec(await till.locator("#orders small").first().innerText())![0];
  await page.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
  await page.getByRole("row").filter({ hasText: orderNo }).getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: `退款 ${orderNo}` });
  await refund.getByLabel("退款金额").fill("27.00");
  await refund.getByRole("button", { name: "重复付款" }).click();
  await expect(refund).toContainText(/退回，可用到/);
  await refund.getByRole("button", { name: "确认退款 ¥27.00" }).click();
  await question(page).getByRole("button", { name: "确认退款 ¥27.00" }).click();
  await expect(page.getByRole("dialog", { name: "退款结果" }).getByRole("status")).toContainText("已退款");
  await page.getByRole("button", { name: "完成", exact: true }).click();
  await phone.getByRole("button", { name: /^可用/ }).click();
  await expect(async () => {
    await phone.getByRole("button", { name: /^可用/ }).click();
    await expect(phone.getByRole("article").filter({ hasText: name })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });

  await page.goto(`/#/dataCentre/couponDetail`);
  await page.getByRole("row").filter({ hasText: name }).first().getByRole("button").first().click();
  const life = page.getByRole("dialog", { name: "优惠券明细" });
  for (const step of ["领取", "下单使用", "支付核销", "整单退款退回"]) await expect(life).toContainText(step);
  await clean(page, "the life of a coupon", ".drawer");
  await page.keyboard.press("Escape");

  // It comes back as it was, and its holder throws it away.
  await phone.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "出示" }).click();
  await phone.getByRole("button", { name: "删除这张券" }).click();
  await phone.getByRole("button", { name: "删除", exact: true }).click();
  await expect(phone.getByText("这张券不能再用了")).toBeVisible();
  await fits(phone, "deleted");
  await phone.context().close();

  await page.goto("/#/merchantTicket/list");
  const row = page.getByRole("row").filter({ hasText: name });
  for (const [act, said] of [
    ["暂停", "已暂停"],
    ["恢复", "发放中"],
  ] as const) {
    await row.getByRole("button", { name: act, exact: true }).click();
    await expect(question(page)).toContainText(`「${name}」`);
    await question(page)
      .getByRole("button", { name: `${act}发放` })
      .click();
    await expect(row).toContainText(said);
  }
  await row.getByRole("button", { name: "更多" }).click();
  await page.getByRole("button", { name: "停止", exact: true }).click();
  await expect(question(page)).toContainText("剩下的 499 张不再发");
  await question(page).getByRole("button", { name: "停止发放" }).click();
  await expect(row).toContainText("已停止");
});

test("换购: one thing goes down to its price once the others come to enough, and not before", async ({ page, browser }) => {
  const mark = String(Date.now()).slice(-6);
  const [name, meal, mug] = [`换购 ${mark}`, `套餐${mark}`, `马克杯${mark}`];
  for (const [goods, skuNo, priceCents] of [
    [meal, `M${mark}`, 2_800],
    [mug, `C${mark}`, 4_900],
  ] as const)
    await office("/api/products/add", { requestId: crypto.randomUUID(), name: goods, skus: [{ skuNo, priceCents }] });

  await page.goto("/#/merchantTicket/list");
  await page.getByRole("button", { name: "新建优惠券" }).first().click();
  await view(page).getByRole("button", { name: "换购", exact: true }).click();
  await page.getByLabel("券名称").fill(name);
  await page.getByLabel("其他商品满").fill("50");
  await page.getByLabel("换购价").fill("9.90");
  await page.getByLabel("最多减").fill("39.10");
  await page.getByLabel("商品（选填）", { exact: true }).fill(mug);
  await page.getByTitle(new RegExp(mug)).click();
  await page.keyboard.press("Escape");
  await page.getByLabel("共", { exact: true }).fill("10");
  await expect(page.getByRole("complementary", { name: "这张券" })).toContainText("其他商品还满 50 元，可用 9.90 元换购 1 件");
  await view(page).getByRole("button", { name: "提交审核 · 最高 391.00 元" }).click();
  await expect(page.getByRole("heading", { name: "优惠券详情" })).toBeVisible();
  const id = new URLSearchParams(page.url().split("?")[1]).get("id");
  const auditor = await anotherToken(`swaps${mark}.mch01`);
  expect((await api(auditor, "POST", "/api/coupons/campaigns/decide", { id, version: 1, approve: true })).status).toBe(200);

  const phone = await aPhone(browser);
  await join(phone, await memberPage(), "何换换");
  await phone.getByRole("button", { name: /领券中心/ }).click();
  await phone.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "领取" }).click();
  await expect(phone.getByRole("status")).toContainText(`已领「${name}」`);
  await phone.getByRole("button", { name: "我的券" }).click();
  await phone.getByRole("article").filter({ hasText: name }).getByRole("button", { name: "出示" }).click();
  await expect(phone.locator(".digits")).toHaveAttribute("data-code", /^98\d{18}$/);

  const till = await browser.newPage({ locale: "zh-CN" });
  await till.goto(`${SIMULATOR_URL}/till`);
  await till.getByLabel("设备").selectOption(SN);
  const add = async (goods: string): Promise<void> => {
    await till.getByLabel("找商品").fill(goods);
    await expect(till.getByLabel("商品", { exact: true }).locator("option")).toHaveText(new RegExp(goods));
    await till.getByRole("button", { name: "加一件" }).click();
  };
  await add(mug);
  await add(meal);
  await till.getByLabel(/^券码/).fill((await phone.locator(".digits").getAttribute("data-code"))!);
  await till.getByRole("button", { name: "报价" }).click();
  await expect(till.getByRole("status")).toHaveText("应付 ¥77.00");
  await expect(till.locator("#steps")).toContainText("还差 22.00");
  await add(meal);
  await till.getByRole("button", { name: "报价" }).click();
  await expect(till.getByRole("status")).toHaveText("应付 ¥65.90");
  await expect(till.locator("#steps")).toContainText(name);
  await till.getByRole("button", { name: "填一个微信付款码" }).click();
  await till.getByRole("button", { name: "收款" }).click();
  await expect(till.getByRole("status")).toHaveText("已收款 ¥65.90");
  await till.close();
  await phone.getByRole("button", { name: "返回" }).click();
  await phone.getByRole("button", { name: /^已用 1/ }).click();
  await expect(phone.getByRole("article").filter({ hasText: name })).toContainText("已用");
  await phone.context().close();
});

test("a coupon that waits is changed, its versions stay, and it is taken back", async ({ page }) => {
  const { id } = await office<{ id: string }>("/api/coupons/campaigns/add", {
    requestId: crypto.randomUUID(),
    name: "会员日满减",
    terms: { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 7, unit: "day" } },
    total: 100,
    perPerson: 1,
    beginsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  });
  await page.goto(`/#/merchantTicket/details?id=${id}`);
  await view(page).getByRole("button", { name: "更多" }).click();
  await page.getByRole("button", { name: "修改", exact: true }).click();
  await expect(page.getByLabel("券名称")).toHaveValue("会员日满减");
  await page.getByLabel("每单满").fill("100");
  await view(page).getByRole("button", { name: "提交审核 · 最高 2,000.00 元" }).click();
  await expect(view(page)).toContainText("第 2 版");
  await expect(view(page)).toContainText("还满 100 元");
  await view(page).getByRole("button", { name: "更多" }).click();
  await page.getByRole("button", { name: "撤回", exact: true }).click();
  await expect(question(page)).toContainText("撤回「会员日满减」");
  await question(page).getByRole("button", { name: "撤回" }).click();
  await expect(page.getByText("已撤回「会员日满减」")).toBeVisible();
  await expect(view(page)).toContainText("已停止");
});

test("a coupon is sent to a list: each line has its result, more than there are is said, and a sending can be stopped", async ({
  page,
}) => {
  const { id } = await office<{ id: string }>("/api/coupons/campaigns/add", {
    requestId: crypto.randomUUID(),
    name: "老客回店",
    terms: { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 7, unit: "day" } },
    total: 5,
    perPerson: 1,
    beginsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 7 * 86_400_000).toISOString(),
  });
  const auditor = await anotherToken(`sends${Date.now() % 1_000_000}.mch01`);
  expect((await api(auditor, "POST", "/api/coupons/campaigns/decide", { id, version: 1, approve: true })).status).toBe(200);
  const { data } = await api<{ items: { memberNo: string; stage: number; status: number }[] }>(
    await sharedToken("mch01"),
    "GET",
    "/api/members?pageSize=50&status=1&stage=1",
  );
  const [first, second] = data.items.map(({ memberNo }) => memberNo);

  await page.goto("/#/ticket/batchSend?panel=add:new");
  const form = page.getByRole("dialog", { name: "新建批量发券任务" });
  await form.getByLabel("优惠券", { exact: true }).click();
  await page.getByText(/老客回店 · 满 80 减 20 · 剩 5/).click();
  await expect(form).toContainText("还剩 5 张");
  await form.getByLabel("任务名称").fill("旅程全部");
  await expect(form.getByText(/现在有 .* 人符合/)).toBeVisible();
  await clean(page, "新建批量发券任务");
  await form.getByRole("button", { name: "开始发送" }).click();
  await question(page)
    .getByRole("button", { name: /^发 .* 张$/ })
    .click();
  await expect(form.getByText(/此优惠券只剩 5 张，不够 .* 张/)).toBeVisible();

  await form.getByRole("button", { name: "上传名单" }).click();
  await form.getByLabel("优惠券", { exact: true }).click();
  await page.getByText(/老客回店 · 满 80 减 20 · 剩 5/).click();
  await form.locator("input[type=file]").setInputFiles({
    name: "名单.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`会员号\n${first}\n${second}\n1000000000\n`),
  });
  await expect(form.getByText("已读取 3 人")).toBeVisible();
  await form.getByRole("button", { name: "开始发送" }).click();
  await expect(question(page)).toContainText("给名单里的会员 3 人每人发一张「老客回店」（满 80 减 20）");
  await question(page).getByRole("button", { name: "发 3 张" }).click();
  const made = page.getByRole("dialog", { name: "批量发券任务" });
  await expect(made).toContainText("已完成", { timeout: 30_000 });
  await expect(made).toContainText("已发 2 / 3");
  await expect(made.getByRole("row").filter({ hasText: "1000000000" })).toContainText("没有此会员");
  await clean(page, "批量发券任务", ".drawer");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });

  // Sent by mistake: one asks, another says yes, and nobody can use them any more.
  await made.getByRole("button", { name: "作废已发的券" }).click();
  const revoke = page.getByRole("dialog", { name: "作废 名单" });
  await expect(revoke).toContainText("还没用的 2 张会作废");
  await revoke.getByRole("button", { name: "申请作废" }).click();
  await expect(revoke).toContainText("请写明作废原因，顾客会看到");
  await clean(page, "作废", ".drawer");
  await revoke.getByLabel("作废原因").fill("发错了名单");
  await revoke.getByRole("button", { name: "申请作废" }).click();
  await expect(made).toContainText("须由另一人确认");
  const task = new URLSearchParams(page.url().split("?")[1]).get("id");
  expect((await api(auditor, "POST", "/api/coupons/sends/revoke/decide", { id: task, approve: true })).status).toBe(200);
  await page.reload();
  await expect(made).toContainText("已作废", { timeout: 30_000 });
  await expect(made).toContainText("审核小王");

  // One that begins later: it waits, is paused, goes on, and is given up; what was set aside is free again.
  const later = await office<{ id: string }>("/api/coupons/sends/add", {
    requestId: crypto.randomUUID(),
    name: "旅程以后",
    campaignId: id,
    memberNos: [data.items[2]!.memberNo],
    startsAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await page.goto(`/#/ticket/batchSend?id=${later.id}`);
  for (const [act, said] of [
    ["暂停", "已暂停"],
    ["继续", "发送中"],
  ] as const) {
    await made.getByRole("button", { name: act, exact: true }).click();
    await expect(made.getByText(said).first()).toBeVisible();
  }
  await made.getByRole("button", { name: "取消任务" }).click();
  await expect(question(page)).toContainText("还没发的 1 人不再发");
  await question(page).getByRole("button", { name: "取消任务" }).click();
  await expect(made.getByText("已取消").first()).toBeVisible();
});
