import { expect, test } from "./journey.ts";
import { rowOf } from "./read-screen.ts";
import { simulator } from "./world.ts";

// What customers do without a till beside them, from the first press to the list in the office.
test.use({ login: "mch01" });

/** A call that a till of mch01's first store signs. */
const device = <T>(path: string, body: object): Promise<T> => simulator<T>("_till/device", { sn: "ZF-01-1", path, body });

test("a friend opens the link and pays, and the office sees who paid for whom", async ({ page, context }) => {
  const order = await device<{ orderNo: string; friendUrl: string }>("/api/till/friend-orders", {
    tillNo: `J${Date.now()}`,
    subject: "生日蛋糕",
    grossCents: 16_800,
    orderer: "o-orderer-of-the-journey",
    ordererName: "小周",
    message: "拜托啦",
  });
  const friend = await context.newPage();
  await friend.goto(order.friendUrl);
  await expect(friend.getByText("小周请你帮忙付款")).toBeVisible();
  await expect(friend.getByText("¥168.00")).toBeVisible();
  const [wallet] = await Promise.all([context.waitForEvent("page"), friend.getByRole("link", { name: "替朋友付款" }).click()]);
  await wallet.getByRole("button", { name: "扫码支付" }).click();
  await expect(friend.getByRole("heading", { name: "已替朋友付款" })).toBeVisible();

  await page.goto(`/#/dataCentre/daifu?view=links&keyword=${order.orderNo}`);
  await expect(rowOf(page, order.orderNo)).toContainText("好友已付");
  await expect(rowOf(page, order.orderNo)).toContainText("168.00");
  await page.getByRole("button", { name: "按日", exact: true }).click();
  await expect(page.getByRole("table", { name: "代付统计" }).getByRole("row").nth(1)).toContainText("%");
  // The order itself says where its money went.
  await page.goto(`/#/dataCentre/payOrder?keyword=${order.orderNo}`);
  await rowOf(page, order.orderNo).click();
  const trace = page.getByRole("dialog").getByRole("region", { name: "资金去向" });
  await expect(trace).toContainText("收支相抵，分文不差");
});
