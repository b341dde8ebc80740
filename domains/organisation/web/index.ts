import { registerExportedList } from "@zhangfang/web/exported-lists.ts";
import { screen } from "@zhangfang/web/screen.ts";
import { registerActs, registerOrgLookups } from "@zhangfang/web/slots.ts";
import {
  channelOpened,
  nodeState,
  addMerchantAccount,
  addAgentAccount,
  addProviderAccount,
  addSalesmanAccount,
  addGroupAccount,
  addTeamAccount,
} from "../contract/index.ts";
import { findAgents, findMerchants, findProviders, findTeams } from "./org-lookups.ts";

/** The organisation's screens; its lookups serve the filters of every list. */
export const screens = {
  "service-provider": screen(() => import("./providers/ProviderList.tsx"), "ProviderList"),
  "official-site": screen(() => import("./sites/SiteList.tsx"), "SiteList"),
  "official-site-add": screen(() => import("./sites/SiteEditor.tsx"), "SiteEditor"),
  agent: screen(() => import("./agents/AgentList.tsx"), "AgentList"),
  "business-group": screen(() => import("./groups/GroupList.tsx"), "GroupList"),
  "business-team": screen(() => import("./teams/TeamList.tsx"), "TeamList"),
  merchants: screen(() => import("./merchants/MerchantList.tsx"), "MerchantList"),
  salesman: screen(() => import("./salesmen/SalesmanList.tsx"), "SalesmanList"),
  "merchants-info": screen(() => import("./merchants/MerchantProfile.tsx"), "MerchantProfile"),
  "merchant-config-setting": screen(() => import("./merchants/MerchantSettings.tsx"), "MerchantSettings"),
  "v3-secret": screen(() => import("./merchants/channels/ChannelSecret.tsx"), "ChannelSecret"),
  "full-in-info": screen(() => import("./merchants/FullInList.tsx"), "FullInList"),
};

registerOrgLookups({ serviceProviderId: findProviders, agentId: findAgents, businessTeamId: findTeams, merchantId: findMerchants });

registerExportedList("merchants", {
  path: "/merchants/merchants",
  filters: { state: ["状态", nodeState], channel: ["通道", channelOpened], trade: ["行业"], province: ["省份"] },
});

registerActs([
  { title: "新建商户", words: ["开户", "添加商户", "新增商户"], of: addMerchantAccount, to: "/merchants/merchants?panel=add" },
  { title: "新建代理商", words: ["添加代理商", "新增代理商"], of: addAgentAccount, to: "/agent/agent?panel=add" },
  { title: "新建服务商", words: ["添加服务商", "新增服务商"], of: addProviderAccount, to: "/admin/serviceProvider?panel=add" },
  { title: "新建业务员", words: ["添加业务员", "新增业务员"], of: addSalesmanAccount, to: "/salesman/salesman?panel=add" },
  { title: "新建业务集团", words: ["新建集团"], of: addGroupAccount, to: "/businessGroup/businessGroup?panel=add" },
  { title: "新建业务团队", words: ["新建团队"], of: addTeamAccount, to: "/businessGroup/businessTeam?panel=add" },
]);
