import type { Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { endSessions } from "../../accounts/server/index.ts";

/** Puts other stores in an area. Its managers' scope moves with them, so their sessions end. @throws 404 where there is no such area in sight */
export async function setAreaStores(
  tx: Transaction,
  services: Services,
  area: { serviceProviderId: string; id: string },
  storeIds: readonly string[],
): Promise<void> {
  const found = await tx
    .selectFrom("areas")
    .select("merchant_id")
    .where("service_provider_id", "=", area.serviceProviderId)
    .where("id", "=", area.id)
    .forUpdate()
    .executeTakeFirst();
  if (!found) throw notFound("区域");
  const owner = { service_provider_id: area.serviceProviderId, merchant_id: found.merchant_id, area_id: area.id };
  await tx.deleteFrom("area_stores").where("service_provider_id", "=", area.serviceProviderId).where("area_id", "=", area.id).execute();
  if (storeIds.length > 0)
    await tx
      .insertInto("area_stores")
      .values(storeIds.map((store_id) => ({ ...owner, store_id })))
      .execute();
  await endSessions(tx, services, { subtree: { kind: "area", ...area } }, "区域门店变更");
}
