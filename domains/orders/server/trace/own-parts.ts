import type { z } from "zod";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { tracePart } from "../../contract/trace.ts";
import { refundStatus } from "../../contract/codes.ts";
import type { OrderRow } from "../rows.ts";
import { feeBackRounding, feeRounding, line, some, sumOf, type TraceLine } from "./trace-rules.ts";

export type TracePart = z.input<typeof tracePart>;
type Sum = NonNullable<TracePart["sum"]>;

/** A part of the trace with its sum. */
export const part = (station: TracePart["station"], label: string, lines: TraceLine[], amountCents = sumOf(lines)) => ({
  station,
  lines,
  sum: { label, amountCents: amountCents as Sum["amountCents"] },
});

/** From the price to what was to be paid. */
export function discountsPart(order: OrderRow, promotions: readonly Promotion[] = []): TracePart {
  return part("discounts", order.paid_at === null ? "应付" : "实收", [
    line({ label: "订单金额", amountCents: order.gross_cents }),
    ...some({ label: "平台券", note: "平台已收，核销抵付", amountCents: -order.voucher_cents }),
    ...some({ label: "会员优惠", note: "商户让利", amountCents: -order.member_cents }),
    ...some({ label: "自动优惠", note: "商户让利", amountCents: -order.activity_cents }),
    ...some({ label: "优惠券", note: "商户让利", amountCents: order.free_coupon_cents - order.coupon_cents }),
    ...some({ label: "手工优惠", note: "收银员让利", amountCents: -order.manual_cents }),
    ...some({ label: "积分抵扣", note: "会员积分", amountCents: -order.points_cents }),
    ...some({ label: "储值支付", note: "会员储值余额", amountCents: -order.stored_value_cents }),
    ...some({ label: "商户承担", note: "下单时占用的优惠已不在，顾客已付款", amountCents: -order.short_cents }),
    ...promotions.filter(({ type }) => type === "NOCASH").flatMap((one) => bornBy(one, -1)),
  ]);
}

export interface Funders {
  readonly payer: number;
  readonly channel: number;
  readonly merchant: number;
  readonly other: number;
}
/** Who paid what of the amount: the payer's pocket, and whoever bears the channel's discounts. */
export async function fundersOf(tx: Transaction, order: OrderRow): Promise<Funders & { promotions: readonly Promotion[] }> {
  const promotions = await tx
    .selectFrom("order_promotions")
    .select(["name", "type", "amount_cents", "channel_cents", "merchant_cents", "other_cents"])
    .where("service_provider_id", "=", order.service_provider_id)
    .where("order_id", "=", order.id)
    .orderBy("id")
    .execute();
  // Of the free ones nobody's money came: they stand among the discounts.
  const prepaid = promotions.filter(isSettled);
  const sum = (key: "amount_cents" | "channel_cents" | "merchant_cents") => prepaid.reduce((total, one) => total + one[key], 0);
  const [off, channel, merchant] = [sum("amount_cents"), sum("channel_cents"), sum("merchant_cents")];
  // Where the channel names nobody for a part of it, it is somebody else's: the parts sum to the whole.
  return { payer: order.paid_cents - off, channel, merchant, other: off - channel - merchant, promotions };
}
interface Promotion {
  readonly name: string;
  readonly type: string | null;
  readonly amount_cents: number;
  readonly channel_cents: number;
  readonly merchant_cents: number;
  readonly other_cents: number;
}

/** Whether it counts as money for the merchant; so does one of which the channel does not say, until the day's bill tells. */
const isSettled = ({ type }: Promotion): boolean => type !== "NOCASH";
/** A discount of the channel's by who bears it. */
function bornBy({ name, type, amount_cents, channel_cents, merchant_cents }: Promotion, sign: 1 | -1): TraceLine[] {
  const kind = type === "CASH" ? "预充值" : type === "NOCASH" ? "免充值" : "通道未说明类型，按全额结算";
  const one = (who: string, cents: number) => some({ label: `通道优惠 ${name}`, note: `${kind}，${who}承担`, amountCents: sign * cents });
  return [...one("通道", channel_cents), ...one("商户", merchant_cents), ...one("其他方", amount_cents - channel_cents - merchant_cents)];
}

export function paymentPart(order: OrderRow, { payer, promotions }: Awaited<ReturnType<typeof fundersOf>>): TracePart {
  const lines = [
    line({ label: "付款人支付", amountCents: payer, at: order.paid_at as TraceLine["at"] }),
    ...promotions.filter(isSettled).flatMap((one) => bornBy(one, 1)),
  ];
  return part("payment", "通道收到", lines);
}

export function feePart(order: OrderRow): TracePart {
  const { note, rounding } = feeRounding(order.paid_cents, order.fee_rate, order.fee_cents);
  return part(
    "fee",
    "扣手续费后",
    [line({ label: "手续费", note, rounding, amountCents: -order.fee_cents })],
    order.paid_cents - order.fee_cents,
  );
}

/** What went back, is on its way back, and what of the fee came with it; undefined where nobody asked for anything. */
export async function refundsPart(tx: Transaction, order: OrderRow): Promise<TracePart | undefined> {
  const refunds = await tx
    .selectFrom("refunds")
    .select(["refund_no", "status", "amount_cents", "fee_cents", "created_at", "finished_at"])
    .where("service_provider_id", "=", order.service_provider_id)
    .where("order_id", "=", order.id)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
  if (refunds.length === 0) return undefined;
  const lines = refunds.flatMap((refund) => {
    const at = (refund.finished_at ?? refund.created_at) as TraceLine["at"];
    const state = refundStatus.label(refund.status as 0);
    // Failed and rejected: the amount went back to where it came from.
    if (refund.status > 2) return [line({ label: `退款 ${refund.refund_no}`, note: state, at })];
    return [
      line({ label: `退款 ${refund.refund_no}`, note: state, amountCents: -refund.amount_cents, at }),
      ...some({ label: "退回手续费", rounding: feeBackRounding(order, refund), amountCents: refund.fee_cents }),
    ];
  });
  return part("refunds", "退款合计", lines);
}
