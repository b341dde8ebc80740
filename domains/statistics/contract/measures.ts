import { labelled } from "@zhangfang/contract/labelled.ts";

/** One figure of the statistics: what the staff call it, what it counts, and how the database adds it up. */
interface Measure {
  readonly label: string;
  /** Stands behind the ⓘ at every place where the figure is shown. */
  readonly definition: string;
  readonly unit: "笔" | "元" | "家" | "台" | "人";
  /** Over the rows `t` of any of the rollups. */
  readonly rollup?: string;
  /** Over the ledger's entries `e`; must give what `rollup` gives. */
  readonly rows?: string;
}
const sum = (column: string): Pick<Measure, "rollup" | "rows"> => ({
  rollup: `coalesce(sum(t.${column}), 0)::bigint`,
  rows: `coalesce(sum(e.${column}), 0)::bigint`,
});
const count = (column: string, cause: string): Pick<Measure, "rollup" | "rows"> => ({
  rollup: `coalesce(sum(t.${column}), 0)::bigint`,
  rows: `count(*) filter (where e.cause = '${cause}')`,
});
/** A sum of columns with their signs; the rows have the same columns. */
const made = (terms: string): Pick<Measure, "rollup" | "rows"> => ({
  rollup: `coalesce(sum(${terms}), 0)::bigint`,
  rows: `coalesce(sum(${terms.replaceAll("t.", "e.")}), 0)::bigint`,
});

/**
 * The dictionary of measures, the only place where a figure is defined: cards, tables, charts, hints and exports read it.
 * Days are Shanghai days; money counts on the day it moved, a refund on the day it arrived, whenever its order was made.
 */
const MEASURES = {
  payCount: {
    label: "支付笔数",
    unit: "笔",
    definition: "支付成功的订单数（含之后退款的），按支付时间计入当天。",
    ...count("pay_count", "payment"),
  },
  grossCents: { label: "订单金额", unit: "元", definition: "支付成功订单的原价合计，未减优惠和退款。", ...sum("gross_cents") },
  discountCents: {
    label: "优惠金额",
    unit: "元",
    definition: "会员价、活动、优惠券、平台券、积分、手工优惠合计，含商户承担；不含储值支付。",
    ...sum("discount_cents"),
  },
  storedCents: {
    label: "储值支付",
    unit: "元",
    definition: "支付成功的订单用会员储值付的部分，本金和赠送都在内，不扣退款。",
    ...made("t.gross_cents - t.discount_cents - t.paid_cents"),
  },
  paidCents: {
    label: "实收金额",
    unit: "元",
    definition: "顾客实际支付合计 = 订单金额 − 优惠金额 − 储值支付，不扣退款。",
    ...sum("paid_cents"),
  },
  averageCents: {
    label: "客单价",
    unit: "元",
    definition: "实收金额 ÷ 支付笔数，四舍五入到分。",
    rollup: "round(sum(t.paid_cents)::numeric / nullif(sum(t.pay_count), 0))::bigint",
    rows: "round(sum(e.paid_cents)::numeric / nullif(count(*) filter (where e.cause = 'payment'), 0))::bigint",
  },
  refundCount: {
    label: "退款笔数",
    unit: "笔",
    definition: "退款成功的笔数，按退款到账时间计入当天，不论订单是哪天支付。",
    ...count("refund_count", "refund"),
  },
  refundCents: {
    label: "退款金额",
    unit: "元",
    definition:
      "退款成功的金额合计，按退款到账时间计入当天，不论订单是哪天支付；支付订单里的退款是列出的那些订单退了多少，同一天的数可能不同。",
    ...sum("refund_cents"),
  },
  effectiveCents: {
    label: "有效交易金额",
    unit: "元",
    definition: "订单金额 − 优惠金额 − 储值支付 − 退款金额。",
    ...made("t.paid_cents - t.refund_cents"),
  },
  feeCents: { label: "手续费", unit: "元", definition: "支付时产生的手续费合计，未减退还部分。", ...sum("fee_cents") },
  refundFeeCents: { label: "退还手续费", unit: "元", definition: "退款时按比例退还的手续费合计。", ...sum("refund_fee_cents") },
  netCents: {
    label: "净收入",
    unit: "元",
    definition: "实收金额 − 退款金额 − 手续费 + 退还手续费。",
    ...made("t.paid_cents - t.refund_cents - t.fee_cents + t.refund_fee_cents"),
  },
  feeKeptCents: { label: "手续费净额", unit: "元", definition: "手续费 − 退还手续费。" },
  sharedCents: {
    label: "分出金额",
    unit: "元",
    definition: "分账给接收方的金额 − 已回退的分账，按分账、回退完成的时间计入当天。",
  },
  profitCents: { label: "净收益", unit: "元", definition: "实收金额 − 退款金额 − 手续费净额 − 分出金额。" },
  settledCents: {
    label: "账单结算",
    unit: "元",
    definition: "通道账单写明结算给商户的金额，按账单日；只含取得了账单的日子和通道，所以可能少于净收益。按商户的整体，不分门店。",
  },
  turnoverCents: {
    label: "营业额",
    unit: "元",
    definition:
      "商品和服务的收入 = 实收金额 − 退款金额 − 充值和次卡的净收款 + 储值消费 + 次卡核销。VIP 按售出计入；赠送和积分是优惠，不计入。",
  },
  rechargeCents: {
    label: "充值实收",
    unit: "元",
    definition: "顾客充值时支付的钱，按支付时间计入当天；已计入实收金额，是欠顾客的，不是营业额。线下收的现金不在内。",
    ...sum("recharge_cents"),
  },
  rechargeBackCents: {
    label: "充值退款",
    unit: "元",
    definition: "退卡时原路退回的充值款，按到账时间计入当天；已计入退款金额。线下退的不在内。",
    ...sum("recharge_back_cents"),
  },
  cardCents: {
    label: "售卡实收",
    unit: "元",
    definition: "售出 VIP、次卡、券包时支付的钱，按支付时间计入当天；已计入实收金额。",
    ...made("t.times_cents + t.level_cents"),
  },
  cardBackCents: {
    label: "售卡退款",
    unit: "元",
    definition: "VIP、次卡、券包退回的钱，按到账时间计入当天；已计入退款金额。",
    ...made("t.times_back_cents + t.level_back_cents"),
  },
  timesCents: {
    label: "次卡核销",
    unit: "元",
    definition: "核销的次数按售价折算的金额 − 撤销核销的，按发生时间计入当天；不在实收金额内。",
  },
  consumedCents: { label: "储值消费", unit: "元", definition: "订单用掉的储值本金 − 退款退回的本金，按发生时间计入当天；不在实收金额内。" },
  balanceCents: { label: "储值余额", unit: "元", definition: "截至区间最后一天欠顾客的储值本金，按售卡门店；不含赠送。" },
  membersNew: { label: "新增会员", unit: "人", definition: "入会时间在区间内的会员，含准会员。" },
  membersActive: { label: "活跃会员", unit: "人", definition: "区间内至少有 1 笔消费支付成功的会员。" },
  merchantsTotal: { label: "商户总数", unit: "家", definition: "截至区间最后一天已开户的商户，按当前归属，含停用。" },
  merchantsNew: { label: "新增商户", unit: "家", definition: "开户日在区间内的商户，按当前归属。" },
  merchantsActive: { label: "活跃商户", unit: "家", definition: "区间内至少有 1 笔支付成功的商户，支付时和现在都归属本级。" },
  devicesOnline: { label: "在线设备", unit: "台", definition: "启用中、最近 3 分钟内有心跳的设备。" },
  devicesTotal: { label: "设备总数", unit: "台", definition: "启用中的设备。" },
  commissionCents: {
    label: "分润",
    unit: "元",
    definition: "区间内各日的净分润：费率差 + 比例分润 − 退款扣回，次日凌晨入账；与“我的分润”一致。",
  },
} as const satisfies Readonly<Record<string, Measure>>;

