import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { onlineState } from "../../devices/contract/index.ts";
import { playState } from "../contract/index.ts";

export const screens = {
  "ad-config": screen(() => import("./config/AdConfig.tsx"), "AdConfig"),
  "ad-device-list": screen(() => import("./plays/AdDeviceList.tsx"), "AdDeviceList"),
};

const adFilters = { ad_id: ["广告"], playing: ["播放", playState], online: ["在线", onlineState] } as const;
registerExportedList("ad-devices", { path: "/ad/adDevices", filters: adFilters });
registerExportedList("ad-plays", { path: "/ad/adDevices", filters: adFilters });
