import { registerOrgLookups } from "@zhangfang/web/slots.ts";
import { findStores } from "./find-stores.ts";

/** This domain's screens are not built yet; its lookup serves the filters of every list. */
export const screens = {};

registerOrgLookups({ storeId: findStores });
