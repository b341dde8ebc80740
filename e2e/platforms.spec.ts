import type { Page } from "@playwright/test";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { rowOf } from "./read-screen.ts";
import { api, simulator } from "./world.ts";

// A clerk at the desk: vouchers of 抖音 and 快手 by one field, what has no result yet, and a use that is taken back.
test.describe.configure({ timeout: 120_000 });
test.use({ login: "mch01" });

let serial = Date.now() % 10_000_000;
const code = (end: string, first = "1") => `${first}${String(serial++).padStart(7, "0")}8${end}`;
const field = (page: Page) => page.getByLabel("券码", { exact: true });
async function scan(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await field(page).press("Enter");
}

/** A browser that reads codes, as Chrome on Android does: what its camera sees is said by `see`. */
async function readsCodes(page: Page): Promise<{ see: (text: string) => Promise<void> }> {
  await page.addInitScript(() => {
    class Reader {
      static getSupportedFormats(): Promise<string[]> {
        return Promise.resolve(["qr_code"]);
      }
      detect(picture: HTMLVideoElement): Promise<{ rawValue: string }[]> {
        const seen = picture.videoWidth > 0 ? document.documentElement.dataset["seen"] : undefined;
        return Promise.resolve(seen === undefined ? [] : [{ rawValue: seen }]);
      }
    }
    Object.assign(globalThis, { BarcodeDetector: Reader });
  });
  return { see: (text) => page.evaluate((seen) => void (document.documentElement.dataset["seen"] = seen), text) };
}
test("a voucher is looked up, used by Enter, and taken back within the hour", async ({ page }) => {
  await page.goto("/#/plat-dy/coupon");
  await expect(page.getByRole("heading", { name: "核销台" })).toBeVisible();
  await expect(page.getByRole("region", { name: "还没有结果的" })).toContainText("请勿交付");
  await clean(page, "the desk");
  const own = code("20");
  await scan(page, own);
  const found = page.getByRole("region", { name: "这张券" });
  await expect(found).toContainText("双人冷锅串串套餐");
  await expect(found).toContainText("冷锅串串 2 份");
  await expect(found).toContainText("不进今天收款");
  await clean(page, "a voucher", ".view");
  await field(page).press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "已核销，可以交付" })).toBeVisible();
  await expect(field(page)).toBeFocused();
  // U takes the last one back, as soon as it stands in the list.
  await expect(page.getByRole("region", { name: "今天" })).toContainText(own.slice(-4));
  await field(page).press("u");
  const drawer = page.getByRole("dialog", { name: "撤销核销" });
  await expect(drawer).toContainText("双人冷锅串串套餐");
  await drawer.getByLabel("原因").fill("顾客换店");
  await drawer.getByRole("button", { name: /^撤销 双人/ }).click();
  await expect(page.getByText("已撤销，顾客的券又能用了")).toBeVisible();
  await expect(page.getByRole("region", { name: "今天" })).toContainText("顾客换店");
});

test("a held voucher says 请勿交付, and one of 快手 is read by a phone's camera and used by the same field", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const camera = await readsCodes(page);
  await page.goto("/#/plat-ks/coupon");
  await scan(page, code("01"));
  await page.getByRole("button", { name: "核销 1 张" }).click();
  await expect(page.getByRole("status").filter({ hasText: "请勿交付" })).toBeVisible();
  // By the phone's own camera, which this page alone may open.
  await page.getByRole("button", { name: "扫一扫" }).click();
  await expect(page.getByRole("dialog", { name: "扫一扫" })).toContainText("把券码放进画面");
  await clean(page, "the camera", ".drawer");
  await camera.see(code("20", "8"));
  await expect(page.getByRole("region", { name: "这张券" })).toContainText("快手");
  await expect(page.locator("video")).toHaveCount(0);
  await page.getByRole("button", { name: "核销 1 张" }).click();
  await expect(page.getByRole("status").filter({ hasText: "已核销，可以交付" })).toBeVisible();
  await clean(page, "the desk on a phone", ".view");
  await scan(page, code("02"));
  await expect(page.getByRole("alert").filter({ hasText: "这张券不能在这家门店用" })).toBeVisible();
  // Taken back from its own page, which says so from then on.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/#/plat-ks/coupon?show=list&status=1");
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await page.getByRole("button", { name: /^撤销，还剩/ }).click();
  await page.getByLabel("原因").fill("顾客换店");
  await page
    .getByRole("button", { name: /^撤销 / })
    .last()
    .click();
  await expect(page.getByText("已撤销，顾客的券又能用了")).toBeVisible();
  expect(page.url()).toContain("#/plat-ks/coupon/detail?id=");
  await page.reload();
  await expect(page.locator(".view:visible").getByText(/· 顾客换店$/)).toBeVisible();
  await clean(page, "a voucher's page, taken back", ".view");
});

test("what came is in the list with its tries, and the goods were loaded from the platform", async ({ page }) => {
  await page.goto("/#/plat-dy/coupon?show=list");
  await page.getByRole("row").nth(1).getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "平台券详情" })).toBeVisible();
  await expect(page.getByText("预计收入")).toBeVisible();
  await clean(page, "a voucher's details");
  expect(page.url()).toContain("#/plat-dy/coupon/detail?id=");
  await page.reload();
  await expect(
    page
      .locator(".view:visible")
      .getByText(/：办了/)
      .first(),
  ).toBeVisible();
  await page.goto("/#/plat-dy/goods");
  await expect(page.getByRole("link", { name: "双人冷锅串串套餐" })).toBeVisible();
  await page.getByRole("button", { name: "抖音账户" }).first().click();
  const account = page.getByRole("dialog", { name: "抖音账户" });
  await account.getByRole("button", { name: "测试连接" }).click();
  await expect(account).toContainText("连上了，平台给了 3 家门店");
  await clean(page, "the account", ".drawer");
  // The whole code stands in no list.
  const { data } = await api<{ items: object[] }>(await sharedToken("mch01"), "GET", "/api/platforms/vouchers?platform=dy&pageSize=100");
  expect(JSON.stringify(data.items)).not.toMatch(/enc_/);
});

