import type { Route } from "@zhangfang/server/calls/call.ts";
import { addTeamAccount } from "./add-team-account.ts";
import { getTeam } from "./get-team.ts";
import { listGroupChoices } from "./list-group-choices.ts";
import { listTeams } from "./list-teams.ts";
import { moveTeam } from "./move-team.ts";
import { setTeamState } from "./set-team-state.ts";
import { summariseTeams } from "./summarise-teams.ts";
import { updateTeam } from "./update-team.ts";

/** Every call about business teams. */
export const teamRoutes: Route[] = [
  listTeams,
  summariseTeams,
  listGroupChoices,
  getTeam,
  addTeamAccount,
  updateTeam,
  moveTeam,
  setTeamState,
];
