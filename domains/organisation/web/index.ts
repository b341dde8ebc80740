import { screen } from "@zhangfang/web/screen.ts";
import { registerOrgLookups } from "@zhangfang/web/slots.ts";
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
