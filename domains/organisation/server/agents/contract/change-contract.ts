import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { writeOver } from "@zhangfang/server/database/write-over.ts";
import { contractStatus } from "../../../contract/index.ts";
import { findAgent } from "../find-agent.ts";

type Status = 0 | 1 | 2 | 3 | 4 | 5;
type Agent = Awaited<ReturnType<typeof findAgent>>;
interface Change {
  readonly status: Status;
  readonly contract_from?: string;
  readonly contract_until?: string;
  readonly contract_why: string | null;
}
const told = (row: Pick<Agent, "status" | "contract_from" | "contract_until">) => ({
  合同: contractStatus.label(row.status as Status),
  contractFrom: row.contract_from,
  contractUntil: row.contract_until,
});

/**
 * Moves an agent's contract over the version that was read; the database refuses a way that is none.
 * @param from the states from which this act may come
 * @param work what becomes of it, from the agent as it is
 * @throws 404 out of sight, 409 in another state or over an old version
 */
export async function changeContract(
  ctx: Ctx,
  { id, version }: { readonly id: string; readonly version: number },
  from: readonly Status[],
  work: (agent: Agent) => Change,
): Promise<{ readonly provider: string }> {
  const agent = await findAgent(ctx.tx, ctx.scope, id);
  const { service_provider_id: provider } = agent;
  if (!from.includes(agent.status as Status))
    throw conflict(`代理商的合同为${contractStatus.label(agent.status as Status)}，不能执行此操作`);
  const values = work(agent);
  await writeOver(ctx.tx, "agents", { service_provider_id: provider, id, status: agent.status }, version, values, "代理商资料");
  ctx.note({
    targetKind: "agent",
    targetId: id,
    before: told(agent),
    after: { ...told({ ...agent, ...values }), ...(values.contract_why && { 原因: values.contract_why }) },
    provider,
  });
  return { provider };
}
