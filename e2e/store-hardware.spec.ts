import { readFile } from "node:fs/promises";
import { clean } from "./a11y/look.ts";
import { expect, test } from "./journey.ts";
import { sell, simulator } from "./world.ts";

// Printers and speakers of a store: the makers' clouds are played by the simulator, which checks signatures and keeps what came out.
/** The bridge that WeChat puts into its pages: the customer turns away once, then pays on the phone. */
function wechatBridge(): void {
  let turnedAway = false;
  const invoke = (_name: string, _given: object, done: (said: { err_msg: string }) => void): void => {
    if (turnedAway) {
      const { payOnPhone: pay } = window as unknown as { payOnPhone: () => Promise<void> };
      void pay();
      setTimeout(() => done({ err_msg: "get_brand_wcpay_request:ok" }), 1000);
    } else {
      turnedAway = true;
      setTimeout(() => done({ err_msg: "get_brand_wcpay_request:cancel" }), 50);
    }
  };
  Object.assign(window, { WeixinJSBridge: { invoke } });
}
/** The customer pays what waits inside WeChat. */
async function payOnPhone(): Promise<void> {
  const { orders } = await simulator<{ orders: { key: string; tradeType: string }[] }>("_control/phone");
  await simulator("_control/pay", { key: orders.find((order) => order.tradeType === "JSAPI")?.key });
}

test.use({ login: "mch01" });

interface Stock {
  readonly devices: { vendor: string; sn: string; key: string; bound: boolean }[];
  readonly outputs: { vendor: string; sn: string; shown: string; copies: number }[];
}
const stock = () => simulator<Stock>("_devices/state");
const free = async (vendor: string) => (await stock()).devices.findLast((device) => device.vendor === vendor && !device.bound)!;
const shownBy = async (sn: string) => (await stock()).outputs.filter((output) => output.sn === sn).map((output) => output.shown);

test("a printer is bound by its label, prints what is paid and what is asked for again, and is unbound", async ({ page }) => {
  const { sn, key } = await free("feie");
  await page.goto("/#/store/printers");
  await page.getByRole("button", { name: "绑定打印机" }).first().click();
  const form = page.getByRole("dialog", { name: "绑定云打印机" });
  await form.getByLabel("门店").click();
  await page.locator(".ant-select-item-option").filter({ hasText: "宽窄巷子店" }).click();
  await form.getByLabel("编号").fill(sn);
  await form.getByLabel("密钥").fill("wrong0");
  await form.getByLabel("名称").fill("吧台");
  await form.getByLabel("联数").fill("2");
  await form.getByRole("button", { name: "绑定", exact: true }).click();
  await expect(form.getByRole("alert").filter({ hasText: "识别码不正确" })).toBeVisible();
  await form.getByLabel("密钥").fill(key);
  await clean(page, "绑定云打印机", ".drawer");
  await form.getByRole("button", { name: "绑定", exact: true }).click();
  const details = page.getByRole("dialog", { name: "吧台" });
  await expect(details).toContainText(`**** ${key.slice(-4)}`);
  await details.getByRole("button", { name: "测试打印" }).click();
  await expect(page.getByText("测试打印已发送到「吧台」")).toBeVisible();
  await expect(details.getByRole("table", { name: "最近打印" })).toContainText("已发送");
  expect(await shownBy(sn)).toEqual([expect.stringContaining("宽窄巷子店")]);

  const { orderNo } = await sell(1_250, "午餐<CUT>", "ZF-04-1");
  await expect.poll(async () => (await shownBy(sn))[0]).toContain(orderNo);
  expect((await shownBy(sn))[0]).toContain("午餐＜CUT＞");
  await page.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
  await page.locator("tbody tr:visible").first().click();
  await page.getByRole("button", { name: "补打小票" }).click();
  await expect(page.getByText("已发送到 1 台打印机")).toBeVisible();
  await expect.poll(async () => (await shownBy(sn))[0]).toContain("（补打）");
  expect(await shownBy(sn)).toHaveLength(3);

  await page.goto(`/#/store/printers?keyword=${sn}`);
  await page.getByRole("button", { name: "吧台" }).click();
  await details.getByRole("button", { name: "解绑" }).click();
  const question = page.getByRole("dialog", { name: "提示" });
  await expect(question).toContainText("宽窄巷子店的这台设备不再打印");
  await question.getByRole("button", { name: "解绑" }).click();
  await expect(page.getByText("已解绑")).toBeVisible();
  expect((await stock()).devices.find((device) => device.sn === sn)?.bound).toBe(false);
});

test.describe("at the counter", () => {
  test.use({ login: "emp01" });

  test("an employee hears what is paid, and sees the own store's devices alone", async ({ page }) => {
    await page.goto("/#/store/trumpet");
    await expect(page.locator("tbody tr:visible")).toHaveCount(1);
    const sn = (await page.locator("tbody tr:visible td").nth(2).innerText()).trim();
    await sell(9_876);
    await expect.poll(() => shownBy(sn)).toContain("微信收款 98.76 元");
    await page.getByRole("button", { name: "测试", exact: true }).click();
    await expect(page.getByText("测试播报已发送到「收银台」")).toBeVisible();
    await expect(page.locator("tbody tr:visible").first()).toContainText("已发送");
  });
});

