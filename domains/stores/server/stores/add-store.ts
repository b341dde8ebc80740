import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { assertQuota } from "../../../accounts/server/index.ts";
import { newStore } from "../../contract/index.ts";
import { searchWords } from "@zhangfang/server/pinyin.ts";

/** Adds a store of a merchant. @returns its id @throws 400 at a wrong field, at `number` where the provider has a store of that number, 409 beyond the quota */
export async function addStore(tx: Transaction, services: Services, given: z.input<typeof newStore>): Promise<string> {
  const store = checkGiven(newStore, given);
  await assertQuota(tx, store.serviceProviderId, "store");
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const added = await tx
    .insertInto("stores")
    .values({
      service_provider_id: store.serviceProviderId,
      id,
      merchant_id: store.merchantId,
      number: store.number ?? `6${services.ids.digits(9)}`,
      name: store.name,
      short_name: store.shortName,
      pinyin: searchWords(store.shortName, store.name),
      province: store.province || null,
      city: store.city || null,
      district: store.district || null,
      address: store.address || null,
      phone: store.phone,
      opening: store.opening && JSON.stringify(store.opening),
      latitude: store.latitude,
      longitude: store.longitude,
      created_at: new Date(now_ms).toISOString(),
    })
    .onConflict((conflicting) => conflicting.columns(["service_provider_id", "number"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("number", "门店编号已存在");
  return id;
}
