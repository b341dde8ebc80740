import { configCalls } from "../../level-config/contract/index.ts";

/** The four calls of spec.md section 7 for the configuration of devices, and what they don't cover. */
export const deviceConfigCalls = configCalls({
  legacy: "/device/api/Device",
  thing: "device",
  path: "/api/device-config",
  title: "设备配置",
  access: "/device/config",
});
export const {
  tree: getDeviceConfigTree,
  keys: getDeviceConfigKey,
  get: getDeviceConfig,
  update: updateDeviceConfig,
  preview: previewDeviceConfig,
  history: listDeviceConfigChanges,
  undo: undoDeviceConfig,
} = deviceConfigCalls;
