import { newToken } from "@zhangfang/server/crypto.ts";
import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { assertQuota } from "../../accounts/server/index.ts";
import { newDevice } from "../contract/index.ts";
import { sealDeviceKey } from "./device-key.ts";

/**
 * Registers a device at a store and makes the key that it signs with.
 * @returns its id and the key in the clear, which is shown this once
 * @throws 400 at a wrong field, 409 where the serial number is registered already or the quota is used up
 */
export async function registerDevice(
  tx: Transaction,
  services: Services,
  given: z.input<typeof newDevice>,
): Promise<{ id: string; key: string }> {
  const device = checkGiven(newDevice, given);
  await assertQuota(tx, device.serviceProviderId, "device");
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const key = newToken();
  await tx
    .insertInto("devices")
    .values({
      service_provider_id: device.serviceProviderId,
      id,
      merchant_id: device.merchantId,
      store_id: device.storeId,
      sn: device.sn,
      model: device.model,
      name: device.name,
      cashier_mode: device.cashierMode,
      cashier_id: device.cashierId,
      key_sealed: sealDeviceKey(services, device.serviceProviderId, id, key),
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  const stock = { sn: device.sn, model: device.model, service_provider_id: device.serviceProviderId, merchant_id: device.merchantId };
  const at = new Date(now_ms).toISOString();
  await tx
    .insertInto("equipment")
    .values({ ...stock, id, state: 1, device_id: id, created_at: at, moved_at: at })
    .execute();
  return { id, key };
}
