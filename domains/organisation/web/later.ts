// What exports are called and what the command bar begins: nobody needs it before the first rows stand (apps/web/src/later.ts).
import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { registerActs } from "@zhangfang/web/slots.ts";
import {
  channelOpened,
  contractState,
  contractStatus,
  missingFact,
  nodeState,
  addMerchantAccount,
  addAgentAccount,
  addProviderAccount,
  addSalesmanAccount,
  addGroupAccount,
  addTeamAccount,
} from "../contract/index.ts";

registerExportedList("merchants", {
  path: "/merchants/merchants",
  filters: { state: ["状态", nodeState], channel: ["通道", channelOpened], trade: ["行业"], province: ["省份"] },
});
registerExportedList("agents", { path: "/agent/agent", filters: { state: ["状态", nodeState], contract: ["合同", contractStatus] } });
registerExportedList("business-groups", { path: "/businessGroup/businessGroup", filters: { state: ["状态", nodeState] } });
registerExportedList("business-teams", {
  path: "/businessGroup/businessTeam",
  filters: { state: ["状态", nodeState], businessGroupId: ["业务集团"] },
});
registerExportedList("salesmen", { path: "/salesman/salesman", filters: { state: ["状态", nodeState] } });
registerExportedList("providers", {
  path: "/admin/serviceProvider",
  filters: { state: ["状态", nodeState], contract: ["合同", contractState], expiring: ["30 天内到期"] },
});
registerExportedList("full-in", { path: "/admin/fullInInfo", filters: { missing: ["缺少", missingFact] } });
registerActs([
  { title: "新建商户", words: ["开户", "添加商户", "新增商户"], of: addMerchantAccount, to: "/merchants/merchants?panel=add" },
  { title: "新建代理商", words: ["添加代理商", "新增代理商"], of: addAgentAccount, to: "/agent/agent?panel=add" },
  { title: "新建服务商", words: ["添加服务商", "新增服务商"], of: addProviderAccount, to: "/admin/serviceProvider?panel=add" },
  { title: "新建业务员", words: ["添加业务员", "新增业务员"], of: addSalesmanAccount, to: "/salesman/salesman?panel=add" },
  { title: "新建业务集团", words: ["新建集团"], of: addGroupAccount, to: "/businessGroup/businessGroup?panel=add" },
  { title: "新建业务团队", words: ["新建团队"], of: addTeamAccount, to: "/businessGroup/businessTeam?panel=add" },
]);
