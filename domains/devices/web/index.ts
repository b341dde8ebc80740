import { screen } from "@zhangfang/web/screen.ts";

export const screens = {
  "device-list": screen(() => import("./list/DeviceList.tsx"), "DeviceList"),
  "device-config": screen(() => import("./DeviceConfig.tsx"), "DeviceConfig"),
  "equipment-list": screen(() => import("./equipment/EquipmentList.tsx"), "EquipmentList"),
};
