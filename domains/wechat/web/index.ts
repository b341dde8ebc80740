import { labelled } from "@zhangfang/contract/labelled.ts";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { fanBy, fanState, followWay } from "../contract/codes.ts";
import { noteState } from "../contract/notes.ts";

/** A merchant's official accounts, who follows them and the figures of that. */
export const screens = {
  "wei-xin-app": screen(() => import("./WxApps.tsx"), "WxApps"),
  "group-note-index": screen(() => import("./notes/NoteList.tsx"), "NoteList"),
  "group-note-detail": screen(() => import("./notes/NoteScreen.tsx"), "NoteScreen"),
  "wei-xin-fans": screen(() => import("./Fans.tsx"), "Fans"),
  "merchants-fans-summary": screen(() => import("./FansSummary.tsx"), "FansSummary"),
};

const way = ["来源", followWay] as const;
registerExportedList("wx-fans", {
  path: "/wxCRM/fans",
  filters: { state: ["状态", fanState], way, member: ["会员", labelled({ yes: "是会员", no: "还不是会员" })] },
});
registerExportedList("fan-figures", { path: "/wxCRM/fansSummary", filters: { by: ["汇总方式", fanBy], way } });
registerExportedList("group-notes", { path: "/wxCRM/groupNote", filters: { state: ["状态", noteState] } });
