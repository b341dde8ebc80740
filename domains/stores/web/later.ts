// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { nodeState } from "../../organisation/contract/index.ts";
import { openStore } from "../contract/index.ts";

registerExportedList("stores", {
  path: "/store/store",
  filters: { state: ["状态", nodeState], province: ["省份"], city: ["城市"], groupId: ["分组"], areaId: ["区域"] },
});
registerActs([{ title: "新建门店", words: ["开店", "添加门店", "新增门店"], of: openStore, to: "/store/store?panel=add" }]);
