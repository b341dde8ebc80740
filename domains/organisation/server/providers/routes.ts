import type { Route } from "@zhangfang/server/calls/call.ts";
import type { Job } from "@zhangfang/server/jobs/jobs.ts";
import { addProviderAccount } from "./add-provider-account.ts";
import { addPicture } from "./brand/add-picture.ts";
import { getPicture } from "./brand/get-picture.ts";
import { purgePictures } from "./brand/purge-pictures.ts";
import { updateBrand } from "./brand/update-brand.ts";
import { moveContract } from "./contract/move-contract.ts";
import { renewContract } from "./contract/renew-contract.ts";
import { watchContracts } from "./contract/watch-contracts.ts";
import { getProvider } from "./get-provider.ts";
import { listProviders } from "./list-providers.ts";
import { setLevelNames } from "./set-level-names.ts";
import { setProviderState } from "./set-provider-state.ts";
import { summariseProviders } from "./summarise-providers.ts";
import { updateProvider } from "./update-provider.ts";

/** Every call about providers. */
export const providerRoutes: Route[] = [
  listProviders,
  summariseProviders,
  getProvider,
  addProviderAccount,
  updateProvider,
  setProviderState,
  moveContract,
  renewContract,
  updateBrand,
  setLevelNames,
  addPicture,
  getPicture,
];
export const providerJobs: Job[] = [watchContracts, purgePictures];
