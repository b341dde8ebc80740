import type { ChannelAccount } from "../../channel.ts";
import type { StockOrder } from "../../types/coupons.ts";
import { rfc3339 } from "../payment-request.ts";

/** 创建商家券: what of a batch is sent. */
export function stockBody(account: ChannelAccount, order: StockOrder): object {
  const { worth, min_cents, days, weekdays, windows } = order;
  // 消费门槛 begins at one cent, which every order reaches.
  const transaction_minimum = Math.max(1, min_cents);
  const rule =
    worth.type === "NORMAL"
      ? { fixed_normal_coupon: { discount_amount: worth.off_cents, transaction_minimum } }
      : worth.type === "DISCOUNT"
        ? { discount_coupon: { discount_percent: worth.percent, transaction_minimum } }
        : { exchange_coupon: { exchange_price: worth.price_cents, transaction_minimum } };
  return {
    stock_name: order.name,
    belong_merchant: account.subMchId ?? account.mchId,
    goods_name: order.goodsName,
    stock_type: worth.type,
    coupon_use_rule: {
      coupon_available_time: {
        available_begin_time: rfc3339(order.from),
        available_end_time: rfc3339(order.to),
        ...(days && { available_day_after_receive: days.count, ...(days.wait > 0 && { wait_days_after_receive: days.wait }) }),
        ...((weekdays.length > 0 || windows.length > 0) && {
          available_week: {
            week_day: (weekdays.length > 0 ? [...weekdays] : [0, 1, 2, 3, 4, 5, 6]).map(String),
            ...(windows.length > 0 && { available_day_time: windows.map(({ from_s, to_s }) => ({ begin_time: from_s, end_time: to_s })) }),
          },
        }),
      },
      ...rule,
      use_method: "OFF_LINE",
    },
    stock_send_rule: {
      max_coupons: order.total,
      max_coupons_per_user: order.perPerson,
      ...(order.perDay !== null && { max_coupons_by_day: order.perDay }),
      natural_person_limit: false,
      prevent_api_abuse: false,
    },
    out_request_no: order.outRequestNo,
    display_pattern_info: { description: order.description },
    coupon_code_mode: "MERCHANT_UPLOAD",
  };
}
