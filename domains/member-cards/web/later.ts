// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { cardStatus } from "../contract/index.ts";

registerExportedList("member-cards", { path: "/memberCard/card", filters: { status: ["状态", cardStatus] } });
registerExportedList("card-holders", { path: "/memberCard/card?view=holders", filters: {} });
