import { expect, test } from "../journey.ts";
import { clean, lookAtLists } from "./look.ts";

// They change nothing: all workers take from it.
test.describe.configure({ mode: "parallel", timeout: 240_000 });
test.use({ contextOptions: { reducedMotion: "reduce" } });

lookAtLists([
  ["支付订单", "mch01", "/dataCentre/payOrder", /api\/orders\/pay-orders/],
  ["代付统计", "mch01", "/dataCentre/daifu?view=links", /api\/orders\/friend-pays/],
  ["订单评价", "mch01", "/dataCentre/comment", /api\/orders\/comments/],
  ["支付退款订单", "sp01", "/dataCentre/payRefund", /api\/orders\/refunds/],
  ["提现记录", "sp01", "/dataCentre/withdrawal", /api\/commissions\/withdrawals/],
  ["分润", "sp01", "/dataCentre/shareProfit", /api\/commissions\/share-profit/],
  ["服务商收益", "admin", "/dataCentre/spProfit", /api\/commissions\/provider-profit/],
  ["退款申请", "mch01", "/dataCentre/refund", /api\/orders\/refund-requests/],
  ["分账记录", "mch01", "/dataCentre/sharing", /api\/profit-sharing\/shares/],
  ["分账回退", "mch01", "/dataCentre/sharingReturn", /api\/profit-sharing\/returns/],
  ["储值充值", "mch01", "/dataCentre/cardRecharge", /api\/stored-value\/recharges/],
  ["转来和导入的余额", "mch01", "/dataCentre/cardRecharge?view=lots", /api\/stored-value\/card-refunds\/lots/],
  ["储值消费", "mch01", "/dataCentre/cardConsumption?view=moves&report=change", /api\/stored-value\/moves/],
  ["团购明细", "mch01", "/dataCentre/groupBuy?view=entries", /api\/group-buy\/entries/],
  ["外卖订单", "mch01", "/dataCentre/takeaway?view=orders", /api\/takeaway\/orders/],
  ["导出记录", "mch01", "/dataCentre/exports", /api\/exports/],
]);

test.describe("提现记录 of a merchant", () => {
  test.use({ login: "mch01" });
  test("what its channels settle", async ({ page }) => {
    await page.goto("/#/dataCentre/withdrawal");
    await expect(page.getByText("货款由支付通道按签约周期直接结算").first()).toBeVisible();
    await expect(page.getByRole("table", { name: "提现记录" })).toContainText("微信支付");
    await clean(page, "with rows", ".view");
  });
});

test.describe("分账", () => {
  test.use({ login: "mch02" });
  test("a share without an answer, and what is recorded of it, with mistakes", async ({ page }) => {
    await page.goto("/#/dataCentre/sharing?status=1");
    await page
      .getByRole("table", { name: "分账记录" })
      .getByRole("button", { name: /^S\d+$/ })
      .last()
      .click();
    const details = page.getByRole("dialog", { name: /^分账 S/ });
    await expect(details).toContainText("通道超过一天没有给出结果");
    await clean(page, "a share without an answer");
    await details.getByRole("button", { name: "登记结果" }).click();
    const form = page.getByRole("dialog", { name: /^登记结果/ });
    await form.getByLabel("已到账", { exact: true }).check();
    await page.keyboard.press("Control+Enter");
    await expect(form.getByText("请填写")).toBeVisible();
    await clean(page, "a record with mistakes");
  });
});