test("what a voucher's guest gets is written at the goods, of either platform, and stands in their list", async ({ page }) => {
  for (const [list, detail] of [
    ["#/plat-dy/goods", "#/plat-dy/goods/detail?id="],
    ["#/plat-ks/goods", "#/plat-ks/goods/detail?id="],
  ] as const) {
    await page.goto(`/${list}`);
    await page.locator(".view:visible").getByRole("row").nth(1).getByRole("link").first().click();
    await expect(page.locator(".view:visible").getByRole("heading", { name: "平台商品详情" })).toBeVisible();
    expect(page.url()).toContain(detail);
    await page.getByRole("button", { name: /要上的菜$/ }).click();
    const serve = page.getByRole("dialog", { name: /^要上的菜/ });
    const words = `${await serve.getByLabel("要上的菜").inputValue()}，冰粉 1 碗`;
    await serve.getByLabel("要上的菜").fill(words);
    await serve.getByRole("button", { name: "保存" }).click();
    await expect(serve).toBeHidden();
    await page.reload();
    await expect(page.locator(".view:visible").getByText(words)).toBeVisible();
    await clean(page, detail, ".view");
    await page.goto(`/${list}`);
    await expect(page.locator(".view:visible").getByRole("row").nth(1)).toContainText(words);
  }
});

/** A call that a till of the first store signs. */
const device = <T>(path: string, body: object): Promise<T> => simulator<T>("_till/device", { sn: "ZF-01-1", path, body });
test("two vouchers pay for a part of a bill; then they are taken back, and the money after them", async ({ page }) => {
  const lines = [
    { place: 1, name: "双人套餐", units: 1, unitCents: 17_800 },
    { place: 2, name: "酸梅汤", units: 9, unitCents: 1_600 },
  ];
  const uses: string[] = [];
  for (const scan of [code("20"), `${code("20").slice(0, -3)}120`]) {
    const { ticket } = await device<{ ticket: string }>("/api/till/platform-vouchers/prepare", { scan });
    const [use] = await device<{ id: string; status: number }[]>("/api/till/platform-vouchers/verify", {
      requestId: crypto.randomUUID(),
      ticket,
    });
    expect(use!.status).toBe(1);
    uses.push(use!.id);
  }
  const tillNo = `V${Date.now()}`;
  const platformVouchers = [{ attemptId: uses[0]!, lines: [1] }, uses[1]!];
  const quoted = await device<{ quote: string; paidCents: number }>("/api/till/quotes", { tillNo, lines, platformVouchers });
  expect(quoted.paidCents).toBe(4_400);
  const sold = { tillNo, subject: "晚餐", grossCents: 32_200, lines, quote: quoted.quote };
  const authCode = `13${String(Math.floor(1e15 + Math.random() * 8e15))}`;
  const order = await device<{ orderNo: string; status: number }>("/api/till/orders", { ...sold, tradeType: "MICROPAY", authCode });
  expect(order.status).toBe(2);
  await page.goto(`/#/dataCentre/payOrder?keyword=${order.orderNo}`);
  await rowOf(page, order.orderNo).getByRole("button", { name: order.orderNo, exact: true }).click();
  const drawer = page.getByRole("dialog", { name: `订单 ${order.orderNo}` });
  await expect(drawer.getByRole("link", { name: /^抖音券「双人冷锅串串套餐」/ })).toBeVisible();
  await expect(drawer.getByRole("link", { name: /^抖音券「100 元代金券」/ })).toBeVisible();
  await expect(drawer).toContainText("178.00");
  await clean(page, "an order with vouchers", ".drawer");
  await drawer.getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: `退款 ${order.orderNo}` });
  const vouchers = refund.getByRole("group", { name: "撤销平台券" });
  await expect(vouchers.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await expect(vouchers).toContainText(/前能撤销，还剩 5\d:\d\d/);
  // A part of the money leaves them alone, unless they are named.
  await refund.getByLabel("退款金额").fill("10");
  await expect(vouchers.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await refund.getByLabel("退款金额").fill("44");
  await expect(vouchers.getByRole("checkbox", { checked: true })).toHaveCount(2);
  await refund.getByLabel("退款原因").fill("顾客不要了");
  await clean(page, "a refund with vouchers", ".drawer");
  await refund.getByRole("button", { name: "退款 ¥44.00" }).click();
  const question = page.getByRole("dialog", { name: "提示" });
  await expect(question).toContainText("先撤销 2 张平台券，再退款 ¥44.00");
  await question.getByRole("button", { name: "确认退款 ¥44.00" }).click();
  const result = page.getByRole("dialog", { name: "退款结果" });
  await expect(result.getByRole("status")).toContainText("已退款", { timeout: 30_000 });
  await result.getByRole("button", { name: "完成" }).click();
  await page.goto(`/#/dataCentre/payOrder?keyword=${order.orderNo}`);
  await rowOf(page, order.orderNo).getByRole("button", { name: order.orderNo, exact: true }).click();
  await expect(drawer.getByText("已撤销", { exact: true })).toHaveCount(2);
  await expect(drawer).toContainText("撤销平台券");
  // From the order to the voucher, and back.
  await drawer.getByRole("link", { name: /^抖音券「100 元代金券」/ }).click();
  await expect(page.getByRole("heading", { name: "平台券详情" })).toBeVisible();
  await expect(page.getByRole("link", { name: order.orderNo })).toBeVisible();
});
