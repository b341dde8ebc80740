import { clean } from "./a11y/look.ts";
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
  await clean(page, "发货", ".drawer");
  await ship.getByRole("button", { name: "确认发货" }).click();
  await expect(rowOf(page, mallNo)).toContainText("已发货");

  await rowOf(page, mallNo).getByRole("button", { name: "退款" }).click();
  const refund = page.getByRole("dialog", { name: `退款 ${mallNo}` });
  await refund.getByLabel("郫县豆瓣酱退款金额").fill("30");
  await expect(refund.getByText("最多可退 ¥22.60")).toBeVisible();
  await refund.getByLabel("郫县豆瓣酱退款金额").fill("22.60");
  await refund.getByLabel("退款原因").fill("瓶子碎了");
  // Before it leaves it is said for whom it is; after that what became of it, without another list.
  await expect(refund.getByRole("region", { name: "退款试算" })).toContainText("¥22.60");
  await refund.getByRole("button", { name: "确认退款 ¥22.60" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "确认退款 ¥22.60" }).click();
  const result = page.getByRole("dialog", { name: "退款结果" });
  await expect(result).toContainText("¥22.60");
  await expect(result).toContainText("瓶子碎了");
  await result.getByRole("button", { name: "完成" }).click();
  await rowOf(page, mallNo).getByText(mallNo).click();
  await expect(page.getByRole("dialog").getByRole("region", { name: "资金去向" })).toContainText("收支相抵，分文不差");
  await page.goto(`/#/reconciliation/refund?keyword=${mallNo}`);
  await rowOf(page, mallNo).click();
  await expect(page.getByRole("dialog").getByRole("table", { name: "退款商品" })).toContainText("郫县豆瓣酱");
});

test("whoever paid says how it was; the merchant answers and hides", async ({ page, context }) => {
  const order = await device<{ orderNo: string; codeUrl: string; friendUrl: string }>("/api/till/friend-orders", {
    tillNo: `K${Date.now()}`,
    subject: "双人套餐",
    grossCents: 9_900,
    orderer: "o-orderer-of-the-comment",
  });
  await simulator("_control/pay", { codeUrl: order.codeUrl });
  const payer = await context.newPage();
  await payer.goto(order.friendUrl);
  await payer.getByRole("link", { name: "评价本次消费" }).click();
  await payer.locator(".stars label").nth(3).click();
  await payer.getByLabel("说说你的感受（选填）").fill("<b>味道</b>不错，上菜快");
  const drawn = await payer.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 30 });
    canvas.getContext("2d")!.fillRect(0, 0, 40, 30);
    return canvas.toDataURL("image/png").split(",")[1]!;
  });
  await payer.locator("#file").setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from(drawn, "base64") });
  await expect(payer.getByRole("button", { name: "移除图片 1" })).toBeVisible();
  await payer.getByRole("button", { name: "提交评价" }).click();
  await expect(payer.getByRole("heading", { name: "谢谢你的评价" })).toBeVisible();

  await page.goto(`/#/dataCentre/comment?keyword=${order.orderNo}`);
  const row = rowOf(page, "<b>味道</b>不错，上菜快");
  await row.getByRole("button", { name: "回复" }).click();
  const drawer = page.getByRole("dialog", { name: "评价详情" });
  await expect(drawer.getByRole("img", { name: "评价图片 1" })).toBeVisible();
  await drawer.getByRole("button", { name: "回复", exact: true }).click();
  const reply = page.getByRole("dialog", { name: "回复评价" });
  await reply.getByLabel("回复内容").fill("谢谢喜欢");
  await reply.getByRole("button", { name: "回复", exact: true }).click();
  await expect(drawer).toContainText("谢谢喜欢");
  await drawer.getByRole("button", { name: "隐藏" }).click();
  const hide = page.getByRole("dialog", { name: "隐藏评价" });
  await hide.getByLabel("隐藏原因").fill("试一试");
  await clean(page, "隐藏评价", ".drawer");
  await hide.getByRole("button", { name: "隐藏" }).click();
  await page.getByRole("dialog", { name: "提示" }).getByRole("button", { name: "隐藏" }).click();
  await expect(drawer).toContainText("已隐藏");
  await payer.reload();
  await expect(payer.getByText("商家回复：谢谢喜欢")).toBeVisible();
});
