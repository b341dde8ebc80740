import type { Browser, Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, signedIn, test } from "./journey.ts";
import { aPhone, fits } from "./phone.ts";
import { rowOf } from "./read-screen.ts";
import { api, PORT, sell, simulator } from "./world.ts";

// From the receipt's code on a phone to the file, and back in red by the office.
test.describe.configure({ timeout: 240_000 });
test.use({ login: "mch01" });

const BUYER = "13900007301";
/** The last message that a phone got. */
async function lastText(number: string): Promise<string> {
  const { messages } = (await (await fetch(`http://127.0.0.1:${PORT + 3}/sms/outbox`)).json()) as {
    messages: { phone: string; text: string }[];
  };
  return messages.find((one) => one.phone === number)?.text ?? "";
}
/** The link that a till prints as a code, for an order that it just sold. */
async function linkOf(tillNo: string): Promise<string> {
  const { url } = await simulator<{ url: string }>("_till/device", { sn: "ZF-01-1", path: "/api/till/invoice-link", body: { tillNo } });
  return url;
}
async function phoneAt(browser: Browser, url: string): Promise<Page> {
  const phone = await aPhone(browser);
  await phone.goto(new URL(url).pathname);
  return phone;
}

test("a company applies by its receipt, gets the file, and the office takes the invoice back", async ({ page, browser }) => {
  const { tillNo, orderNo } = await sell(10_600, "午餐");
  await page.goto("/#/invoice/merchant");
  await expect(page.getByRole("heading", { name: "商户开票配置" })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: "四川蜀味餐饮管理有限公司" })).toContainText("正常");
  await clean(page, "配置");
  const phone = await phoneAt(browser, await linkOf(tillNo));
  await expect(phone.getByRole("button", { name: "开发票 ¥106.00" })).toBeVisible();
  await phone.getByLabel("企业").check();
  await phone.getByLabel("发票抬头").fill("成都测试科技有限公司");
  await phone.getByRole("button", { name: "开发票 ¥106.00" }).click();
  await expect(phone.getByText("企业抬头要填税号")).toBeVisible();
  await phone.getByLabel("税号").fill("91510100MA62RTYU1C");
  await phone.getByRole("button", { name: "开发票 ¥106.00" }).click();
  await expect(phone.getByText("第 18 位应为 J，请核对税号")).toBeVisible();
  await fits(phone, "开发票");
  await phone.screenshot({ path: ".test/invoice-phone.png", fullPage: true });
  await phone.getByLabel("税号").fill("91510100MA62RTYU1J");
  await phone.getByLabel("发到手机（选填）").fill(BUYER);
  await phone.getByRole("button", { name: "开发票 ¥106.00" }).click();
  await expect(phone.getByRole("heading", { name: "已开票" })).toBeVisible({ timeout: 120_000 });
  await expect(phone.getByRole("link", { name: "下载 PDF" })).toBeVisible({ timeout: 120_000 });
  await fits(phone, "已开票");
  const href = await phone.getByRole("link", { name: "下载 PDF" }).getAttribute("href");
  const file = await phone.request.get(href!);
  expect([file.status(), (await file.body()).subarray(0, 5).toString()]).toEqual([200, "%PDF-"]);
  await phone.screenshot({ path: ".test/invoice-phone-done.png", fullPage: true });

  await page.goto(`/#/invoice/merchant?view=invoices&keyword=${orderNo}`);
  const row = page.getByRole("row").filter({ hasText: "106.00" });
  await expect(row).toContainText("已开票");
  await expect(page.getByText("成都测试科技有限公司")).toHaveCount(0);
  await row.getByRole("button", { name: /^26/ }).click();
  const detail = page.getByRole("dialog", { name: "发票详情" });
  await expect(detail).toContainText("餐饮服务");
  await expect(detail).toContainText("6.00");
  // Its buyer was told by a message, whose link opens the same page.
  await expect(detail.getByText("已发送")).toBeVisible({ timeout: 60_000 });
  await expect(detail.getByRole("button", { name: "重新发送" })).toBeVisible();
  await expect(detail).not.toContainText(BUYER);
  await phone.goto(new URL(/http\S+/.exec(await lastText(BUYER))![0]).pathname);
  await expect(phone.getByRole("link", { name: "下载 PDF" })).toBeVisible();
  await clean(page, "发票详情", ".drawer");
  await page.screenshot({ path: ".test/invoice-detail.png" });
  await detail.getByRole("button", { name: "红冲 106.00 元" }).click();
  const form = page.getByRole("dialog", { name: "红冲发票" });
  await clean(page, "红冲发票", ".drawer");
  await form.getByRole("button", { name: "红冲 106.00 元" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "红冲 106.00 元" }).click();
  // Asked by itself: a page that is reloaded again and again signs out.
  await expect
    .poll(
      async () =>
        (await api<{ items: { status: number }[] }>(await sharedToken("mch01"), "GET", `/api/invoices/reds?pageSize=20&keyword=${orderNo}`))
          .data.items[0]?.status,
      { timeout: 120_000, intervals: [1_000] },
    )
    .toBe(3);
  await page.goto(`/#/invoice/merchant?view=reds&keyword=${orderNo}`);
  await page.reload();
  await expect(page.getByRole("row").filter({ hasText: "106.00" })).toContainText("已红冲");
  await phone.reload();
  await expect(phone.getByRole("heading", { name: "发票已红冲" })).toBeVisible();
  await phone.context().close();
});

