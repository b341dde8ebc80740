import type { Route } from "@zhangfang/server/calls/call.ts";
import { getStoreRoute } from "./get-store.ts";
import { listStoreChoicesRoute } from "./list/list-store-choices.ts";
import { listStoreRowsRoute } from "./list/list-store-rows.ts";
import { openStoreRoute } from "./open-store.ts";
import { setStoreOpenRoute } from "./set-store-open.ts";
import { summariseStoresRoute } from "./list/summarise-stores.ts";
import { updateStoreRoute } from "./update-store.ts";

/** Every call about stores themselves. */
export const ownRoutes: Route[] = [
  listStoreRowsRoute,
  summariseStoresRoute,
  listStoreChoicesRoute,
  getStoreRoute,
  openStoreRoute,
  updateStoreRoute,
  setStoreOpenRoute,
];
