import { read, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { deviceModel, serialNumber } from "./devices.ts";

export const equipmentState = labelled({ 0: ["在库", "active"], 1: ["使用中", "good"], 2: ["维修中", "warn"], 3: ["已报废", "ended"] });
export const moveKind = labelled({
  intake: "入库",
  issue: "划拨",
  return: "退回",
  repair: "送修",
  repaired: "修复入库",
  bind: "绑定门店",
  unbind: "解绑",
  retire: "报废",
});
export type MoveKind = "intake" | "issue" | "return" | "repair" | "repaired" | "bind" | "unbind" | "retire";
/** Who holds a thing: the level's number in the tree. */
export const holderLevel = labelled({ 4: "平台库存", 3: "服务商库存", 2: "商户" });

/** What a list of things is narrowed by, also for its file. */
export const equipmentFilters = {
  keyword: line(64).optional(),
  state: oneOf(equipmentState).optional(),
  model: oneOf(deviceModel).optional(),
  holder: oneOf(holderLevel).optional(),
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
};
const row = z.object({
  id: z.string(),
  sn: z.string(),
  model: z.string(),
  batch: z.string().nullable(),
  state: oneOf(equipmentState),
  providerName: z.string().nullable(),
  merchantName: z.string().nullable(),
  storeName: z.string().nullable(),
  deviceId: z.string().nullable(),
  createdAt: instant,
  movedAt: instant,
  /** What the caller may do with it now. */
  may: z.array(z.string()),
});
const access = "/cashier/equipment";
export const listEquipment = read({
  path: "/api/equipment",
  title: "设备台账",
  access,
  input: listInput(equipmentFilters, ["-createdAt"]),
  output: listOutput(row),
});
export const summariseEquipment = read({
  path: "/api/equipment/summary",
  title: "设备台账汇总",
  access,
  input: z.object(equipmentFilters),
  output: z.object({ count: z.int(), byState: z.record(z.string(), z.int()) }),
});
export const getEquipment = read({
  path: "/api/equipment/:id",
  title: "设备台账详情",
  access,
  input: z.object({ id }),
  output: row.extend({
    moves: z.array(
      z.object({
        id: z.string(),
        kind: oneOf(moveKind),
        from: z.string(),
        to: z.string(),
        storeName: z.string().nullable(),
        note: z.string().nullable(),
        byName: z.string(),
        at: instant,
      }),
    ),
  }),
});
const note = line(80).optional();
/** Serial numbers as they are read off labels or pasted, one a line. */
export const addEquipment = write({
  path: "/api/equipment/intake",
  title: "设备入库",
  access: "/cashier/equipment/intake",
  idempotent: "requestId",
  input: z.object({
    requestId: z.uuid(),
    model: oneOf(deviceModel),
    sns: z.array(serialNumber).min(1, "请填写设备编号").max(500, "一次最多入库 500 台"),
    batch: line(32).optional(),
    note,
  }),
  output: done.extend({ added: z.int() }),
});
/** Stock moves through the levels: handed out to the level below, given back to the level above, repaired, thrown away. */
export const moveEquipment = write({
  path: "/api/equipment/move",
  title: "设备流转",
  access: "/cashier/equipment/move",
  idempotent: "requestId",
  input: z.object({
    requestId: z.uuid(),
    kind: z.enum(["issue", "return", "repair", "repaired", "retire"]),
    ids: z.array(id).min(1, "请选择设备").max(500, "一次最多 500 台"),
    /** Whom it is handed out to: a provider by the platform, a merchant by its provider. */
    serviceProviderId: id.optional(),
    merchantId: id.optional(),
    note,
  }),
  output: done.extend({ moved: z.int() }),
});
