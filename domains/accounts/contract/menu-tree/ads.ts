import type { Entry } from "./entry.ts";

/** 广告投放 */
export const ads = {
  top: {
    title: "广告投放",
    path: "",
    icon: "ad",
    screens: [
      ["ad-materials-list", "广告素材", "/ad/materials", "A SP"],
      ["ad-materials-add", "新增素材", "/ad/materials/add", "A SP", "page"],
      ["ad-list", "广告列表", "/ad/list", "A SP"],
      ["ad-new", "新建广告", "/ad/list/new", "A SP", "page"],
      ["ad-device-list", "广告设备", "/ad/adDevices", "A SP"],
      ["device-ad-list", "设备广告", "/ad/deviceAds", "A SP MCH"],
      ["ad-config", "广告配置", "/ad/config", "A SP"],
    ],
  },
  buttons: [
    ["/ad/list/edit", "新建与修改", "A SP"],
    ["/ad/list/export", "导出", "A SP"],
    ["/ad/adDevices/export", "导出", "A SP"],
    ["/ad/materials/upload", "上传与管理", "A SP"],
    ["/ad/materials/audit", "审核", "A"],
    ["/ad/materials/export", "导出", "A SP"],
  ],
  built: ["ad-config", "ad-list", "ad-new", "device-ad-list", "ad-materials-list", "ad-materials-add", "ad-device-list"],
} as const satisfies Entry;
