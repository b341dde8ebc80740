import { listPayOrders, listRefunds, summarisePayOrders, summariseRefunds } from "../../orders/contract/index.ts";
import {
  getMallOrder,
  getMallRefund,
  listMallOrders,
  listMallRefunds,
  summariseMallOrders,
  summariseMallRefunds,
} from "../contract/index.ts";

/** Every answer that a dispatch makes old. */
export const orderReads = [listMallOrders, summariseMallOrders, getMallOrder] as const;
/** Every answer that a refund makes old. */
export const refundReads = [
  ...orderReads,
  listMallRefunds,
  summariseMallRefunds,
  getMallRefund,
  listPayOrders,
  summarisePayOrders,
  listRefunds,
  summariseRefunds,
] as const;
