// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { labelled } from "@zhangfang/contract/labelled.ts";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { fanBy, fanState, followWay } from "../contract/codes.ts";
import { noteCheck, noteState } from "../contract/notes.ts";

const way = ["来源", followWay] as const;
registerExportedList("wx-fans", {
  path: "/wxCRM/fans",
  filters: { state: ["状态", fanState], way, member: ["会员", labelled({ yes: "是会员", no: "还不是会员" })] },
});
registerExportedList("fan-figures", { path: "/wxCRM/fansSummary", filters: { by: ["汇总方式", fanBy], way } });
registerExportedList("group-notes", { path: "/wxCRM/groupNote", filters: { state: ["状态", noteState], check: ["结果", noteCheck] } });
