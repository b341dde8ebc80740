import type { Route } from "@zhangfang/server/calls/call.ts";
import { addTeamAccountRoute } from "./add-team-account.ts";
import { getTeamRoute } from "./get-team.ts";
import { listGroupChoicesRoute } from "./list-group-choices.ts";
import { listTeamsRoute } from "./list-teams.ts";
import { moveTeamRoute } from "./move-team.ts";
import { setTeamStateRoute } from "./set-team-state.ts";
import { summariseTeamsRoute } from "./summarise-teams.ts";
import { updateTeamRoute } from "./update-team.ts";

/** Every call about business teams. */
export const teamRoutes: Route[] = [
  listTeamsRoute,
  summariseTeamsRoute,
  listGroupChoicesRoute,
  getTeamRoute,
  addTeamAccountRoute,
  updateTeamRoute,
  moveTeamRoute,
  setTeamStateRoute,
];
