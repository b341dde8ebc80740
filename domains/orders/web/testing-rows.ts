import type { InputOf, OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import type { Cents, Instant } from "@zhangfang/contract/fields.ts";
import type { getPayOrder, listPayOrders, refundOrder } from "../contract/index.ts";

const cents = (given: number): Cents => given as Cents;
const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const at = "2026-11-20T01:41:07.000Z" as Instant;

export type SentRefund = InputOf<typeof refundOrder>;

/** A paid order of 129.00 of which all may be refunded. */
export const paidOrder: RowOf<typeof listPayOrders> = {
  id: id(1),
  orderNo: "P202611200941070000004871",
  tillNo: "T1",
  channelNo: "42000001",
  orderType: 0,
  tradeType: "MICROPAY",
  subject: "堂食",
  serviceProviderId: id(2),
  merchantId: id(3),
  merchantName: "蜀味川菜",
  storeId: id(4),
  storeName: "春熙路店",
  deviceName: null,
  cashierName: "张小明",
  memberId: null,
  memberNo: null,
  payer: null,
  grossCents: cents(12900),
  discountCents: cents(0),
  voucherCents: cents(0),
  couponCents: cents(0),
  pointsCents: cents(0),
  storedValueCents: cents(0),
  paidCents: cents(12900),
  feeCents: cents(49),
  refundedCents: cents(0),
  refundingCents: cents(0),
  channel: 0,
  tool: 2,
  payMethod: "OTHER",
  status: 2,
  createdAt: at,
  paidAt: at,
  refundableCents: cents(12900),
  refundable: true,
  syncable: false,
};

/** Its details. */
export const paidDetails: OutputOf<typeof getPayOrder> = {
  ...paidOrder,
  feeRate: 380,
  expiresAt: at,
  closedAt: null,
  refundCount: 0,
  price: null,
  why: { steps: [], refused: [] },
  events: [],
  refunds: [],
  invoiceUrl: null,
  channelCalls: [],
  ledger: [
    {
      id: id(5),
      cause: "payment",
      refundId: null,
      occurredAt: at,
      lines: [
        { account: "channel", amountCents: cents(12900) },
        { account: "merchant", amountCents: cents(-12851) },
        { account: "fee", amountCents: cents(-49) },
      ],
    },
  ],
};