test("专票 waits for the office; the buyer's data are masked until somebody looks", async ({ page, browser }) => {
  const { tillNo, orderNo } = await sell(20_000, "宴会");
  await page.goto("/#/invoice/merchant?view=applications");
  const phone = await phoneAt(browser, await linkOf(tillNo));
  await phone.getByLabel("企业").check();
  await phone.getByLabel("专用发票（要门店审核）").check();
  await phone.getByLabel("发票抬头").fill("成都测试科技有限公司");
  await phone.getByLabel("税号").fill("91510100MA62RTYU1J");
  await phone.getByRole("button", { name: "开发票 ¥200.00" }).click();
  await expect(phone.getByRole("heading", { name: "等门店审核" })).toBeVisible();
  await page.goto(`/#/invoice/merchant?view=applications&keyword=${orderNo}`);
  const row = page.getByRole("row").filter({ hasText: "200.00" });
  await expect(row).toContainText("成都****公司");
  await clean(page, "申请");
  await page.screenshot({ path: ".test/invoice-applications.png" });
  await row.getByRole("button", { name: "审核" }).click();
  const form = page.getByRole("dialog", { name: "审核开票申请" });
  await expect(form.getByText("91510100MA62RTYU1J")).toHaveCount(0);
  await form.getByRole("button", { name: "查看完整信息（会留记录）" }).click();
  await expect(form.getByText("91510100MA62RTYU1J")).toBeVisible();
  await form.getByLabel("通过，马上开").check();
  await clean(page, "审核", ".drawer");
  await form.getByRole("button", { name: "通过 · 开 200.00 元" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "开票" }).click();
  await expect(phone.getByRole("heading", { name: "已开票" }))
    .toBeVisible({ timeout: 1_000 })
    .catch(() => {});
  await expect(async () => {
    await phone.reload();
    await expect(phone.getByRole("heading", { name: "已开票" })).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 120_000 });
  await phone.context().close();
});

