import type { ConfigKey, ConfigValue, ItemType } from "../../contract/index.ts";
import { PLATFORM_ID } from "../../contract/index.ts";

/** A value that would be written: null takes a node's own away. */
export interface Step {
  readonly item_type: ItemType;
  readonly item_id: string;
  readonly ckey: string;
  readonly value: ConfigValue | null;
}
/** The devices of one store. */
export interface Stand {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly devices: number;
}
/** A value that stands in the tree. */
export interface Standing {
  readonly item_id: string;
  readonly ckey: string;
  readonly value: ConfigValue;
}
export interface Effect {
  readonly changes: readonly { readonly ckey: string; readonly from: ConfigValue; readonly to: ConfigValue; readonly devices: number }[];
  /** Stores all of whose devices but those named change in some key, and the named ones that do. */
  readonly stores: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
  /** How many devices change in any key. */
  readonly changed: number;
}

/**
 * What a save would do to the devices below its nodes: how many change from what to what. Devices are counted store by store,
 * because all of a store that have nothing of their own hold the same.
 * @param stands the stores with devices below the nodes that are written
 * @param standing values of the keys written, anywhere above or at those devices
 * @param devices those of `stands` that are written themselves or have a value of their own, with the store of each
 */
export function effectOf(
  keys: readonly ConfigKey[],
  steps: readonly Step[],
  stands: readonly Stand[],
  standing: readonly Standing[],
  devices: ReadonlyMap<string, string>,
): Effect {
  const changes = new Map<string, { ckey: string; from: ConfigValue; to: ConfigValue; devices: number }>();
  const stores = new Set<string>();
  const own = new Set<string>();
  const count = (ckey: string, from: ConfigValue, to: ConfigValue, n: number): boolean => {
    if (from === to || n === 0) return false;
    const name = JSON.stringify([ckey, from, to]);
    const known = changes.get(name) ?? { ckey, from, to, devices: 0 };
    known.devices += n;
    changes.set(name, known);
    return true;
  };
  const apart = new Map<string, string[]>();
  for (const [device, store] of devices) apart.set(store, [...(apart.get(store) ?? []), device]);
  for (const key of keys) {
    const before = new Map(standing.flatMap((one) => (one.ckey === key.ckey ? [[one.item_id, one.value]] : [])));
    const after = new Map(before);
    for (const step of steps)
      if (step.ckey === key.ckey) {
        if (step.value === null) after.delete(step.item_id);
        else after.set(step.item_id, step.value);
      }
    for (const stand of stands) {
      const above = [stand.store_id, stand.merchant_id, stand.service_provider_id, PLATFORM_ID];
      const inherited = (values: ReadonlyMap<string, ConfigValue>): ConfigValue => {
        const at = above.find((id) => values.has(id));
        return (at === undefined ? undefined : values.get(at)) ?? key.defaultValue;
      };
      const [from, to] = [inherited(before), inherited(after)];
      const alone = apart.get(stand.store_id) ?? [];
      if (count(key.ckey, from, to, stand.devices - alone.length)) stores.add(stand.store_id);
      for (const device of alone) if (count(key.ckey, before.get(device) ?? from, after.get(device) ?? to, 1)) own.add(device);
    }
  }
  const inStores = stands.reduce(
    (sum, { store_id, devices: all }) => sum + (stores.has(store_id) ? all - (apart.get(store_id)?.length ?? 0) : 0),
    0,
  );
  return { changes: [...changes.values()], stores, own, changed: inStores + own.size };
}
