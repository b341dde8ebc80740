import type { Route } from "@zhangfang/server/calls/call.ts";
import { addGroupAccount } from "./add-group-account.ts";
import { getGroup } from "./get-group.ts";
import { listGroups } from "./list-groups.ts";
import { setGroupState } from "./set-group-state.ts";
import { summariseGroups } from "./summarise-groups.ts";
import { updateGroup } from "./update-group.ts";

/** Every call about business groups. */
export const groupRoutes: Route[] = [listGroups, summariseGroups, getGroup, addGroupAccount, updateGroup, setGroupState];
