import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newSalesman } from "../../contract/index.ts";
import { readAttribution } from "./read-attribution.ts";

/** Adds a salesman of a team, of an agent or of the provider itself. @returns its id @throws 400 at a wrong field */
export async function addSalesman(tx: Transaction, services: Services, given: z.input<typeof newSalesman>): Promise<string> {
  const salesman = checkGiven(newSalesman, given);
  if (salesman.agentId && salesman.businessTeamId) throw invalid("agentId", "业务员只能属于代理商或团队之一");
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("salesmen")
    .values({
      service_provider_id: salesman.serviceProviderId,
      id,
      name: salesman.name,
      phone: salesman.phone,
      ...(await readAttribution(tx, salesman.serviceProviderId, salesman)),
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return id;
}
