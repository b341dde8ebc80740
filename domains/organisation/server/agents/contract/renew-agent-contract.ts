import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { renewAgentContract } from "../../../contract/index.ts";
import { changeContract } from "./change-contract.ts";

/** 续约: a later end. An agent whose contract had expired is signed again and signs in. */
export const renewAgentContractRoute = implement(renewAgentContract, async (ctx, { contractUntil, ...of }) => {
  if (contractUntil < shanghaiDay(ctx.now_ms)) throw invalid("contractUntil", "到期日不能早于今天");
  await changeContract(ctx, of, [2, 3], ({ contract_from, contract_until }) => {
    if (contract_until !== null && contractUntil <= contract_until) throw invalid("contractUntil", `须晚于现在的到期日 ${contract_until}`);
    if (contract_from !== null && contractUntil < contract_from) throw invalid("contractUntil", "到期日不能早于开始日");
    return { status: 2, contract_until: contractUntil, contract_why: null };
  });
  return { ok: true as const };
});
