// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { lineFact, payoutMethod, payoutView, profitBy, receiver, withdrawalStatus } from "../contract/index.ts";

const who = { receiver: ["类型", receiver], receiverId: ["分润方"] } as const;
registerExportedList("share-profit", { path: "/dataCentre/shareProfit", filters: who });
registerExportedList("commission-lines", { path: "/dataCentre/shareProfit", filters: { ...who, fact: ["来源", lineFact] } });
registerExportedList("withdrawals", {
  path: "/dataCentre/withdrawal",
  filters: { receiver: ["类型", receiver], status: ["状态", withdrawalStatus], method: ["方式", payoutMethod] },
});
registerExportedList("payouts", {
  path: "/dataCentre/daifu",
  filters: { view: ["查看", payoutView], status: ["状态", withdrawalStatus], method: ["方式", payoutMethod] },
});
registerExportedList("provider-profit", { path: "/dataCentre/spProfit", filters: { by: ["汇总", profitBy] } });
