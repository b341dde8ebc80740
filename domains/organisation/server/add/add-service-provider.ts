import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Insertable } from "kysely";
import type { z } from "zod";
import { newServiceProvider } from "../../contract/index.ts";

/**
 * Adds a provider, the top of a tree. Unless `more` says otherwise its contract runs without an end and nothing is limited.
 * @returns its id @throws 400 at a wrong field
 */
export async function addServiceProvider(
  tx: Transaction,
  services: Services,
  given: z.input<typeof newServiceProvider>,
  more: Partial<Insertable<DB["service_providers"]>> = {},
): Promise<string> {
  const provider = checkGiven(newServiceProvider, given);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("service_providers")
    .values({
      id,
      number: `1${services.ids.digits(7)}`,
      name: provider.name,
      short_name: provider.shortName,
      contact_name: provider.contactName,
      contact_phone: provider.contactPhone,
      fee_rate: provider.feeRate,
      brand_title: provider.brandTitle,
      logo_url: provider.logoUrl,
      little_logo_url: provider.littleLogoUrl,
      feedback_url: provider.feedbackUrl,
      hosts: provider.hosts,
      ...more,
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return id;
}
