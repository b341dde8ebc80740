import { yuan } from "@zhangfang/contract/money.ts";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { clean } from "./a11y/look.ts";
import { expect, sharedToken, test } from "./journey.ts";
import { aPhone, join } from "./phone.ts";
import { rowOf } from "./read-screen.ts";
import { api, simulator } from "./world.ts";

// One times card of a shop that sells none beside it: used at the store that sold it and at another, and one use taken back. Sums are
// those of membership.md 9, example 6.
test.use({ login: "mch04" });
test.setTimeout(240_000);

const [HERE, THERE] = ["解放碑店", "观音桥店"];
const TODAY = shanghaiDay(Date.now());
const office = async <T = Record<string, unknown>>(path: string, body?: object): Promise<T> => {
  const { status, data } = await api<T>(await sharedToken("mch04"), body ? "POST" : "GET", `/api/${path}`, body);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(data)}`);
  return data;
};

test("a times card is used at two stores, one use is taken back, and turnover tells what is left of both", async ({ page, browser }) => {
  const all = await simulator<{ tills: { sn: string; store: string }[] }>("_till/tills");
  const snOf = (store: string) => all.tills.find((one) => one.store.includes(store))!.sn;
  const atTill = <T>(store: string, path: string, body: object): Promise<T> =>
    simulator<T>("_till/device", { sn: snOf(store), path: `/api/till/${path}`, body });
  const usedAt = async (): Promise<number> =>
    (
      await office<{ items: { name: string; timesCents: number }[] }>(`statistics/takings?by=store&from=${TODAY}&to=${TODAY}&pageSize=50`)
    ).items.find(({ name }) => name.includes(HERE))?.timesCents ?? 0;
  const before = await usedAt();
  const { id: productId } = await office<{ id: string }>("vip/times-products/add", {
    name: `吐司十二次 ${Date.now() % 100_000}`,
    times: 10,
    giftTimes: 2,
    priceCents: 50_000,
    singlePriceCents: 6_000,
    days: 365,
  });

  const { data: stores } = await api<readonly { merchants: { id: string } }[]>(
    await sharedToken("mch04"),
    "GET",
    "/newokpayorderservice/api/stores/list?keyword=&type=all",
  );
  const phone = await aPhone(browser);
  const number = await join(phone, `/m/${stores[0]!.merchants.id}`, "麦小禾");
  // The code on the phone is good once and drawn anew each half minute.
  let shown = "";
  const code = async (): Promise<string> => {
    const digits = async () => (await phone.locator(".digits").getAttribute("data-code")) ?? "";
    await expect.poll(digits, { timeout: 60_000 }).not.toBe(shown);
    return (shown = await digits());
  };
  interface Known {
    readonly ticket: string;
    readonly memberNo: string;
    readonly timesCards: readonly { no: string; left: number }[];
  }
  const { ticket, memberNo } = await atTill<Known>(HERE, "members/identify", { phone: number });
  const order = await atTill<{ codeUrl: string }>(HERE, "times-cards/orders", {
    tillNo: `T${Date.now()}`,
    ticket,
    productId,
    tradeType: "NATIVE",
    wallet: "wechat",
  });
  await simulator("_control/pay", { codeUrl: order.codeUrl });
  const held = async () => (await atTill<Known>(HERE, "members/identify", { phone: number })).timesCards[0];
  await expect.poll(held).toMatchObject({ left: 12 });
  const cardNo = (await held())!.no;

  const use = async (store: string): Promise<{ leftTimes: number }> => {
    const { ticket: full } = await atTill<Known>(store, "members/identify", { code: await code() });
    return atTill(store, "times-cards/use", { requestId: crypto.randomUUID(), ticket: full, cardNo, times: 1 });
  };
  expect((await use(HERE)).leftTimes).toBe(11);
  expect((await use(THERE)).leftTimes).toBe(10);

  await page.goto(`/#/vip-member/timesRecords?keyword=${memberNo}`);
  await expect(rowOf(page, THERE)).toContainText(`${HERE}售出`);
  await expect(page.locator(".totals:visible")).toContainText("83.33");
  await rowOf(page, THERE).getByRole("button", { name: "撤销" }).click();
  const reverse = page.getByRole("dialog", { name: "撤销核销" });
  await reverse.getByLabel("原因").fill("点错了");
  await reverse.getByRole("button", { name: "撤销核销" }).click();
  await expect(page.getByText("已撤销，次数已退回")).toBeVisible();
  await expect(rowOf(page, THERE)).toContainText("已撤销");
  await expect(rowOf(page, THERE).getByRole("button", { name: "撤销" })).toHaveCount(0);
  await expect(page.locator(".totals:visible")).toContainText("41.67");
  await clean(page, "次卡核销");

  await page.goto(`/#/vip-member/timesOrders?keyword=${memberNo}`);
  await expect(rowOf(page, cardNo)).toContainText("11 / 12 次");
  await expect(rowOf(page, cardNo)).toContainText("458.33");

  // Sold is no turnover yet; what was used of it is.
  await page.goto(`/#/dataCentre/payStatistics?by=store&from=${TODAY}&to=${TODAY}`);
  const row = page.getByRole("table", { name: "支付统计", exact: true }).getByRole("row").filter({ hasText: HERE });
  await row.getByRole("button", { name: HERE }).click();
  const apart = page.getByRole("dialog", { name: HERE });
  await expect(apart.getByText("次卡核销").first()).toBeVisible();
  const used = yuan(before + 4_167);
  await expect(apart.getByRole("row", { name: /^\+?\s*次卡核销/ })).toContainText(used);
  await expect(apart).toContainText("售次卡的净收款");
  await clean(page, "营业额构成");
  await apart.getByRole("link", { name: used, exact: true }).click();
  await expect(page.locator(".totals:visible")).toContainText(used);

  // The desk uses it too: by its number with the customer's PIN, or by the code on the phone.
  await page.goto("/#/plat-dy/coupon");
  const field = page.getByLabel("券码", { exact: true });
  await field.fill(cardNo);
  await field.press("Enter");
  const found = page.getByRole("region", { name: "这张券" });
  await expect(found).toContainText("吐司十二次");
  await expect(found).toContainText("11 次");
  await clean(page, "a times card at the desk", ".view");
  const uses = page
    .getByRole("region", { name: "今天" })
    .getByRole("listitem")
    .filter({ hasText: `尾号 ${cardNo.slice(-4)}` });
  await expect(page.getByText(/今天核销 \d+ 张/)).toBeVisible();
  const earlier = await uses.count();
  await field.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "请顾客出示会员码" })).toBeVisible();
  await field.fill(await code());
  await field.press("Enter");
  await expect(found).toContainText(memberNo);
  await field.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "已核销，可以交付" })).toContainText("还剩 10 次");
  // The use at the till stands there too; the new one comes before it with the next answer.
  await expect(uses).toHaveCount(earlier + 1);
  const mine = uses.first();
  await mine.getByRole("button", { name: /^撤销/ }).click();
  const back = page.getByRole("dialog", { name: "撤销核销" });
  await back.getByLabel("原因").fill("没做成");
  await back.getByRole("button", { name: /^撤销 吐司/ }).click();
  await expect(back).toBeHidden();
  await expect(mine).toContainText("已撤销");
  await page.setViewportSize({ width: 390, height: 844 });
  await clean(page, "the desk on a phone", ".view");
  await phone.context().close();
});
