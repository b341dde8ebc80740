import type { Entry } from "./entry.ts";

/** 智能设备 */
export const devices = {
  top: {
    title: "智能设备",
    path: "",
    icon: "device",
    screens: [
      ["device-list", "设备列表", "/device/list", "A SP AG MCH AE"],
      ["device-config", "设备配置", "/device/config", "A SP MCH"],
    ],
  },
  buttons: [
    ["/device/list/edit", "修改", "SP MCH"],
    ["/device/list/cashier", "清除收银员", "SP MCH AE"],
    ["/device/list/bind", "绑定与解绑", "SP MCH"],
    ["/device/list/command", "远程命令", "A SP MCH AE"],
    ["/device/list/export", "导出", "A SP AG MCH"],
  ],
  built: ["device-list", "device-config"],
} as const satisfies Entry;
