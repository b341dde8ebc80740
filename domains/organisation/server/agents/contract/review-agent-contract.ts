import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { reviewAgentContract } from "../../../contract/index.ts";
import { changeContract } from "./change-contract.ts";

/** 审核: signed, from now on the agent's accounts sign in; or rejected, with the reason. */
export const reviewAgentContractRoute = implement(reviewAgentContract, async (ctx, { verdict, why, ...of }) => {
  await changeContract(ctx, of, [1], ({ contract_until }) => {
    if (verdict === "reject") return { status: 5, contract_why: why ?? null };
    if (contract_until !== null && contract_until < shanghaiDay(ctx.now_ms)) throw conflict("合同期已过，请驳回后重新提交");
    return { status: 2, contract_why: null };
  });
  return { ok: true as const };
});
