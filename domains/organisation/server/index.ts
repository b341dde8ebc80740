import type { Route } from "@zhangfang/server/call.ts";
import { getMerchantInfo } from "./get-merchant-info.ts";
import { listMerchants, listMerchantsOfProvider } from "./list-merchants.ts";
import { listServiceProviders, listServiceProvidersShort } from "./list-service-providers.ts";

export const routes: Route[] = [listServiceProviders, listServiceProvidersShort, listMerchants, listMerchantsOfProvider, getMerchantInfo];

export { addAgent } from "./add-agent.ts";
export { addArea } from "./add-area.ts";
export { addBusinessGroup } from "./add-business-group.ts";
export { addBusinessTeam } from "./add-business-team.ts";
export { addMerchant } from "./add-merchant.ts";
export { addSalesman } from "./add-salesman.ts";
export { addServiceProvider } from "./add-service-provider.ts";
export { openChannelSecrets } from "./channel-secrets.ts";
export { setAreaStores } from "./set-area-stores.ts";
export { setChannelSettings } from "./set-channel-settings.ts";
export { setNodeState } from "./set-node-state.ts";
