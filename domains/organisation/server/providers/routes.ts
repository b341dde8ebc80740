import type { Route } from "@zhangfang/server/calls/call.ts";
import type { Job } from "@zhangfang/server/jobs/jobs.ts";
import { addProviderAccountRoute } from "./add-provider-account.ts";
import { addPictureRoute } from "./brand/add-picture.ts";
import { getPictureRoute } from "./brand/get-picture.ts";
import { purgePictures } from "./brand/purge-pictures.ts";
import { updateBrandRoute } from "./brand/update-brand.ts";
import { moveContractRoute } from "./contract/move-contract.ts";
import { renewContractRoute } from "./contract/renew-contract.ts";
import { watchContracts } from "./contract/watch-contracts.ts";
import { getProviderRoute } from "./get-provider.ts";
import { listProvidersRoute } from "./list-providers.ts";
import { setLevelNamesRoute } from "./set-level-names.ts";
import { setProviderStateRoute } from "./set-provider-state.ts";
import { summariseProvidersRoute } from "./summarise-providers.ts";
import { updateProviderRoute } from "./update-provider.ts";

/** Every call about providers. */
export const providerRoutes: Route[] = [
  listProvidersRoute,
  summariseProvidersRoute,
  getProviderRoute,
  addProviderAccountRoute,
  updateProviderRoute,
  setProviderStateRoute,
  moveContractRoute,
  renewContractRoute,
  updateBrandRoute,
  setLevelNamesRoute,
  addPictureRoute,
  getPictureRoute,
];
export const providerJobs: Job[] = [watchContracts, purgePictures];
