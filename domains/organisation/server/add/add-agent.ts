import { checkGiven } from "@zhangfang/server/edge.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newAgent } from "../../contract/index.ts";

/** Adds an agent under a provider. @returns its id @throws 400 at a wrong field */
export async function addAgent(tx: Transaction, services: Services, given: z.input<typeof newAgent>): Promise<string> {
  const agent = checkGiven(newAgent, given);
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
