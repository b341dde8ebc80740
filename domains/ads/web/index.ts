import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { onlineState } from "../../devices/contract/index.ts";
import { adPriority, adStatus, auditStatus, materialKind, playState } from "../contract/index.ts";

export const screens = {
  "ad-list": screen(() => import("./ads/AdList.tsx"), "AdList"),
  "ad-new": screen(() => import("./ads/AdNew.tsx"), "AdNew"),
  "device-ad-list": screen(() => import("./ads/DeviceAds.tsx"), "DeviceAds"),
  "ad-materials-list": screen(() => import("./materials/MaterialList.tsx"), "MaterialList"),
  "ad-materials-add": screen(() => import("./materials/MaterialAdd.tsx"), "MaterialAdd"),
  "ad-config": screen(() => import("./config/AdConfig.tsx"), "AdConfig"),
  "ad-device-list": screen(() => import("./plays/AdDeviceList.tsx"), "AdDeviceList"),
};

const adFilters = { ad_id: ["广告"], playing: ["播放", playState], online: ["在线", onlineState] } as const;
registerExportedList("ad-devices", { path: "/ad/adDevices", filters: adFilters });
registerExportedList("ad-plays", { path: "/ad/adDevices", filters: adFilters });
registerExportedList("ads", { path: "/ad/list", filters: { status: ["状态", adStatus], priority: ["优先级", adPriority] } });
registerExportedList("ad-materials", {
  path: "/ad/materials",
  filters: { kind: ["类型", materialKind], audit_status: ["审核状态", auditStatus] },
});
