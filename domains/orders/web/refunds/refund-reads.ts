import {
  getPayOrder,
  getRefund,
  listPayOrders,
  listRefundRequests,
  listRefunds,
  summarisePayOrders,
  summariseRefundRequests,
  summariseRefunds,
} from "../../contract/index.ts";

/** Every answer that a refund makes old. */
export const refundReads = [
  listPayOrders,
  summarisePayOrders,
  getPayOrder,
  listRefunds,
  summariseRefunds,
  getRefund,
  listRefundRequests,
  summariseRefundRequests,
] as const;
