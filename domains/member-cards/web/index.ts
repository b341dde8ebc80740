import { screen } from "@zhangfang/web/screen.ts";

export const screens = {
  "member-card": screen(() => import("./CardList.tsx"), "CardScreen"),
  "member-card-wx": screen(() => import("./WxCardList.tsx"), "WxCardSettings"),
  "wei-xin-member-card": screen(() => import("./WxCardList.tsx"), "WxCardList"),
  "member-card-area": screen(() => import("./AreaList.tsx"), "AreaList"),
  "member-card-activity": screen(() => import("./ActivityList.tsx"), "ActivityList"),
  "member-card-binding": screen(() => import("./BindingList.tsx"), "BindingList"),
  "member-card-set-auth": screen(() => import("./GrantList.tsx"), "GrantList"),
};
