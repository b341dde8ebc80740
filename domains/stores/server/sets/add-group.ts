import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";

/** Adds a group of a merchant's stores; that they are its own the database checks. @returns its id */
export async function addGroup(
  tx: Transaction,
  services: Services,
  given: { readonly serviceProviderId: string; readonly merchantId: string; readonly name: string; readonly storeIds: readonly string[] },
): Promise<string> {
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const owner = { service_provider_id: given.serviceProviderId, merchant_id: given.merchantId };
  await tx
    .insertInto("store_groups")
    .values({ ...owner, id, name: given.name, created_at: new Date(now_ms).toISOString() })
    .execute();
  if (given.storeIds.length > 0)
    await tx
      .insertInto("store_group_members")
      .values(given.storeIds.map((store_id) => ({ ...owner, group_id: id, store_id })))
      .execute();
  return id;
}
