// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { failedReturns, missedFilter, returnDateOf, returnStatus, sharingDateOf, sharingKind, sharingStatus } from "../contract/index.ts";

registerExportedList("profit-sharing", {
  path: "/dataCentre/sharing",
  filters: {
    dateOf: ["日期按", sharingDateOf],
    status: ["状态", sharingStatus],
    kind: ["类型", sharingKind],
    missed: ["到账", missedFilter],
  },
});
registerExportedList("share-returns", {
  path: "/dataCentre/sharingReturn",
  filters: { dateOf: ["日期按", returnDateOf], status: ["状态", returnStatus], failed: ["失败回退", failedReturns] },
});
