import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newBusinessGroup } from "../../contract/index.ts";

/** Adds a business group under a provider. @returns its id @throws 400 at a wrong field */
export async function addBusinessGroup(tx: Transaction, services: Services, given: z.input<typeof newBusinessGroup>): Promise<string> {
  const group = checkGiven(newBusinessGroup, given);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("business_groups")
    .values({
      service_provider_id: group.serviceProviderId,
      id,
      name: group.name,
      leader: group.leader,
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return id;
}
