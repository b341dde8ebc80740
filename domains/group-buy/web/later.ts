// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { labelled } from "@zhangfang/contract/labelled.ts";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { goodsKind } from "../../platforms/contract/codes.ts";
import { entryPart, groupBuyBy, voucherPlatform } from "../contract/codes.ts";

const common = { platform: ["平台", voucherPlatform], kind: ["类型", goodsKind] } as const;
registerExportedList("group-buy-figures", { path: "/dataCentre/groupBuy", filters: { by: ["汇总方式", groupBuyBy], ...common } });
registerExportedList("group-buy-entries", {
  path: "/dataCentre/groupBuy",
  filters: { part: ["哪些", entryPart], none: ["只看", labelled({ store: "未映射的门店", kind: "平台未说明类型" })], ...common },
});
