import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { type ConfigKey, type ConfigValue, type NodeRef, type Own, PLATFORM_ID, resolve } from "../contract/index.ts";
import { overridesAt } from "./read-config.ts";
import type { Namespace } from "./namespace.ts";

/** Where a device stands. */
export interface DevicePlace {
  readonly id: string;
  readonly store_id: string;
  readonly merchant_id: string;
  readonly service_provider_id: string;
}

const chainAt = (place: DevicePlace): NodeRef[] => [
  { item_type: 0, item_id: place.id },
  { item_type: 1, item_id: place.store_id },
  { item_type: 2, item_id: place.merchant_id },
  { item_type: 3, item_id: place.service_provider_id },
  { item_type: 4, item_id: PLATFORM_ID },
];

/** What holds for one key at any device: its own values all over the tree are read once, however many devices are asked about. */
export async function valuesOfKey(
  tx: Transaction,
  namespace: Namespace["namespace"],
  key: ConfigKey,
): Promise<(place: DevicePlace) => ConfigValue> {
  const { rows } =
    await sql<Own>`select item_id, ckey, value from config_overrides where namespace = ${namespace} and ckey = ${key.ckey}`.execute(tx);
  const own = new Map(rows.map((row) => [row.item_id, row]));
  return (place) => {
    const chain = chainAt(place);
    return (
      resolve(
        [key],
        chain,
        chain.flatMap(({ item_id }) => own.get(item_id) ?? []),
      )[0]?.value ?? key.defaultValue
    );
  };
}

/** What holds for one device, and a tag that names it: the same values have the same tag. */
export async function configOfDevice(
  tx: Transaction,
  { namespace, keys }: Pick<Namespace, "namespace" | "keys">,
  place: DevicePlace,
): Promise<{ values: Record<string, ConfigValue>; tag: string }> {
  const chain = chainAt(place);
  const own = await overridesAt(
    tx,
    namespace,
    chain.map(({ item_id }) => item_id),
  );
  const values = Object.fromEntries(resolve(keys, chain, own).map(({ ckey, value }) => [ckey, value]));
  return { values, tag: createHash("sha256").update(JSON.stringify(values)).digest("base64url").slice(0, 22) };
}
