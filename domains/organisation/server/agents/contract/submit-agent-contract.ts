import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { submitAgentContract } from "../../../contract/index.ts";
import { changeContract } from "./change-contract.ts";

/** 提交审核, for the first time or after it was rejected. */
export const submitAgentContractRoute = implement(submitAgentContract, async (ctx, { contractFrom, contractUntil, ...of }) => {
  if (contractUntil < shanghaiDay(ctx.now_ms)) throw invalid("contractUntil", "到期日不能早于今天");
  await changeContract(ctx, of, [0, 5], () => ({
    status: 1,
    contract_from: contractFrom,
    contract_until: contractUntil,
    contract_why: null,
  }));
  return { ok: true as const };
});
