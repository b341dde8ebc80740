// What exports are called: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { applymentState } from "../contract/index.ts";

registerExportedList("applyments", { path: "/applyment/info", filters: { state: ["状态", applymentState] } });
