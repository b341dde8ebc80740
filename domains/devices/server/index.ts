import { domain } from "@zhangfang/server/calls/domain.ts";
import { deviceConfigRoutes } from "./device-config.ts";
import { addEquipmentRoute, moveEquipmentRoute } from "./equipment/move-equipment.ts";
import { getEquipmentRoute, listEquipmentRoute, summariseEquipmentRoute } from "./equipment/read-equipment.ts";
import { getOwnConfigRoute } from "./get-own-config.ts";
import { acknowledgeCommandRoute, bringFileRoute } from "./commands/device-side.ts";
import { cancelCommandRoute, queueCommandsRoute } from "./commands/queue-commands.ts";
import { getCommandFileRoute, listCommandsRoute } from "./commands/read-commands.ts";
import { tendCommands } from "./commands/tend-commands.ts";
import { heartbeatRoute } from "./heartbeat.ts";
import { listDevicesRoute } from "./list-devices.ts";
import { getDeviceRoute, getDevicesRoute, summariseDevicesRoute } from "./list/read-devices.ts";
import { bindDeviceRoute } from "./list/bind-device.ts";
import { renewDeviceKeyRoute, renewDeviceKeysRoute } from "./list/renew-keys.ts";
import { cleanCashierIdRoute, unbindDeviceRoute, updateDeviceInfoRoute } from "./list/write-devices.ts";
import { tellOutages } from "./offline/tell-outages.ts";
import { deviceFinder } from "./list/find-devices.ts";
import { purgeNonces } from "./purge-nonces.ts";
import { deviceExport, equipmentExport } from "./export-devices.ts";
import { equipmentImport, bindingImport } from "./equipment/import-equipment.ts";
import { deviceStep, deviceTodos } from "./list/todos.ts";

export { checkDevice, CLOCK_MS, textToSign } from "./check-device.ts";
export { sealDeviceKey } from "./device-key.ts";
export { placeCashier } from "./list/place-cashier.ts";
export { isOnline, onlineCode } from "./list/device-columns.ts";
export { registerDevice } from "./register-device.ts";

export const devices = domain({
  routes: [
    heartbeatRoute,
    listDevicesRoute,
    getOwnConfigRoute,
    getDevicesRoute,
    summariseDevicesRoute,
    getDeviceRoute,
    updateDeviceInfoRoute,
    cleanCashierIdRoute,
    bindDeviceRoute,
    unbindDeviceRoute,
    renewDeviceKeyRoute,
    renewDeviceKeysRoute,
    listEquipmentRoute,
    summariseEquipmentRoute,
    getEquipmentRoute,
    addEquipmentRoute,
    moveEquipmentRoute,
    queueCommandsRoute,
    cancelCommandRoute,
    listCommandsRoute,
    getCommandFileRoute,
    acknowledgeCommandRoute,
    bringFileRoute,
    ...deviceConfigRoutes,
  ],
  jobs: [purgeNonces, tendCommands, tellOutages],
  exports: [deviceExport, equipmentExport],
  imports: [equipmentImport, bindingImport],
  finders: [deviceFinder],
  todos: deviceTodos,
  firstSteps: [deviceStep],
});
