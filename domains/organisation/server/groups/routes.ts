import type { Route } from "@zhangfang/server/calls/call.ts";
import { addGroupAccountRoute } from "./add-group-account.ts";
import { getGroupRoute } from "./get-group.ts";
import { listGroupsRoute } from "./list-groups.ts";
import { setGroupStateRoute } from "./set-group-state.ts";
import { summariseGroupsRoute } from "./summarise-groups.ts";
import { updateGroupRoute } from "./update-group.ts";

/** Every call about business groups. */
export const groupRoutes: Route[] = [
  listGroupsRoute,
  summariseGroupsRoute,
  getGroupRoute,
  addGroupAccountRoute,
  updateGroupRoute,
  setGroupStateRoute,
];
