import type { Browser, Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, signedIn, test } from "./journey.ts";
import { anotherToken, memberPage, office } from "./office.ts";
import { aPhone, fits, join } from "./phone.ts";
import { api, BASE_URL } from "./world.ts";

// A merchant makes 新人有礼, another person lets it run, and a customer who joins on a phone finds the gift.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "mch01" });

const question = (page: Page) => page.getByRole("dialog", { name: "提示" });
const pageOf = (browser: Browser, token: string): Promise<Page> =>
  browser
    .newContext({
      locale: "zh-CN",
      timezoneId: "Asia/Shanghai",
      viewport: { width: 1440, height: 900 },
      baseURL: BASE_URL,
      storageState: signedIn(token),
    })
    .then((context) => context.newPage());
/** A coupon that gives out. */
async function coupon(auditor: string): Promise<void> {
  const { id } = await office<{ id: string }>("/api/coupons/campaigns/add", {
    requestId: crypto.randomUUID(),
    name: "见面券",
    terms: { kind: 1, minCents: 8_000, offCents: 2_000, validity: { mode: 3, wait: 0, count: 7, unit: "day" } },
    total: 5_000,
    perPerson: 10,
    beginsAt: new Date(Date.now() - 60_000).toISOString(),
    endsAt: new Date(Date.now() + 60 * 86_400_000).toISOString(),
    listed: false,
  });
  expect((await api(auditor, "POST", "/api/coupons/campaigns/decide", { id, version: 1, approve: true })).status).toBe(200);
}

test("新人有礼 is made, approved by somebody else, and found by who joins on a phone", async ({ page, browser }) => {
  const auditor = await anotherToken();
  await coupon(auditor);
  const name = `见面礼 ${String(Date.now()).slice(-6)}`;
  await page.goto("/#/activity/new");
  await expect(page.getByText("还没有新人有礼")).toBeVisible();
  await page.getByRole("button", { name: "新建新人有礼" }).first().click();
  const form = page.getByRole("dialog", { name: "新建新人有礼" });
  await form.getByRole("button", { name: "提交审核", exact: true }).click();
  await expect(form.getByText("请填写活动名称")).toBeVisible();
  await clean(page, "what is missing", ".drawer");
  await form.getByLabel("活动名称").fill(name);
  await form.getByLabel("送优惠券").click();
  await page.getByText("见面券 · 满 80 减 20").first().click();
  await form.getByLabel("每人几张").fill("2");
  await form.getByLabel("送积分").fill("100");
  await form.getByLabel("送余额").fill("5");
  await form.getByLabel("名额").fill("500");
  const said = form.getByRole("region", { name: "规则和成本" });
  await expect(said).toContainText("礼品：满 80 减 20 的券 2 张、100 积分、5 元赠送余额");
  await expect(said).toContainText("共 500 份，送完为止。");
  await expect(said).toContainText("23,000.00");
  await clean(page, "the form", ".drawer");
  await form.getByRole("button", { name: "提交审核 · 最高 23,000.00 元" }).click();
  const detail = page.getByRole("dialog", { name: "活动详情" });
  await expect(detail).toContainText("要由另一人审核");
  await detail.getByRole("button", { name: "审核" }).click();
  await expect(page.getByRole("dialog", { name: "审核活动" })).toContainText("创建人自己不能审核");

  const other = await pageOf(browser, auditor);
  await other.goto("/#/activity/centre?state=UNAUDIT");
  await other.getByRole("row").filter({ hasText: name }).getByRole("button", { name: "审核" }).click();
  const drawer = other.getByRole("dialog", { name: `审核活动 ${name}` });
  await expect(drawer).toContainText("新成为会员、从没下过单的顾客可得");
  await drawer.getByLabel("通过，到开始日就送").check();
  await clean(other, "the audit", ".drawer");
  await drawer.getByRole("button", { name: "通过 · 最高 23,000.00 元" }).click();
  await expect(question(other)).toContainText("最高成本 ¥23,000.00");
  await question(other).getByRole("button", { name: "通过" }).click();
  await expect(other.getByText(`已通过「${name}」`)).toBeVisible();
  await other.context().close();

  const phone = await aPhone(browser);
  await join(phone, await memberPage(), "许知秋");
  await phone.getByRole("button", { name: /^活动/ }).click();
  await expect(async () => {
    await phone.reload();
    await expect(phone.getByRole("button", { name: new RegExp(name) })).toContainText("已到账", { timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await fits(phone, "活动");
  await phone.getByRole("button", { name: new RegExp(name) }).click();
  await expect(phone.getByRole("region", { name: "我的奖品" })).toContainText("100 积分");
  await expect(phone.getByRole("main")).toContainText("每人一次；同一手机号");
  await fits(phone, "one activity");
  await phone
    .getByRole("region", { name: "我的奖品" })
    .getByRole("button", { name: /见面券/ })
    .first()
    .click();
  await expect(phone.getByRole("article").filter({ hasText: "见面券" }).first()).toBeVisible();
  await phone.context().close();

  await page.goto("/#/activity/new");
  await page.getByRole("row").filter({ hasText: name }).getByRole("button", { name, exact: true }).click();
  await expect(detail).toContainText("已发 1");
  await expect(detail.getByRole("table", { name: "领取记录" })).toContainText("已发");
  await clean(page, "活动详情", ".drawer");
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press("Escape");
  await page.reload();
  const row = page.getByRole("row").filter({ hasText: name });
  const steer = async (act: string, state: string): Promise<void> => {
    await row.getByRole("button", { name: act, exact: true }).click();
    await question(page)
      .getByRole("button", { name: `${act}活动` })
      .click();
    await expect(row).toContainText(state);
  };
  await steer("暂停", "已暂停");
  // What was done by mistake is taken back where it says that it was done.
  await page.getByRole("status").filter({ hasText: name }).getByRole("button", { name: "撤销" }).click();
  await expect(row).toContainText("进行中");
  await steer("暂停", "已暂停");
  await steer("恢复", "进行中");
  await row.getByRole("button", { name: "更多" }).click();
  await page.getByRole("button", { name: "加名额", exact: true }).click();
  const places = page.getByRole("dialog", { name: `加名额 ${name}` });
  await places.getByLabel("加到").fill("400");
  await expect(places.getByText("要比现在的 500 份多")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.goto("/#/activity/new");
  await row.getByRole("button", { name: "更多" }).click();
  await page.getByRole("button", { name: "结束", exact: true }).click();
  await expect(question(page)).toContainText("剩下的 499 份不再送");
  await question(page).getByRole("button", { name: "结束活动" }).click();
  await expect(row).toContainText("已结束");
});
