// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import {
  campaignChange,
  campaignState,
  couponKind,
  couponSource,
  couponState,
  figuresBy,
  packageGetStatus,
  packageKind,
  sendRowStatus,
  sendStatus,
  statementState,
} from "../contract/index.ts";

registerExportedList("campaigns", {
  path: "/merchantTicket/list",
  filters: { state: ["状态", campaignState], kind: ["类型", couponKind], change: ["改动", campaignChange] },
});
registerExportedList("provider-campaigns", {
  path: "/ticket/list",
  filters: { state: ["状态", campaignState], kind: ["类型", couponKind], change: ["改动", campaignChange] },
});
registerExportedList("coupons", {
  path: "/dataCentre/couponDetail",
  filters: { state: ["状态", couponState], source: ["来源", couponSource], campaignId: ["优惠券"], memberId: ["会员"] },
});
registerExportedList("coupon-figures", { path: "/dataCentre/coupon", filters: { by: ["汇总方式", figuresBy] } });
registerExportedList("sends", { path: "/ticket/batchSend", filters: { status: ["状态", sendStatus], campaignId: ["优惠券"] } });
for (const [source, path] of [
  ["subsidy-statements", "/ticket/list"],
  ["merchant-statements", "/merchantTicket/list"],
] as const)
  registerExportedList(source, { path: `${path}?view=subsidies`, filters: { state: ["状态", statementState], month: ["月份"] } });
registerExportedList("send-rows", {
  path: "/ticket/batchSend",
  filters: { taskId: ["任务"], status: ["结果", sendRowStatus] },
});
registerExportedList("packages", {
  path: "/ticket/group",
  filters: { state: ["状态", campaignState], kind: ["收费", packageKind] },
});
registerExportedList("package-gets", {
  path: "/ticket/groupRecord",
  filters: { status: ["状态", packageGetStatus], kind: ["收费", packageKind], packageId: ["券包"] },
});
