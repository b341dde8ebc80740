import { labelled, type CodeOf } from "@zhangfang/contract/labelled.ts";

/** Every figure of the statistics, with the name that the staff use. The definitions below are the only ones. */
export const metric = labelled({
  payCount: "支付笔数",
  grossCents: "订单金额",
  discountCents: "优惠金额",
  paidCents: "实收金额",
  averageCents: "客单价",
  refundCount: "退款笔数",
  refundCents: "退款金额",
  feeCents: "手续费",
  refundFeeCents: "退还手续费",
  netCents: "净收入",
  merchantsTotal: "商户总数",
  merchantsNew: "新增商户",
  merchantsActive: "活跃商户",
  devicesOnline: "在线设备",
  devicesTotal: "设备总数",
  commissionCents: "预计佣金",
});
export type Metric = CodeOf<typeof metric>;

/** What each figure counts, for the tooltip beside it. Days are Shanghai days; money counts on the day the money moved. */
export const metricDefinition: Readonly<Record<Metric, string>> = {
  payCount: "支付成功的订单数，按支付时间计入当天；之后退款不减少笔数。",
  grossCents: "支付成功订单的原价合计，优惠前。",
  discountCents: "优惠券、积分、储值抵扣合计。",
  paidCents: "顾客实际支付合计 = 订单金额 − 优惠金额，不扣退款。",
  averageCents: "实收金额 ÷ 支付笔数，四舍五入到分。",
  refundCount: "退款成功的笔数，按退款到账时间计入当天，不论订单是哪天支付。",
  refundCents: "退款成功的金额合计，按退款到账时间计入当天。",
  feeCents: "支付时产生的手续费合计，未减退还部分。",
  refundFeeCents: "退款时按比例退还的手续费合计。",
  netCents: "实收金额 − 退款金额 − 手续费 + 退还手续费。",
  merchantsTotal: "截至区间最后一天已开户的商户，按当前归属，含停用。",
  merchantsNew: "开户日在区间内的商户，按当前归属。",
  merchantsActive: "区间内至少有 1 笔支付成功的商户，按支付时的归属。",
  devicesOnline: "启用中、最近 3 分钟内有心跳的设备。",
  devicesTotal: "启用中的设备。",
  commissionCents: "（手续费 − 退还手续费）× 代理商当前分润比例，按支付时归属的商户；结算以分润单为准。",
};

/** Who pays with what, for the shares: the tools of spec.md section 3 by wallet. */
export const wallet = labelled({ wechat: "微信", alipay: "支付宝", unionpay: "云闪付", card: "银行卡", other: "其他" });
export type Wallet = CodeOf<typeof wallet>;
