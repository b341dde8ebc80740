import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { Act } from "@zhangfang/web/act/Act.tsx";
import { type Column, columns } from "@zhangfang/web/list/table/columns.tsx";
import { Button } from "@zhangfang/web/show/Button.tsx";
import { channelName, payWallet, payWay, walletOf, wayOf } from "../../../channels/contract.ts";
import { type listPayOrders, orderStatus, orderType, refundOrder, tradeType } from "../../contract/index.ts";

export type PayOrder = RowOf<typeof listPayOrders>;

/**
 * The columns of a payment order, in the order that the staff read them; their keys are those of the export.
 * @param withMerchant for levels above the merchant
 */
export function payOrderColumns({
  open,
  refund,
  withMerchant,
}: {
  open: (id: string) => void;
  refund: (id: string) => void;
  withMerchant: boolean;
}): Column<PayOrder>[] {
  const c = columns<PayOrder>();
  const asked = { hidden: true };
  // What was taken off an order counts once it is paid, as in the sums.
  const once = (key: "discountCents" | "voucherCents" | "couponCents" | "pointsCents" | "storedValueCents") => (row: PayOrder) =>
    row.paidAt === null ? null : row[key];
  return [
    c.link("orderNo", "订单号", (row) => open(row.id), { width: 244 }),
    c.text("merchantName", "商户", { hidden: !withMerchant }),
    c.text("storeName", "门店"),
    c.text("tool", "钱包", (row) => payWallet.label(walletOf(row.tool)), { width: 80 }),
    c.text("payMethod", "收款方式", (row) => payWay.label(wayOf(row.tool, row.payMethod)), { width: 80 }),
    c.money("grossCents", "订单金额（元）", { ...asked, width: 128 }),
    c.money("discountCents", "优惠（元）", once("discountCents"), asked),
    c.money("voucherCents", "平台券（元）", once("voucherCents"), asked),
    c.money("couponCents", "优惠券（元）", once("couponCents"), asked),
    c.money("pointsCents", "积分抵扣（元）", once("pointsCents"), asked),
    c.money("storedValueCents", "储值支付（元）", once("storedValueCents"), asked),
    c.money("paidCents", "实收（元）", (row) => (row.paidAt === null ? null : row.paidCents), { width: 110 }),
    c.money("feeCents", "手续费（元）", asked),
    c.money("refundedCents", "已退款（元）", (row) => (row.refundedCents + row.refundingCents === 0 ? null : row.refundedCents), {
      width: 114,
      note: (row) => row.refundingCents > 0 && `退款中 ¥${yuan(row.refundingCents)}`,
    }),
    c.code("status", "状态", orderStatus, { width: 80 }),
    c.time("createdAt", "下单时间", { sort: "createdAt", width: 168 }),
    c.time("paidAt", "支付时间", asked),
    c.code("orderType", "订单类型", orderType, asked),
    c.text("channel", "通道", (row) => channelName(row.channel, walletOf(row.tool)), asked),
    c.code("tradeType", "交易类型", tradeType, { ...asked, width: 160 }),
    c.text("subject", "商品", asked),
    c.text("deviceName", "设备", asked),
    c.text("cashierName", "收银员", asked),
    c.text("memberNo", "会员号", { ...asked, width: 120 }),
    c.text("payer", "付款人", asked),
    c.text("channelNo", "通道单号", { ...asked, width: 260 }),
    c.text("tillNo", "收银单号", { ...asked, width: 200 }),
    c.actions(
      (row) => (
        <>
          <Button tone="link" onClick={() => open(row.id)}>
            详情
          </Button>
          {row.refundable && (
            <Act of={refundOrder}>
              <Button tone="link" onClick={() => refund(row.id)}>
                退款
              </Button>
            </Act>
          )}
        </>
      ),
      { width: 108 },
    ),
  ];
}
