import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { endSessions } from "../../../../accounts/server/index.ts";
import { CONTRACT_MOVES, moveContract, type ContractState } from "../../../contract/index.ts";
import { changeProvider, findProvider } from "../find-provider.ts";
import { checkTerm, noteStep } from "./contract-steps.ts";

/**
 * 变更服务商合同: submits, approves, rejects or cancels it. A cancelled one ends every session of the tree in this transaction
 * and nobody signs in again; tills go on taking payments until the provider itself is closed.
 */
export const moveContractRoute = implement(moveContract, async (ctx, { id, version, move, note }) => {
  const found = await findProvider(ctx.tx, ctx.scope, id);
  const { from, to } = CONTRACT_MOVES[move];
  if (!from.includes(found.contract_state as ContractState)) throw conflict("合同当前状态不能这样变更，请刷新后查看");
  if (to === "signed") checkTerm(found.contract_until, ctx.now_ms);
  await changeProvider(ctx.tx, id, version, { contract_state: to });
  const { contract_from, contract_until } = found;
  await noteStep(ctx.tx, { provider: id, contract_state: to, contract_from, contract_until, note, by: ctx.principal.name, at: ctx.now });
  const subtree = { kind: "provider", serviceProviderId: id, id } as const;
  const endedSessions = to === "cancelled" ? await endSessions(ctx.tx, ctx.services, { subtree }, "合同注销") : 0;
  ctx.note({
    targetKind: "provider",
    targetId: id,
    before: { contractState: found.contract_state },
    after: { contractState: to, note, endedSessions },
    provider: id,
  });
  return { ok: true as const, endedSessions };
});
