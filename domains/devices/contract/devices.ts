import { read, write } from "@zhangfang/contract/endpoint.ts";
import { id, instant, line, oneOf } from "@zhangfang/contract/fields.ts";
import { labelled } from "@zhangfang/contract/labelled.ts";
import { z } from "zod";
import { inStore, seek } from "../../stores/contract/index.ts";

/** Models of spec.md section 3. */
const deviceModel = labelled({
  "FACEPOS-F24": "FACEPOS-F24",
  "SANGDA-SC3308": "SANGDA-SC3308",
  "TZH-L1": "TZH-L1",
  "XY-L1": "XY-L1",
  AlipayBoxF4: "AlipayBoxF4",
  T3B00: "T3B00",
  "CCL-Z1": "CCL-Z1",
});
const cashierMode = labelled({ 1: "自助收银", 2: "独立收银", 3: "插件收银" });
export const newDevice = z.object({
  serviceProviderId: id,
  merchantId: id,
  storeId: id,
  sn: z.string().regex(/^[A-Za-z0-9-]{4,32}$/, "设备编号为 4 到 32 位字母、数字或短横线"),
  model: oneOf(deviceModel),
  name: line(32, 1, "请填写名称"),
  cashierMode: oneOf(cashierMode).default(2),
  cashierId: id.optional(),
});

/** `outside`, so that no audit row is written each minute for each device. */
export const heartbeat = write({
  path: "/api/till/heartbeat",
  title: "设备心跳",
  access: "device",
  rate: "poll",
  outside: true,
  input: z.object({ version: line(32).optional() }),
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
