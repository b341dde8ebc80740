// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import {
  cashierMode,
  deviceModel,
  devicePlace,
  deviceState,
  equipmentState,
  holderLevel,
  onlineState,
  bindDevice,
} from "../contract/index.ts";

registerExportedList("devices", {
  path: "/device/list",
  filters: {
    model: ["型号", deviceModel],
    online: ["在线", onlineState],
    cashierMode: ["收银方式", cashierMode],
    state: ["状态", deviceState],
    place: ["门店状态", devicePlace],
  },
});
registerExportedList("equipment", {
  path: "/cashier/equipment",
  filters: { model: ["型号", deviceModel], state: ["状态", equipmentState], holder: ["归属", holderLevel] },
});
registerActs([{ title: "绑定设备", words: ["添加设备", "新增设备"], of: bindDevice, to: "/device/list?panel=bind" }]);
