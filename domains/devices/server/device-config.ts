import { configRoutes } from "../../level-config/server/index.ts";
import { DEVICE_KEYS, deviceConfigCalls } from "../contract/index.ts";

/** 设备配置: the inherited configuration of devices. */
export const deviceConfigRoutes = configRoutes({ namespace: "device", keys: DEVICE_KEYS, calls: deviceConfigCalls });
