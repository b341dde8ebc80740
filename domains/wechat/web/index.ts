import { screen } from "@zhangfang/web/screen.ts";

/** A merchant's official accounts, who follows them and the figures of that. */
export const screens = {
  "wei-xin-app": screen(() => import("./WxApps.tsx"), "WxApps"),
  "group-note-index": screen(() => import("./notes/NoteList.tsx"), "NoteList"),
  "group-note-detail": screen(() => import("./notes/NoteScreen.tsx"), "NoteScreen"),
  "wei-xin-fans": screen(() => import("./Fans.tsx"), "Fans"),
  "merchants-fans-summary": screen(() => import("./FansSummary.tsx"), "FansSummary"),
};
