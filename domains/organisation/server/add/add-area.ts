import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newArea } from "../../contract/index.ts";

/** Adds an area of a merchant with its stores; a manager's account names it (addUser, areas). @returns its id @throws 400 at a wrong field */
export async function addArea(tx: Transaction, services: Services, given: z.input<typeof newArea>): Promise<string> {
  const area = checkGiven(newArea, given);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const owner = { service_provider_id: area.serviceProviderId, merchant_id: area.merchantId };
  await tx
    .insertInto("areas")
    .values({ ...owner, id, name: area.name, created_at: new Date(now_ms).toISOString() })
    .execute();
  if (area.storeIds.length > 0)
    await tx
      .insertInto("area_stores")
      .values(area.storeIds.map((store_id) => ({ ...owner, area_id: id, store_id })))
      .execute();
  return id;
}

/** An area that the caller holds. */
interface HeldArea {
  readonly service_provider_id: string;
  readonly id: string;
}
const gone = () => new Error("a held area is gone");

/** Names a held area anew. */
export async function renameArea(tx: Transaction, { service_provider_id, id }: HeldArea, name: string): Promise<void> {
  const renamed = await tx
    .updateTable("areas")
    .set({ name })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(renamed, gone);
}

/** Removes a held area that nobody manages; its stores stay. */
export async function removeArea(tx: Transaction, { service_provider_id, id }: HeldArea): Promise<void> {
  await tx.deleteFrom("area_stores").where("service_provider_id", "=", service_provider_id).where("area_id", "=", id).execute();
  const removed = await tx
    .deleteFrom("areas")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  mustChange(removed, gone);
}
