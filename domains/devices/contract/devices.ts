import { read, viewsOf, write } from "@zhangfang/contract/endpoint.ts";
import { done, id, instant, line, listInput, listOutput, oneOf } from "@zhangfang/contract/fields.ts";
import { type CodeOf, labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { inStore, seek } from "../../stores/contract/index.ts";

/** Models of spec.md section 3. */
export const deviceModel = labelled({
  "FACEPOS-F24": "FACEPOS-F24",
  "SANGDA-SC3308": "SANGDA-SC3308",
  "TZH-L1": "TZH-L1",
  "XY-L1": "XY-L1",
  AlipayBoxF4: "AlipayBoxF4",
  T3B00: "T3B00",
  "CCL-Z1": "CCL-Z1",
});
export type DeviceModel = CodeOf<typeof deviceModel>;
export const cashierMode = labelled({ 1: "自助收银", 2: "独立收银", 3: "插件收银" });
export const serialNumber = z.string().regex(/^[A-Za-z0-9-]{4,32}$/, "设备编号为 4 到 32 位字母、数字或短横线");
export const newDevice = z.object({
  serviceProviderId: id,
  merchantId: id,
  storeId: id,
  sn: serialNumber,
  model: oneOf(deviceModel),
  name: line(32, 1, "请填写名称"),
  cashierMode: oneOf(cashierMode).default(2),
  cashierId: id.optional(),
});

const megabytes = z.int().min(0).max(100_000_000);
/** `outside`, so that no audit row is written each minute for each device. */
export const heartbeat = write({
  path: "/api/till/heartbeat",
  title: "设备心跳",
  access: "device",
  rate: "poll",
  outside: true,
  input: z
    .object({
      version: line(32).optional(),
      /** In megabytes, both or neither. */
      storageTotalMb: megabytes.optional(),
      storageFreeMb: megabytes.optional(),
    })
    .refine(
      ({ storageTotalMb, storageFreeMb }) =>
        (storageTotalMb ?? -1) >= (storageFreeMb ?? -1) && (storageTotalMb === undefined) === (storageFreeMb === undefined),
      {
        message: "可用空间不能大于总空间，两项要一起给",
        path: ["storageFreeMb"],
      },
    ),
  output: z.object({ ok: z.literal(true), now: instant }),
});

/** Devices in sight by name or number; those out of use too, for their orders are still looked for. */
export const listDevices = read({
  path: "/api/devices/lookup",
  title: "设备下拉",
  access: "signed-in",
  input: z.object(seek),
  output: z.array(inStore),
});

/** By its heartbeats; a device that has not sent one yet is neither there nor away. */
export const onlineState = labelled({ 1: ["在线", "good"], 2: ["离线", "bad"], 3: ["未上线", "ended"] });
/** Where it stands: what is away at a store or merchant that is closed is so for good. */
export const devicePlace = labelled({ open: "营业中" });
export const deviceState = labelled({ active: ["启用", "good"], disabled: ["停用", "ended"] });
/** What the list is narrowed by, also for its file. */
export const deviceFilters = {
  keyword: line(64).optional(),
  model: oneOf(deviceModel).optional(),
  online: oneOf(onlineState).optional(),
  cashierMode: oneOf(cashierMode).optional(),
  state: oneOf(deviceState).optional(),
  place: oneOf(devicePlace).optional(),
  serviceProviderId: id.optional(),
  agentId: id.optional(),
  merchantId: id.optional(),
  storeId: id.optional(),
};
/** A device as the list shows it; `device_id`, `item_type` and `item_id` as spec.md section 3 names them. */
const deviceRow = z.object({
  id: z.string(),
  device_id: z.string(),
  item_type: z.literal(0),
  item_id: z.string(),
  sn: z.string(),
  model: z.string(),
  name: z.string(),
  cashierMode: oneOf(cashierMode),
  cashierId: z.string().nullable(),
  cashierName: z.string().nullable(),
  online: oneOf(onlineState),
  lastSeenAt: instant.nullable(),
  version: z.string().nullable(),
  /** In megabytes. */
  storageTotalMb: z.int().nullable(),
  storageFreeMb: z.int().nullable(),
  state: oneOf(deviceState),
  storeId: z.string(),
  storeName: z.string(),
  merchantName: z.string(),
  agentName: z.string().nullable(),
  providerName: z.string(),
  createdAt: instant,
  revision: z.int(),
});
const list = "/device/list";
export const getDevices = read({
  path: "/device/api/Device/get_devices",
  title: "设备列表",
  access: list,
  envelope: "bare",
  input: listInput(deviceFilters, ["-createdAt"]),
  output: listOutput(deviceRow),
});
export const deviceViews = viewsOf(getDevices, {
  away: ["营业中却离线", { place: "open", online: "2" }],
  never: ["启用，从未上线", { state: "active", online: "3" }],
  closed: ["已停用", { state: "disabled" }],
});
export const summariseDevices = read({
  path: "/api/devices/summary",
  title: "设备汇总",
  access: list,
  input: z.object(deviceFilters),
  output: z.object({ count: z.int(), online: z.int(), offline: z.int(), never: z.int() }),
});
export const getDevice = read({
  path: "/api/devices/:id",
  title: "设备详情",
  access: list,
  input: z.object({ id }),
  output: deviceRow.extend({
    cashiers: z.array(z.object({ id: z.string(), name: z.string() })),
    /** The latest silences that were told. */
    outages: z.array(z.object({ since: instant, endedAt: instant.nullable() })),
  }),
});
/** Only what is named is changed. A device moves within its merchant; its cashier works in its store. */
export const updateDeviceInfo = write({
  path: "/device/api/Device/update_device_info",
  title: "修改设备",
  access: "/device/list/edit",
  envelope: "bare",
  input: z.object({
    device_id: id,
    /** What was seen; a change by somebody else since is refused. */
    revision: z.int().optional(),
    name: line(32, 1, "请填写名称").optional(),
    cashier_mode: oneOf(cashierMode).optional(),
    cashier_id: id.nullable().optional(),
    store_id: id.optional(),
    state: oneOf(deviceState).optional(),
  }),
  output: done,
});
/** spec.md writes it as a GET; it takes the cashier away from the device. */
export const cleanCashierId = write({
  verb: "GET",
  source: "query",
  path: "/device/api/Device/clean_cashier_id",
  title: "清除设备收银员",
  access: "/device/list/cashier",
  envelope: "bare",
  input: z.object({ device_id: id }),
  output: done,
});
/** Takes a thing out of stock and puts it at a store; its key is told this once and kept nowhere in the clear, hence no answer to hear again. */
export const bindDevice = write({
  path: "/api/devices/bind",
  title: "绑定设备",
  access: "/device/list/bind",
  input: z.object({
    sn: serialNumber,
    storeId: id,
    name: line(32, 1, "请填写名称"),
    cashierMode: oneOf(cashierMode).default(2),
  }),
  output: z.object({ id: z.string(), key: z.string() }),
});
/** Takes a device from its store back into the merchant's stock; it signs nothing any more. */
export const unbindDevice = write({
  path: "/api/devices/unbind",
  title: "解绑设备",
  access: "/device/list/bind",
  input: z.object({ id }),
  output: done,
});
export const renewDeviceKey = write({
  path: "/api/devices/key",
  title: "更换设备密钥",
  access: "/device/list/bind",
  input: z.object({ id }),
  output: z.object({ key: z.string() }),
});
/** New keys of several devices at once, as after binding by sheet: each is told this once, and the one before opens nothing any more. */
export const renewDeviceKeys = write({
  path: "/api/devices/keys",
  title: "批量更换设备密钥",
  access: "/device/list/bind",
  input: z.object({ ids: z.array(id).min(1, "请选择设备").max(500, "一次最多 500 台") }),
  output: z.object({ items: z.array(z.object({ sn: z.string(), name: z.string(), storeName: z.string(), key: z.string() })) }),
});
