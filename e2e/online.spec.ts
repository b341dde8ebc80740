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

test("a mall order is paid, sent, and a part of it goes back", async ({ page }) => {
  const mallNo = `J${Date.now()}`;
  const order = await device<{ orderNo: string; codeUrl: string }>("/api/mall/orders", {
    mallNo,
    lines: [
      { goodsNo: "J-1", name: "牛油火锅底料", quantity: 2, unitCents: 3_980 },
      { goodsNo: "J-2", name: "郫县豆瓣酱", quantity: 1, unitCents: 2_260 },
    ],
    deliveryCents: 800,
    buyer: "o-buyer-of-the-journey",
    receiver: { name: "欧阳静", phone: "13980001122", area: "四川省成都市锦江区", address: "春熙路 12 号 3 栋" },
  });
  await page.goto(`/#/reconciliation/pay?keyword=${mallNo}`);
  await expect(rowOf(page, mallNo)).toContainText("待付款");
  await simulator("_control/pay", { codeUrl: order.codeUrl });
  await expect(async () => {
    await page.locator(".view:visible").getByRole("button", { name: "刷新" }).click();
    await expect(rowOf(page, mallNo)).toContainText("待发货", { timeout: 1_000 });
  }).toPass();
  await rowOf(page, mallNo).getByRole("button", { name: "发货" }).click();
  const ship = page.getByRole("dialog", { name: `发货 ${mallNo}` });
  await expect(ship).toContainText("139****1122");
  await ship.getByRole("combobox", { name: "快递公司" }).click();
  await page.locator(".ant-select-item-option").filter({ hasText: "顺丰速运" }).click();
  await ship.getByLabel("快递单号").fill("SF100200300");
  await ship.getByRole("button", { name: "确认发货" }).click();
  await expect(rowOf(page, mallNo)).toContainText("已发货");

  await rowOf(page, mallNo).getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: `退款 ${mallNo}` });
  await refund.getByLabel("郫县豆瓣酱退款金额").fill("30");
  await expect(refund.getByText("最多可退 ¥22.60")).toBeVisible();
  await refund.getByLabel("郫县豆瓣酱退款金额").fill("22.60");
  await refund.getByLabel("退款原因").fill("瓶子碎了");
  await refund.getByRole("button", { name: "确认退款 ¥22.60" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "确认退款 ¥22.60" }).click();
  await expect(page.getByText("已提交退款")).toBeVisible();
  await page.goto(`/#/reconciliation/refund?keyword=${mallNo}`);
  await rowOf(page, mallNo).click();
  await expect(page.getByRole("dialog").getByRole("table", { name: "退款商品" })).toContainText("郫县豆瓣酱");
});
