import type { ReactNode } from "react";
import { ConfigScreen } from "../../level-config/web/index.ts";
import {
  addDeviceConfigPicture,
  getDeviceConfig,
  getDeviceConfigKey,
  getDeviceConfigTree,
  listDeviceConfigChanges,
  previewDeviceConfig,
  undoDeviceConfig,
  updateDeviceConfig,
} from "../contract/index.ts";

const calls = {
  tree: getDeviceConfigTree,
  keys: getDeviceConfigKey,
  get: getDeviceConfig,
  update: updateDeviceConfig,
  preview: previewDeviceConfig,
  history: listDeviceConfigChanges,
  undo: undoDeviceConfig,
  picture: addDeviceConfigPicture,
};
/** 设备配置: set a value once at the right level, and see what each device does and why. */
export function DeviceConfig(): ReactNode {
  return <ConfigScreen title="设备配置" calls={calls} />;
}
