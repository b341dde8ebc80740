import { read, write } from "@zhangfang/contract/endpoint.ts";
import { cents, done, id, instant, line, listInput, listOutput, oneOf, positiveCents } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";

export const cashierShift = labelled({ 0: "不分班", 1: "早班", 2: "中班", 3: "晚班" });
export const cashierState = labelled({ active: ["启用", "good"], disabled: ["停用", "ended"] });
/** Whether a cashier stands at a device. */
export const cashierPlace = labelled({ bound: "已绑定设备", free: "未绑定设备" });

/** What a till names a cashier by; one of its merchant's. */
export const cashierCode = z.string().regex(/^[A-Za-z0-9-]{1,16}$/, "收银员编号为 1 到 16 位字母、数字或短横线");
const MOST_CENTS = 999_999_999;
/** A limit of refunds: nothing is no limit, zero is none at all. */
const refundLimit = z
  .int("金额须为整数分")
  .min(0, "金额不能小于 0")
  .max(MOST_CENTS, "金额不能超过 9,999,999.99 元")
  .brand<"Cents">()
  .nullable()
  .default(null);
/** What is known of a cashier besides the store, which stays: the takings of a cashier are those of one store (`moveCashier`). */
export const cashierFacts = {
  code: cashierCode,
  name: line(32, 1, "请填写姓名"),
  shift: oneOf(cashierShift).default(0),
  /** The largest payment at once. */
  payMostCents: positiveCents.nullable().default(null),
  /** The most taken off by hand at once; nothing is never. */
  offMostCents: refundLimit,
  /** The largest refund at once, and all refunds of a day in Shanghai together. */
  refundMostCents: refundLimit,
  refundDayCents: refundLimit,
};
export const newCashier = z.object({ serviceProviderId: id, merchantId: id, storeId: id, ...cashierFacts });

/** What a list of cashiers is narrowed by, also for its file. */
export const cashierFilters = {
  keyword: line(32).optional(),
  storeId: id.optional(),
  shift: oneOf(cashierShift).optional(),
  place: oneOf(cashierPlace).optional(),
  state: oneOf(cashierState).optional(),
};
const limit = cents.nullable();
const row = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  storeId: z.string(),
  storeName: z.string(),
  shift: oneOf(cashierShift),
  payMostCents: limit,
  offMostCents: limit,
  refundMostCents: limit,
  refundDayCents: limit,
  deviceId: z.string().nullable(),
  deviceSn: z.string().nullable(),
  deviceName: z.string().nullable(),
  state: oneOf(cashierState),
  createdAt: instant,
  revision: z.int(),
});
const access = "/cashier/cashier";
export const getCashiers = read({
  path: "/api/cashiers",
  title: "收银员",
  access,
  input: listInput(cashierFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const summariseCashiers = read({
  path: "/api/cashiers/summary",
  title: "收银员汇总",
  access,
  input: z.object(cashierFilters),
  output: z.object({ count: z.int(), bound: z.int(), byState: z.record(z.string(), z.int()) }),
});
export const getCashier = read({
  path: "/api/cashiers/:id",
  title: "收银员详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    /** What this cashier took and gave back today, in Shanghai. */
    today: z.object({ payCount: z.int(), paidCents: cents, refundCount: z.int(), refundCents: cents }),
    /** The devices of the store, with who works there. */
    devices: z.array(z.object({ id: z.string(), sn: z.string(), name: z.string(), cashierName: z.string().nullable() })),
  }),
});
const edit = "/cashier/cashier/edit";
export const openCashier = write({
  path: "/api/cashiers/add",
  title: "新建收银员",
  access: edit,
  input: z.object({ storeId: id, ...cashierFacts }),
  output: done.extend({ id: z.string() }),
});
/** All that the form shows; the revision is what was seen. */
export const updateCashier = write({
  path: "/api/cashiers/update",
  title: "修改收银员",
  access: edit,
  input: z.object({ id, revision: z.int(), ...cashierFacts }),
  output: done,
});
/** Whoever is disabled leaves the device; the own pay code takes no money until enabled again. */
export const setCashierState = write({
  path: "/api/cashiers/state",
  title: "启用停用收银员",
  access: edit,
  input: z.object({ id, state: oneOf(cashierState) }),
  output: done,
});
/** Puts a cashier at a device of the store, and takes him from the one before; null takes him away. */
export const bindCashier = write({
  path: "/api/cashiers/device",
  title: "收银员绑定设备",
  access: edit,
  input: z.object({ id, deviceId: id.nullable() }),
  output: done,
});
/** Ends a cashier's work at a store and begins it at another of the merchant's under the same code; the old record stays, disabled. */
export const moveCashier = write({
  path: "/api/cashiers/move",
  title: "收银员调店",
  access: edit,
  input: z.object({ id, revision: z.int(), storeId: id }),
  output: done.extend({ id: z.string() }),
});
