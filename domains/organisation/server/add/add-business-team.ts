import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newBusinessTeam } from "../../contract/index.ts";

/** Adds a business team under a provider, in one of its groups or in none. @returns its id @throws 400 at a wrong field */
export async function addBusinessTeam(tx: Transaction, services: Services, given: z.input<typeof newBusinessTeam>): Promise<string> {
  const team = checkGiven(newBusinessTeam, given);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("business_teams")
    .values({
      service_provider_id: team.serviceProviderId,
      id,
      business_group_id: team.businessGroupId,
      name: team.name,
      leader: team.leader,
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return id;
}
