// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { user } from "@zhangfang/web/api/user.ts";
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import { billSource, dayState, differenceClass, differenceStatus, resolution, sourceGroup, listReconDays } from "../contract/index.ts";

registerExportedList("recon-days", {
  path: "/reconciliation/bill",
  filters: { group: ["类别", sourceGroup], source: ["来源", billSource], state: ["状态", dayState] },
});
registerExportedList("recon-differences", {
  path: "/reconciliation/bill",
  filters: {
    view: ["视图"],
    group: ["类别", sourceGroup],
    source: ["来源", billSource],
    class: ["差异", differenceClass],
    status: ["状态", differenceStatus],
    resolution: ["处理方式", resolution],
    dayId: ["对账日"],
  },
});
registerActs([
  {
    title: "对账",
    of: listReconDays,
    to: "/reconciliation/bill",
    // An area has its stores' days alone, one at a time.
    onDays: ({ from, to }) => {
      if (user().level !== "AE") return `/reconciliation/bill?from=${from}&to=${to}`;
      return from === to ? `/reconciliation/bill?view=stores&day=${from}` : undefined;
    },
  },
]);
