import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { RENEWABLE, renewContract, type ContractState } from "../../../contract/index.ts";
import { changeProvider, findProvider } from "../find-provider.ts";
import { checkTerm, noteStep } from "./contract-steps.ts";

/** 续约服务商: sets another term; an expired contract runs again, and its tree signs in again. */
export const renewContractRoute = implement(renewContract, async (ctx, { id, version, contractFrom, contractUntil }) => {
  const found = await findProvider(ctx.tx, ctx.scope, id);
  if (!RENEWABLE.includes(found.contract_state as ContractState)) throw conflict("合同已注销，不能续约");
  checkTerm(contractUntil, ctx.now_ms);
  const contract_state = found.contract_state === "expired" ? "signed" : found.contract_state;
  const term = { contract_state, contract_from: contractFrom, contract_until: contractUntil };
  await changeProvider(ctx.tx, id, version, term);
  await noteStep(ctx.tx, { provider: id, ...term, by: ctx.principal.name, at: ctx.now });
  ctx.note({
    targetKind: "provider",
    targetId: id,
    before: { contractState: found.contract_state, contractFrom: found.contract_from, contractUntil: found.contract_until },
    after: { contractState: contract_state, contractFrom, contractUntil },
    provider: id,
  });
  return { ok: true as const };
});
