import { implement } from "@zhangfang/server/calls/call.ts";
import { endSessions } from "../../../../accounts/server/index.ts";
import { cancelAgentContract } from "../../../contract/index.ts";
import { changeContract } from "./change-contract.ts";

/** 注销, for good: nobody of the agent is signed in any more or signs in again; its merchants stay as they are. */
export const cancelAgentContractRoute = implement(cancelAgentContract, async (ctx, { why, ...of }) => {
  const { provider } = await changeContract(ctx, of, [0, 1, 2, 3, 5], () => ({ status: 4, contract_why: why }));
  const subtree = { kind: "agent" as const, serviceProviderId: provider, id: of.id };
  return { endedSessions: await endSessions(ctx.tx, ctx.services, { subtree }, "代理商注销") };
});
