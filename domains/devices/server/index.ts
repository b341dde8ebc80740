import type { Route } from "@zhangfang/server/call.ts";
import type { Job } from "@zhangfang/server/jobs.ts";
import { deviceConfigRoutes } from "./device-config.ts";
import { addEquipmentRoute, moveEquipmentRoute } from "./equipment/move-equipment.ts";
import { getEquipmentRoute, listEquipmentRoute, summariseEquipmentRoute } from "./equipment/read-equipment.ts";
import { getOwnConfigRoute } from "./get-own-config.ts";
import { heartbeat } from "./heartbeat.ts";
import { listDevices } from "./list-devices.ts";
import { getDeviceRoute, getDevicesRoute, summariseDevicesRoute } from "./list/read-devices.ts";
import { bindDeviceRoute, cleanCashierRoute, renewKeyRoute, unbindDeviceRoute, updateDeviceRoute } from "./list/write-devices.ts";
import { purgeNonces } from "./purge-nonces.ts";

export const routes: Route[] = [
  heartbeat,
  listDevices,
  getOwnConfigRoute,
  getDevicesRoute,
  summariseDevicesRoute,
  getDeviceRoute,
  updateDeviceRoute,
  cleanCashierRoute,
  bindDeviceRoute,
  unbindDeviceRoute,
  renewKeyRoute,
  listEquipmentRoute,
  summariseEquipmentRoute,
  getEquipmentRoute,
  addEquipmentRoute,
  moveEquipmentRoute,
  ...deviceConfigRoutes,
];
export const jobs: Job[] = [purgeNonces];

export { deviceExport, equipmentExport } from "./export-devices.ts";
export { checkDevice, textToSign } from "./check-device.ts";
export { OFFLINE_AFTER_MS } from "./list/device-columns.ts";
export { registerDevice } from "./register-device.ts";
