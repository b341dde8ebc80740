import type { Route } from "@zhangfang/server/calls/call.ts";
import { addAgentAccount } from "./add-agent-account.ts";
import { cancelAgentContract } from "./contract/cancel-agent-contract.ts";
import { renewAgentContract } from "./contract/renew-agent-contract.ts";
import { reviewAgentContract } from "./contract/review-agent-contract.ts";
import { submitAgentContract } from "./contract/submit-agent-contract.ts";
import { getAgent } from "./get-agent.ts";
import { listAgents } from "./list-agents.ts";
import { setAgentRatio } from "./set-agent-ratio.ts";
import { setAgentState } from "./set-agent-state.ts";
import { summariseAgents } from "./summarise-agents.ts";
import { updateAgent } from "./update-agent.ts";

/** Every call about agents. */
export const agentRoutes: Route[] = [
  listAgents,
  summariseAgents,
  getAgent,
  addAgentAccount,
  updateAgent,
  setAgentRatio,
  setAgentState,
  submitAgentContract,
  reviewAgentContract,
  renewAgentContract,
  cancelAgentContract,
];
