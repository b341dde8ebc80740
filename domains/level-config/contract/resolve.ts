import type { ConfigKey, ConfigValue, ItemType } from "./keys.ts";

/** A node of the tree, by its type and id. */
export interface NodeRef {
  readonly item_type: ItemType;
  readonly item_id: string;
}
/** A value that a node has of its own. */
export interface Own {
  readonly item_id: string;
  readonly ckey: string;
  readonly value: ConfigValue;
}
/** What holds at a node for one key, and where it comes from; null is the key's own default. */
export interface Effective {
  readonly ckey: string;
  readonly value: ConfigValue;
  readonly own: ConfigValue | null;
  readonly from: NodeRef | null;
}

/**
 * What holds at a node: for each key the nearest value going up, else the key's default (domain.md, inherited configuration).
 * @param chain the node first, the platform last
 * @param own values of the nodes of the chain, in any order
 */
export function resolve(
  keys: readonly Pick<ConfigKey, "ckey" | "defaultValue">[],
  chain: readonly NodeRef[],
  own: readonly Own[],
): Effective[] {
  const known = new Map(own.map((one) => [`${one.item_id} ${one.ckey}`, one.value]));
  return keys.map(({ ckey, defaultValue }) => {
    const at = (node: NodeRef): ConfigValue | undefined => known.get(`${node.item_id} ${ckey}`);
    const from = chain.find((node) => at(node) !== undefined) ?? null;
    const [node] = chain;
    return { ckey, value: (from && at(from)) ?? defaultValue, own: (node && at(node)) ?? null, from };
  });
}
