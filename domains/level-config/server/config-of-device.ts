import { createHash } from "node:crypto";
import type { Transaction } from "@zhangfang/server/db.ts";
import { type ConfigValue, type NodeRef, PLATFORM_ID, resolve } from "../contract/index.ts";
import { type Namespace, overridesAt } from "./read-config.ts";

/** Where a device stands. */
export interface DevicePlace {
  readonly id: string;
  readonly store_id: string;
  readonly merchant_id: string;
  readonly service_provider_id: string;
}

/** What holds for one device, and a tag that names it: the same values have the same tag. */
export async function configOfDevice(
  tx: Transaction,
  { namespace, keys }: Pick<Namespace, "namespace" | "keys">,
  place: DevicePlace,
): Promise<{ values: Record<string, ConfigValue>; tag: string }> {
  const chain: NodeRef[] = [
    { item_type: 0, item_id: place.id },
    { item_type: 1, item_id: place.store_id },
    { item_type: 2, item_id: place.merchant_id },
    { item_type: 3, item_id: place.service_provider_id },
    { item_type: 4, item_id: PLATFORM_ID },
  ];
  const own = await overridesAt(
    tx,
    namespace,
    chain.map(({ item_id }) => item_id),
  );
  const values = Object.fromEntries(resolve(keys, chain, own).map(({ ckey, value }) => [ckey, value]));
  return { values, tag: createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 22) };
}
