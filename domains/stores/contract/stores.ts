import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { nodeState } from "../../organisation/contract/index.ts";
import { storeRow } from "./store-list.ts";

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "请填写时间，如 09:00");
/** Hours of each weekday, Monday first; see opening.ts. */
const opening = z
  .array(z.object({ from: clock, to: clock }).nullable())
  .length(7, "须填写周一至周日")
  .refine((week) => week.some((day) => day !== null), "至少有一天营业");
const optionalLine = (max: number) => line(max).optional();
const facts = {
  name: line(64, 1, "请填写门店名称"),
  shortName: line(32, 1, "请填写门店简称"),
  province: optionalLine(32),
  city: optionalLine(32),
  district: optionalLine(32),
  address: optionalLine(128),
  opening: opening.optional(),
  latitude: z.number("请填写数字").min(-90, "纬度在 -90 到 90 之间").max(90, "纬度在 -90 到 90 之间").optional(),
  longitude: z.number("请填写数字").min(-180, "经度在 -180 到 180 之间").max(180, "经度在 -180 到 180 之间").optional(),
};
const phone = z
  .string()
  .trim()
  .regex(/^(?:1\d{10}|0\d{2,3}-?\d{7,8}|400-?\d{3}-?\d{4})$/, "请输入 11 位手机号、带区号的座机号或 400 电话");
const number = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,20}$/, "门店编号为 1 到 20 位字母、数字或短横线");

/** What a new store may carry; the rows of an import are the same. Without a number it gets one. */
export const newStoreFacts = z.object({ ...facts, phone: phone.optional(), number: number.optional() });
/** What `addStore` is given by other domains. */
export const newStore = newStoreFacts.extend({ serviceProviderId: id, merchantId: id });

const bothOrNone = (given: { latitude?: number | undefined; longitude?: number | undefined }) =>
  (given.latitude === undefined) === (given.longitude === undefined);
const missing = { path: ["longitude"], message: "经度和纬度须一起填写" };

/** Adds a store. Those above name the merchant; a merchant's people add to their own. */
export const openStore = write({
  path: "/api/stores/add",
  title: "新建门店",
  access: "/store/store/add",
  idempotent: "requestId",
  input: newStoreFacts.extend({ requestId: id, merchantId: id.optional() }).refine(bothOrNone, missing),
  output: z.object({ id, number: z.string() }),
});

/** Whose accounts reach a store besides the merchant's root. */
export const storeRole = labelled({ ROLE_Area: "区域经理", ROLE_Employee: "员工", ROLE_Merchants: "子账号" });

export const getStore = read({
  path: "/api/stores/:id",
  title: "门店详情",
  access: "/store/store",
  input: z.object({ id }),
  output: storeRow.extend({
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
    opening: z.array(z.object({ from: z.string(), to: z.string() }).nullable()).nullable(),
    version: z.int(),
    merchantState: oneOf(nodeState),
    /** The first fifty of each. */
    devices: z.array(
      z.object({ id, sn: z.string(), name: z.string(), model: z.string(), state: oneOf(nodeState), lastSeenAt: instant.nullable() }),
    ),
    cashiers: z.array(z.object({ id, code: z.string(), name: z.string(), state: oneOf(nodeState) })),
    /** Employees, area managers and sub-accounts of this store, as far as the caller sees accounts. */
    employees: z.array(z.object({ id, login: z.string(), name: z.string(), role: oneOf(storeRole), state: oneOf(nodeState) })),
    cashierCount: z.int(),
    accountCount: z.int(),
    /** Who of them is signed in right now: whom a closing puts out. */
    sessionCount: z.int(),
    openDeviceCount: z.int(),
  }),
});

/** A phone that is left out stays as it is: the form shows it masked. */
export const updateStore = write({
  path: "/api/stores/update",
  title: "修改门店",
  access: "/store/store/edit",
  input: z.object({ id, version: z.int(), ...facts, phone: phone.optional() }).refine(bothOrNone, missing),
  output: done,
});

/** Closing ends the sessions of its employees and area managers in the same transaction; its devices are refused from then on. */
export const setStoreOpen = write({
  path: "/api/stores/state",
  title: "启用或停用门店",
  access: "/store/store/state",
  input: z.object({ id, state: oneOf(nodeState) }),
  output: z.object({ ok: z.literal(true), endedSessions: z.int() }),
});