export type Metric = keyof typeof MEASURES;
const entries = Object.entries(MEASURES) as unknown as readonly (readonly [Metric, Measure])[];
const each = <V>(of: (measure: Measure) => V) => Object.fromEntries(entries.map(([name, one]) => [name, of(one)])) as Record<Metric, V>;

/** Every figure with the name that the staff use. */
export const metric = labelled(each((one) => one.label));
/** What each figure counts, for the hint beside it. */
export const metricDefinition: Readonly<Record<Metric, string>> = each((one) => one.definition);
/** How a figure is added up, over rollups `t` and over ledger entries `e`; undefined for what is counted as it stands now. */
export function metricSql(name: Metric): Pick<Measure, "rollup" | "rows"> {
  const { rollup, rows }: Measure = MEASURES[name];
  return { ...(rollup !== undefined && { rollup }), ...(rows !== undefined && { rows }) };
}

/** The figures that payments and refunds add up to, in the order in which tables show them. */
export const TAKINGS = [
  "payCount",
  "grossCents",
  "discountCents",
  "storedCents",
  "paidCents",
  "averageCents",
  "refundCount",
  "refundCents",
  "effectiveCents",
  "feeCents",
  "refundFeeCents",
  "netCents",
  "rechargeCents",
  "rechargeBackCents",
  "cardCents",
  "cardBackCents",
] as const satisfies readonly Metric[];
export type TakingsMetric = (typeof TAKINGS)[number];
/** What a report shows beside them of members' value. */
export const VALUE = ["turnoverCents", "consumedCents", "timesCents", "balanceCents"] as const satisfies readonly Metric[];
export type ValueMetric = (typeof VALUE)[number];
