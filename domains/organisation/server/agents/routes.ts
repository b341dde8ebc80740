import type { Route } from "@zhangfang/server/calls/call.ts";
import { addAgentAccountRoute } from "./add-agent-account.ts";
import { cancelAgentContractRoute } from "./contract/cancel-agent-contract.ts";
import { renewAgentContractRoute } from "./contract/renew-agent-contract.ts";
import { reviewAgentContractRoute } from "./contract/review-agent-contract.ts";
import { submitAgentContractRoute } from "./contract/submit-agent-contract.ts";
import { getAgentRoute } from "./get-agent.ts";
import { listAgentsRoute } from "./list-agents.ts";
import { setAgentRatioRoute } from "./set-agent-ratio.ts";
import { setAgentStateRoute } from "./set-agent-state.ts";
import { summariseAgentsRoute } from "./summarise-agents.ts";
import { updateAgentRoute } from "./update-agent.ts";

/** Every call about agents. */
export const agentRoutes: Route[] = [
  listAgentsRoute,
  summariseAgentsRoute,
  getAgentRoute,
  addAgentAccountRoute,
  updateAgentRoute,
  setAgentRatioRoute,
  setAgentStateRoute,
  submitAgentContractRoute,
  reviewAgentContractRoute,
  renewAgentContractRoute,
  cancelAgentContractRoute,
];
