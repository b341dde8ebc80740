/** How an acquirer's bill is laid out, as data. Of each column the names that it may have; a bill is read by its heading. */
export interface AcquirerBill {
  readonly columns: {
    readonly at: readonly string[];
    readonly order: readonly string[];
    readonly refund: readonly string[];
    /** The acquirer's own number. */
    readonly trade: readonly string[];
    readonly kind: readonly string[];
    readonly state: readonly string[];
    readonly amount: readonly string[];
    readonly fee: readonly string[];
    /** What is paid out, the fee taken off already; without the column it is the amount less the fee. */
    readonly net: readonly string[];
  };
  /** The words for a refund; every other row that has an amount is a payment. */
  readonly refunds: readonly string[];
  /** The words for what moved no money: such rows are left out. Any other word counts, so that no money goes unseen. */
  readonly nothing: readonly string[];
  readonly amounts: "yuan" | "cents";
}

/**
 * Not verified, for none of the acquirers: their files come with a contract. These are names that such files commonly carry; with the
 * contract's document an acquirer gets its own here.
 */
const NEUTRAL: AcquirerBill = {
  columns: {
    at: ["交易时间", "支付时间", "交易日期时间", "完成时间"],
    order: ["商户订单号", "商户流水号", "商户交易号"],
    refund: ["商户退款单号", "退款单号", "退款流水号"],
    trade: ["平台订单号", "收单流水号", "交易流水号", "平台流水号"],
    kind: ["交易类型", "业务类型"],
    state: ["交易状态", "状态"],
    amount: ["交易金额", "订单金额", "金额"],
    fee: ["手续费", "交易手续费"],
    net: ["结算金额", "清算金额", "入账金额"],
  },
  refunds: ["退款", "退货", "撤销", "消费撤销", "REFUND"],
  nothing: ["失败", "交易失败", "已关闭", "关闭", "未支付", "FAIL", "CLOSED"],
  amounts: "yuan",
};
export const acquirerBills: Readonly<Record<1 | 2 | 3 | 4 | 5 | 6 | 8, AcquirerBill>> = {
  1: NEUTRAL,
  2: NEUTRAL,
  3: NEUTRAL,
  4: NEUTRAL,
  5: NEUTRAL,
  6: NEUTRAL,
  8: NEUTRAL,
};
