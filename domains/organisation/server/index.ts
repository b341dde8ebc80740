import { domain } from "@zhangfang/server/calls/domain.ts";
import { spellAnew } from "@zhangfang/server/pinyin.ts";
import { watchAgentContracts } from "./agents/contract/watch-agent-contracts.ts";
import { agentRoutes } from "./agents/routes.ts";
import { applyAssignments } from "./assignments/apply-assignments.ts";
import { assignmentRoutes } from "./assignments/routes.ts";
import { groupRoutes } from "./groups/routes.ts";
import { nodeExports } from "./export-nodes.ts";
import { nodeFinders } from "./find-nodes.ts";
import { getMerchantInfoRoute } from "./lookups/get-merchant-info.ts";
import { listMerchantsRoute, listMerchantsOfProviderRoute } from "./lookups/list-merchants.ts";
import { listServiceProvidersRoute, listServiceProvidersShortRoute } from "./lookups/list-service-providers.ts";
import { merchantRoutes } from "./merchants/routes.ts";
import { siteRoutes } from "./sites/routes.ts";
import { rateRoutes } from "./ratios/routes.ts";
import { providerJobs, providerRoutes } from "./providers/routes.ts";
import { salesmanRoutes } from "./salesmen/routes.ts";
import { teamRoutes } from "./teams/routes.ts";
import { merchantExport } from "./merchants/list/export-merchants.ts";
import { merchantImport } from "./merchants/import-merchants.ts";
import { dateCertificates } from "./merchants/accounts/date-certificates.ts";
import { organisationSteps, organisationTodos } from "./todos.ts";

export { addAgent } from "./add/add-agent.ts";
export { addArea, removeArea, renameArea } from "./add/add-area.ts";
export { addBusinessGroup } from "./add/add-business-group.ts";
export { addBusinessTeam } from "./add/add-business-team.ts";
export { addMerchant } from "./add/add-merchant.ts";
export { addSalesman } from "./add/add-salesman.ts";
export { addServiceProvider } from "./add/add-service-provider.ts";
export { merchantImport } from "./merchants/import-merchants.ts";
export { giveRate, giveShareRatio } from "./ratios/give-terms.ts";
export { rateOn, type RateOwner } from "./ratios/rate-on.ts";
export { accountOfRow, setChannelAccount } from "./channel-accounts.ts";
export { mustBeQuiet } from "./merchants/accounts/must-be-quiet.ts";
export { openAppSecret, openChannelSecrets, wechatAccountOf } from "./channel-secrets.ts";
export { renderSite, SITE_CSP } from "./sites/render-site.ts";
export { setAreaStores } from "./set-area-stores.ts";
export { holdMerchant, setChannelSettings } from "./set-channel-settings.ts";
export { setNodeState } from "./set-node-state.ts";

export const organisation = domain({
  routes: [
    listServiceProvidersRoute,
    listServiceProvidersShortRoute,
    listMerchantsRoute,
    listMerchantsOfProviderRoute,
    getMerchantInfoRoute,
    ...agentRoutes,
    ...assignmentRoutes,
    ...groupRoutes,
    ...merchantRoutes,
    ...providerRoutes,
    ...rateRoutes,
    ...salesmanRoutes,
    ...teamRoutes,
    ...siteRoutes,
  ],
  jobs: [...providerJobs, applyAssignments, watchAgentContracts, dateCertificates, spellAnew("merchants")],
  exports: [merchantExport, ...nodeExports],
  imports: [merchantImport],
  finders: nodeFinders,
  todos: organisationTodos,
  firstSteps: organisationSteps,
});