/** At the bureau: whoever bought says yes to a red letter. */
async function confirmRed(browser: Browser, number: string): Promise<void> {
  const bureau = await (await browser.newContext()).newPage();
  await bureau.goto(`http://127.0.0.1:${PORT + 3}/nuonuo`);
  await bureau.getByLabel("确认单号").fill(number);
  await bureau.getByLabel("结果").selectOption("确认");
  await bureau.getByRole("button", { name: "回答" }).click();
  await expect(bureau.locator("pre")).toContainText('"ok": true');
  await bureau.context().close();
}
test("a refund of a company's order waits for the red letter that its buyer confirms, and the rest is issued again", async ({
  page,
  browser,
}) => {
  const { tillNo, orderNo } = await sell(10_600, "晚餐");
  const token = (await linkOf(tillNo)).split("/").at(-1);
  // The buyer has entered the invoice in its books, so the bureau asks it.
  const company = { buyer: "organisation", title: "成都入账科技有限公司", taxNo: "91510100MA62RTYU1J" };
  const wish = { requestId: crypto.randomUUID(), token, cents: 10_600, ...company };
  expect((await api(undefined, "POST", "/api/invoice-page/apply", wish)).status).toBe(200);
  // Asked by itself: a page that is reloaded again and again signs out.
  const rows = async (path: string) =>
    (
      await api<{ items: { status: number; number: string; totalCents: number }[] }>(
        await sharedToken("mch01"),
        "GET",
        `${path}?pageSize=20&keyword=${orderNo}`,
      )
    ).data.items;
  const invoices = async () => (await rows("/api/invoices")).map(({ status, totalCents }) => `${status} ${totalCents}`).toSorted();
  const statusOf = async (path: string) => (await rows(path))[0]?.status;
  const soon = { timeout: 60_000, intervals: [500] };
  await expect.poll(invoices, soon).toEqual(["2 10600"]);

  await page.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
  await rowOf(page, orderNo).getByRole("button", { name: orderNo, exact: true }).click();
  await page
    .getByRole("dialog", { name: `订单 ${orderNo}` })
    .getByRole("button", { name: "退款" })
    .click();
  const refund = page.getByRole("dialog", { name: `退款 ${orderNo}` });
  await refund.getByLabel("退款金额").fill("40");
  await refund.getByLabel("退款原因").fill("退了两道菜");
  await expect(refund).toContainText("这笔开了企业抬头的发票 106.00 元，先红冲再退款");
  await clean(page, "a refund that waits for a red letter", ".drawer");
  await refund.getByRole("button", { name: "申请退款 ¥40.00" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "确认退款 ¥40.00" }).click();
  const result = page.getByRole("dialog", { name: "退款结果" });
  await expect(result.getByRole("status")).toContainText("先红冲这单的发票，红冲后自动退款，钱还没有退出");

  await expect.poll(() => statusOf("/api/invoices/reds"), soon).toBe(2);
  await page.goto(`/#/invoice/merchant?view=reds&keyword=${orderNo}`);
  const red = page.getByRole("row").filter({ hasText: "106.00" });
  await expect(red).toContainText("待对方确认");
  expect(await statusOf("/api/orders/refunds")).toBe(0);
  await confirmRed(browser, (await rows("/api/invoices/reds"))[0]!.number);
  await red.getByRole("button", { name: "再查" }).click();
  await expect.poll(() => statusOf("/api/orders/refunds"), soon).toBe(2);
  await page.goto(`/#/dataCentre/payRefund?keyword=${orderNo}`);
  await expect(page.getByRole("row").filter({ hasText: "40.00" })).toContainText("已退款");
  await expect.poll(invoices, soon).toEqual(["2 6600", "5 10600"]);
});

test("a subject is added, tested and given its stores; the provider keeps the application", async ({ page, browser }) => {
  await page.goto("/#/invoice/merchant");
  await page.getByRole("button", { name: "添加开票主体" }).first().click();
  const form = page.getByRole("dialog", { name: "添加开票主体" });
  await form.getByLabel("税号").fill("91510100MA62RTYU1C");
  await form.getByRole("button", { name: "添加", exact: true }).click();
  await expect(form.getByText("第 18 位应为 J，请核对税号")).toBeVisible();
  await clean(page, "添加开票主体", ".drawer");
  await page.screenshot({ path: ".test/invoice-subject-new.png" });
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "提示" }).getByRole("button").last().click();
  await page.getByRole("button", { name: "四川蜀味餐饮管理有限公司" }).click();
  const drawer = page.getByRole("dialog", { name: "开票主体" });
  await drawer.getByRole("button", { name: "测试" }).click();
  await expect(drawer.getByText("平台认得这个应用、授权和签名")).toBeVisible();
  await clean(page, "开票主体", ".drawer");
  await page.screenshot({ path: ".test/invoice-subject.png" });
  // What the next subject begins with is the provider's to say.
  const office = await browser.newContext({ storageState: signedIn(await sharedToken("sp01")) });
  const config = await office.newPage();
  await config.goto("/#/invoice/config");
  await expect(config.getByLabel("应用 appKey")).toHaveValue("zhangfang-demo");
  await config.getByLabel("付款后几天内可以申请").fill("366");
  await config.getByRole("button", { name: "保存", exact: true }).click();
  await expect(config.getByText("最多 365 天").last()).toBeVisible();
  await config.getByLabel("付款后几天内可以申请").fill("90");
  await config.getByRole("button", { name: "保存", exact: true }).click();
  await expect(config.getByText("已保存")).toBeVisible();
  await config.reload();
  await expect(config.getByLabel("付款后几天内可以申请")).toHaveValue("90");
  await clean(config, "开票配置", ".view");
  await office.close();
});