test.describe("a store's pay code", () => {
  test("a customer scans it, pays a real order on a phone, and the store's takings show it; a new code voids the poster", async ({
    page,
    browser,
  }) => {
    await page.goto(`/#/store/store?keyword=${encodeURIComponent("建设路店")}`);
    await page.locator("tbody").getByRole("button", { name: "收款码" }).click();
    const drawer = page.getByRole("dialog", { name: /^收款码 / });
    await expect(drawer.getByRole("img", { name: /建设路店的收款码海报/ })).toBeVisible();
    const address = await drawer.getByText(/\/pay\/[\w-]{22}$/).innerText();
    for (const [name, extension, begins] of [
      [/PNG/, "png", "\u0089PNG"],
      [/SVG/, "svg", "<svg"],
      [/PDF/, "pdf", "%PDF-1.4"],
    ] as const) {
      const [file] = await Promise.all([page.waitForEvent("download"), drawer.getByRole("button", { name }).click()]);
      expect(file.suggestedFilename()).toMatch(new RegExp(`^收款码-.*建设路店-6\\d+\\.${extension}$`));
      const bytes = await readFile(await file.path());
      expect(bytes.subarray(0, begins.length).toString("latin1")).toBe(begins);
    }

    const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "zh-CN" })).newPage();
    const path = new URL(address).pathname;
    await phone.goto(path);
    await expect(phone.getByRole("heading", { level: 1 })).toHaveText("建设路店");
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await phone.getByLabel("付款金额（元）").fill("12.345");
    await phone.getByRole("button", { name: "付款" }).click();
    await expect(phone.getByRole("status")).toHaveText("请输入金额，最多两位小数");
    await phone.getByLabel("付款金额（元）").fill("23.40");
    await phone.getByRole("button", { name: "付款 ¥23.40" }).click();
    const [wallet] = await Promise.all([phone.waitForEvent("popup"), phone.getByRole("link", { name: "去付款" }).click()]);
    await wallet.getByRole("button", { name: "扫码支付" }).click();
    await expect(wallet.getByRole("status")).toHaveText("已支付");
    await expect(phone.getByRole("heading", { name: "付款成功" })).toBeVisible();
    const orderNo = (await phone.locator("#number").innerText()).replace("订单号 ", "");
    await page.goto(`/#/dataCentre/payOrder?keyword=${orderNo}`);
    await expect(page.getByRole("row").filter({ hasText: orderNo })).toContainText("23.40");
    await expect.poll(async () => (await stock()).outputs.map((output) => output.shown)).toContain("微信收款 23.40 元");

    // In WeChat's own browser the page pays by itself, as the account whose phone it is.
    const inside = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: "zh-CN",
      userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 MicroMessenger/8.0.50",
    });
    await inside.exposeFunction("payOnPhone", payOnPhone);
    await inside.addInitScript(wechatBridge);
    const wechat = await inside.newPage();
    await wechat.goto(path);
    await wechat.getByLabel("付款金额（元）").fill("8.80");
    await wechat.getByRole("button", { name: "付款 ¥8.80" }).click();
    await wechat.getByRole("button", { name: "继续付款" }).click();
    await expect(wechat.getByRole("heading", { name: "付款成功" })).toBeVisible();
    expect(new URL(wechat.url()).search).toBe("");
    await inside.close();

    await page.goto(`/#/store/store?keyword=${encodeURIComponent("建设路店")}`);
    await page.locator("tbody").getByRole("button", { name: "收款码" }).click();
    await drawer.getByRole("button", { name: "更换收款码" }).click();
    const question = page.getByRole("dialog", { name: "提示" });
    await expect(question).toContainText("已打印的海报全部失效");
    await question.getByRole("button", { name: "更换" }).click();
    await expect(page.getByText("已更换，请重新打印海报")).toBeVisible();
    await page.goto("/#/store/store");
    await expect(page.locator("tbody tr:visible").nth(1)).toBeVisible();
    await page.getByRole("checkbox", { name: "选择本页全部" }).check();
    await page.getByRole("button", { name: "下载收款码" }).click();
    const several = page.getByRole("dialog", { name: /家门店的收款码$/ });
    const [zip] = await Promise.all([page.waitForEvent("download"), several.getByRole("button", { name: /SVG/ }).click()]);
    expect(zip.suggestedFilename()).toMatch(/^收款码-\d+张\.zip$/);
    expect((await readFile(await zip.path())).subarray(0, 2).toString("latin1")).toBe("PK");
    await phone.goto(path);
    await expect(phone.getByRole("heading", { name: "收款码已失效，请向店员索取新的收款码" })).toBeVisible();
  });
});
