import { configRoutes } from "../../level-config/server/index.ts";
import {
  addDeviceConfigPicture,
  DEVICE_KEYS,
  getDeviceConfig,
  getDeviceConfigKey,
  getDeviceConfigTree,
  listDeviceConfigChanges,
  previewDeviceConfig,
  undoDeviceConfig,
  updateDeviceConfig,
} from "../contract/index.ts";

/** 设备配置: the inherited configuration of devices. */
export const deviceConfigRoutes = configRoutes({
  namespace: "device",
  keys: DEVICE_KEYS,
  calls: {
    tree: getDeviceConfigTree,
    keys: getDeviceConfigKey,
    get: getDeviceConfig,
    update: updateDeviceConfig,
    preview: previewDeviceConfig,
    history: listDeviceConfigChanges,
    undo: undoDeviceConfig,
    picture: addDeviceConfigPicture,
  },
});
