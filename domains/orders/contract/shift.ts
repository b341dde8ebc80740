import { z } from "zod";
import { payMethod, payTool } from "../../channels/contract.ts";
import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, dateRange, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";

const sums = {
  payCount: z.int(),
  grossCents: cents,
  discountCents: cents,
  /** 储值支付. */
  storedCents: cents,
  paidCents: cents,
  feeCents: cents,
  refundCount: z.int(),
  refundCents: cents,
  /** Paid less refunded. */
  netCents: cents,
  /** Of that money: for recharges, and for levels, times cards and packages; what of it went back. */
  rechargeCents: cents,
  rechargeBackCents: cents,
  cardCents: cents,
  cardBackCents: cents,
};

/** What was taken, by cashier and method, and in all. `outside` passed no channel (收现金): it is handed over too, beside the rest. */
export const shiftFigures = z.object({
  rows: z.array(
    z.object({ cashierId: id.nullable(), cashierName: z.string(), payMethod: oneOf(payMethod), tool: oneOf(payTool), ...sums }),
  ),
  total: z.object(sums),
  outside: z.array(z.object({ name: z.string(), count: z.int(), cents })),
});

/** The takings of a store, or of one cashier of it, since their last handover. */
export const getShift = read({
  path: "/api/orders/shift",
  title: "门店收款",
  access: "/dataCentre/storeOrder",
  input: z.object({ storeId: id, cashierId: id.optional() }),
  output: shiftFigures.extend({
    storeId: id,
    storeName: z.string(),
    cashierId: id.nullable(),
    /** Null before the first handover. */
    lastHandoverId: id.nullable(),
    fromAt: instant.nullable(),
    toAt: instant,
    /** The last payment or refund counted; hand over up to here. Null where nothing was taken. */
    lastEntryId: id.nullable(),
  }),
});

/** Fixes the figures up to the entry that the caller saw, and what was taken outside. Refused when either moved meanwhile. */
export const handOver = write({
  path: "/api/orders/handovers",
  title: "交班",
  access: "/dataCentre/storeOrder/handover",
  input: z.object({
    storeId: id,
    cashierId: id.optional(),
    lastHandoverId: id.nullable(),
    lastEntryId: id,
    outsideCents: cents.optional(),
    note: line(200).optional(),
  }),
  output: z.object({ id }),
});

export const handoverRow = z.object({
  id,
  storeId: id,
  storeName: z.string(),
  cashierId: id.nullable(),
  cashierName: z.string().nullable(),
  fromAt: instant.nullable(),
  toAt: instant,
  figures: shiftFigures,
  note: z.string().nullable(),
  handedByName: z.string(),
  createdAt: instant,
});

export const listHandovers = read({
  path: "/api/orders/handovers",
  title: "交班记录",
  access: "/dataCentre/storeOrder",
  input: listInput({ ...dateRange, storeId: id.optional(), cashierId: id.optional() }, ["-createdAt"]),
  output: listOutput(handoverRow),
});
