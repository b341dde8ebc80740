import type { Route } from "@zhangfang/server/calls/call.ts";
import { getStore } from "./get-store.ts";
import { listStoreChoices } from "./list/list-store-choices.ts";
import { listStoreRows } from "./list/list-store-rows.ts";
import { openStore } from "./open-store.ts";
import { setStoreOpen } from "./set-store-open.ts";
import { summariseStores } from "./list/summarise-stores.ts";
import { updateStore } from "./update-store.ts";

/** Every call about stores themselves. */
export const ownRoutes: Route[] = [listStoreRows, summariseStores, listStoreChoices, getStore, openStore, updateStore, setStoreOpen];
