import { screen } from "@zhangfang/web/screen.ts";

export const screens = { "device-config": screen(() => import("./DeviceConfig.tsx"), "DeviceConfig") };
