import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newAgent, SIGNED } from "../../contract/index.ts";
import { checkRatio } from "../agents/check-ratio.ts";

/**
 * Adds an agent under a provider, signed without an end unless `status` says otherwise.
 * @returns its id
 * @throws 400 at a wrong field, or at a ratio above what the provider allows
 */
export async function addAgent(tx: Transaction, services: Services, given: z.input<typeof newAgent>, status = SIGNED): Promise<string> {
  const agent = checkGiven(newAgent, given);
  await checkRatio(tx, agent.serviceProviderId, agent.profitRatio);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("agents")
    .values({
      service_provider_id: agent.serviceProviderId,
      id,
      name: agent.name,
      contact_name: agent.contactName,
      contact_phone: agent.contactPhone,
      region: agent.region,
      status,
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  // The first ratio holds from the beginning: there is no day of the agent without one.
  await tx
    .insertInto("agent_ratios")
    .values({
      service_provider_id: agent.serviceProviderId,
      agent_id: id,
      effective_from: "1970-01-01",
      profit_ratio: agent.profitRatio,
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return id;
}
