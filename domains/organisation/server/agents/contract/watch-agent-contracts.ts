import { sql } from "kysely";
import { z } from "zod";
import { addDays, daysBetween, shanghaiDay } from "@zhangfang/contract/time.ts";
import { auditLater } from "@zhangfang/server/calls/audit.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { endSessions } from "../../../../accounts/server/index.ts";
import { tell } from "../../../../messages/server/index.ts";

interface Ending {
  readonly provider: string;
  readonly id: string;
  readonly name: string;
  readonly until: string;
}
/** How many days before its end a contract is spoken of. */
const WARNINGS = [1, 7, 30] as const;
const scope = platformScope("watch agent contracts");

/**
 * Warns of contracts that end in 30, 7 and 1 days, each once, and ends those whose last day is over: the agent's people are
 * signed out and sign in no more, its merchants stay as they are. It comes round often, so that a service that stood still
 * over midnight makes up for it.
 */
export const watchAgentContracts = job({
  name: "watch-agent-contracts",
  data: z.object({}),
  every: "*/10 * * * *",
  concurrency: 1,
  run: async (services) => {
    const today = shanghaiDay(services.clock.now_ms());
    const { rows } = await withScope(services.pool, scope, (tx) =>
      sql<Ending>`select service_provider_id as provider, id, name, contract_until as until from agents
        where status = 2 and contract_until <= ${addDays(today, 30)}::date order by contract_until, id`.execute(tx),
    );
    for (const agent of rows)
      await withScope(services.pool, scope, (tx) =>
        agent.until < today ? expire(tx, services, agent) : warn(tx, services, agent, daysBetween(today, agent.until)),
      );
  },
});

async function warn(tx: Transaction, services: Services, { provider, id, name, until }: Ending, days: number): Promise<void> {
  const bucket = WARNINGS.find((one) => days <= one)!;
  const message: Omit<Parameters<typeof tell>[2], "href" | "item"> = {
    kind: "contract",
    title: days === 0 ? `代理商「${name}」的合同今天到期` : `代理商「${name}」的合同还有 ${days} 天到期`,
    body: `${until} 是最后一天，之后不能登录；商户照常收款。`,
    once: `agent-contract:${id}:${until}:${bucket}`,
    at: new Date(services.clock.now_ms()).toISOString(),
  };
  await tell(tx, { level: "SP", provider }, { ...message, href: `/agent/agent?id=${id}`, item: "/agent/agent" });
  await tell(tx, { level: "AG", provider, node: id }, { ...message, href: "/", item: "/" });
}

async function expire(tx: Transaction, services: Services, { provider, id, name, until }: Ending): Promise<void> {
  const { numAffectedRows } = await sql`update agents set status = 3, version = version + 1
    where service_provider_id = ${provider} and id = ${id} and status = 2 and contract_until = ${until}::date`.execute(tx);
  // Renewed meanwhile.
  if (numAffectedRows !== 1n) return;
  const endedSessions = await endSessions(tx, services, { subtree: { kind: "agent", serviceProviderId: provider, id } }, "合同到期");
  await auditLater(tx, services, {
    endpoint: "watch-agent-contracts",
    title: "代理商合同到期",
    targetKind: "agent",
    targetId: id,
    before: { 合同: "已签约", contractUntil: until },
    after: { 合同: "过期", endedSessions },
    provider,
  });
  await tell(
    tx,
    { level: "SP", provider },
    {
      kind: "contract",
      title: `代理商「${name}」的合同已到期`,
      body: `${until} 已过，它的账号不能登录；商户照常收款。续约后恢复。`,
      href: `/agent/agent?id=${id}`,
      item: "/agent/agent",
      once: `agent-contract:${id}:${until}:0`,
      at: new Date(services.clock.now_ms()).toISOString(),
    },
  );
}
