import type { Browser, Page } from "@playwright/test";
import { expect, sharedToken, test } from "./journey.ts";
import { aPhone, join, tab } from "./phone.ts";
import { rowOf } from "./read-screen.ts";
import { api, simulator } from "./world.ts";

// What a member orders where somebody else stands between: at the mall, and for a friend to pay.
test.use({ login: "mch01" });
test.setTimeout(240_000);

/** A call that a till of mch01's first store signs. */
const device = <T>(path: string, body: object): Promise<T> => simulator<T>("_till/device", { sn: "ZF-01-1", path, body });
/** Somebody new, who has recharged 500.00 on their phone. */
async function member(browser: Browser): Promise<Page> {
  const { data: stores } = await api<readonly { merchants: { id: string } }[]>(
    await sharedToken("mch01"),
    "GET",
    "/newokpayorderservice/api/stores/list?keyword=&type=all",
  );
  const phone = await aPhone(browser);
  await join(phone, `/m/${stores[0]!.merchants.id}`, "林小满");
  await tab(phone, "充值").click();
  await phone.getByRole("radio").nth(1).check();
  await phone.getByRole("button", { name: "微信支付 ¥500.00" }).click();
  const [wallet] = await Promise.all([phone.waitForEvent("popup"), phone.getByRole("link", { name: "去付款" }).click()]);
  await wallet.getByRole("button", { name: "扫码支付" }).click();
  await expect(phone.getByRole("heading", { name: "充值成功" })).toBeVisible();
  await phone.getByRole("button", { name: "看会员码" }).click();
  return phone;
}
/** Whom the till knows by the code on a phone. */
async function ticketOf(phone: Page): Promise<string> {
  const code = await phone.locator(".digits").getAttribute("data-code");
  return (await device<{ ticket: string }>("/api/till/members/identify", { code })).ticket;
}
interface Priced {
  readonly orderNo: string;
  readonly codeUrl: string;
  readonly tenders: readonly { readonly kind: string; readonly cents: number }[];
}
const tenderOf = ({ tenders }: Priced, kind: string): number => tenders.find((one) => one.kind === kind)?.cents ?? 0;

test("a member orders at the mall with a part of the balance, and the office sees before the click what goes back to whom", async ({
  page,
  browser,
}) => {
  const phone = await member(browser);
  const mallNo = `JM${Date.now()}`;
  const order = await device<Priced>("/api/mall/orders", {
    mallNo,
    lines: [
      { goodsNo: "J-1", name: "牛油火锅底料", quantity: 2, unitCents: 4_000 },
      { goodsNo: "J-2", name: "郫县豆瓣酱", quantity: 1, unitCents: 2_000 },
    ],
    deliveryCents: 800,
    buyer: "o-buyer-of-the-journey",
    receiver: { name: "欧阳静", phone: "13980001122", area: "四川省成都市锦江区", address: "春熙路 12 号 3 栋" },
    ticket: await ticketOf(phone),
    storedValueCents: 6_000,
  });
  expect(tenderOf(order, "principal") + tenderOf(order, "gift")).toBe(6_000);
  expect(tenderOf(order, "money")).toBe(4_800);
  await simulator("_control/pay", { codeUrl: order.codeUrl });
  await page.goto(`/#/reconciliation/pay?keyword=${mallNo}`);
  await expect(async () => {
    await page.locator(".view:visible").getByRole("button", { name: "刷新" }).click();
    await expect(rowOf(page, mallNo)).toContainText("待发货", { timeout: 1_000 });
  }).toPass();
  await expect(rowOf(page, mallNo)).toContainText("48.00");
  await rowOf(page, mallNo).getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: `退款 ${mallNo}` });
  await refund.getByLabel("郫县豆瓣酱退款金额").fill("20");
  await refund.getByLabel("退款原因").fill("瓶子碎了");
  const preview = refund.getByRole("region", { name: "退款试算" });
  await expect(preview).toContainText("退回储值本金");
  await expect(preview).toContainText("不可退现");
  await refund.getByRole("button", { name: "确认退款 ¥20.00" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "确认退款 ¥20.00" }).click();
  const result = page.getByRole("dialog", { name: "退款结果" });
  await expect(result).toContainText("瓶子碎了");
  await result.getByRole("button", { name: "完成" }).click();
  await rowOf(page, mallNo).getByText(mallNo).click();
  await expect(page.getByRole("dialog")).toContainText("储值支付");
  // What went back is on the phone.
  await expect(async () => {
    await tab(phone, "会员码").click();
    await tab(phone, "明细").click();
    await expect(phone.getByText(/退款退回余额/).first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await phone.context().close();
});

test("a friend is asked for what a member's balance leaves, and sees that sum alone", async ({ page, browser, context }) => {
  const phone = await member(browser);
  const ticket = await ticketOf(phone);
  const tillNo = `JF${Date.now()}`;
  const { quote } = await device<{ quote: string }>("/api/till/quotes", { tillNo, grossCents: 16_800, ticket, storedValueCents: 10_000 });
  const given = {
    tillNo,
    subject: "生日蛋糕",
    grossCents: 16_800,
    quote,
    ticket,
    orderer: "o-orderer-of-the-journey",
    ordererName: "小周",
  };
  const order = await device<{ orderNo: string; friendUrl: string }>("/api/till/friend-orders", given);
  const friend = await context.newPage();
  await friend.goto(order.friendUrl);
  await expect(friend.getByText("小周请你帮忙付款")).toBeVisible();
  await expect(friend.locator("#sum")).toHaveText("¥68.00");
  await expect(friend.getByText("168.00")).toHaveCount(0);
  await expect(friend.getByText(/储值|积分|林/)).toHaveCount(0);
  const [wallet] = await Promise.all([context.waitForEvent("page"), friend.getByRole("link", { name: "替朋友付款" }).click()]);
  await wallet.getByRole("button", { name: "扫码支付" }).click();
  await expect(friend.getByRole("heading", { name: "已替朋友付款" })).toBeVisible();
  await expect(friend.locator("#paid")).toHaveText("¥68.00");
  await page.goto(`/#/dataCentre/payOrder?keyword=${order.orderNo}`);
  await rowOf(page, order.orderNo).click();
  await expect(page.getByRole("dialog")).toContainText("储值本金");
  await phone.context().close();
});
