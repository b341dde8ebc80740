// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { onlineState } from "../../devices/contract/index.ts";
import { adPriority, adStatus, auditStatus, materialKind, playState } from "../contract/index.ts";

const adFilters = { ad_id: ["广告"], playing: ["播放", playState], online: ["在线", onlineState] } as const;
registerExportedList("ad-devices", { path: "/ad/adDevices", filters: adFilters });
registerExportedList("ad-plays", { path: "/ad/adDevices", filters: adFilters });
registerExportedList("ads", { path: "/ad/list", filters: { status: ["状态", adStatus], priority: ["优先级", adPriority] } });
registerExportedList("ad-materials", {
  path: "/ad/materials",
  filters: { kind: ["类型", materialKind], audit_status: ["审核状态", auditStatus] },
});
