import { registerOrgLookups } from "@zhangfang/web/slots.ts";
import { findMerchants, findProviders } from "./org-lookups.ts";

/** This domain's screens are not built yet; its lookups serve the filters of every list. */
export const screens = {};

registerOrgLookups({ serviceProviderId: findProviders, merchantId: findMerchants });
