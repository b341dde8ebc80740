import type { ReactNode } from "react";
import { ConfigScreen } from "../../level-config/web/index.ts";
import { deviceConfigCalls } from "../contract/index.ts";

/** 设备配置: set a value once at the right level, and see what each device does and why. */
export const DeviceConfig = (): ReactNode => <ConfigScreen title="设备配置" calls={deviceConfigCalls} />;
