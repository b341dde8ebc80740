import { sql } from "kysely";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { type ConfigValue, resolve } from "../contract/index.ts";
import { chainOf, mustWrite, nodesOf } from "./nodes.ts";
import { ownKeys } from "./read-tree.ts";
import type { Namespace } from "./namespace.ts";

export interface Override {
  readonly item_id: string;
  readonly ckey: string;
  readonly value: ConfigValue;
  readonly save_id: string;
  readonly changed_by: string;
  readonly changed_at: string;
}

/** The values that some nodes have of their own. */
export async function overridesAt(tx: Transaction, namespace: Namespace["namespace"], ids: readonly string[]): Promise<Override[]> {
  const { rows } = await sql<Override>`select item_id, ckey, value, save_id, changed_by, changed_at from config_overrides
    where namespace = ${namespace} and item_id = any(${`{${ids.join(",")}}`}::uuid[])`.execute(tx);
  return rows;
}

/**
 * 读取配置: what holds at a node for every key, its own value, and where the effective one comes from (domain.md).
 * What stands above is read by whoever sees the node; who put it there is said only of values in the caller's own tree.
 */
export const readConfig = ({ namespace, keys, calls }: Namespace): Route =>
  implement(calls.get, async (ctx, named) => {
    const [node] = await nodesOf(ctx, [named]);
    if (!node) throw new Error("nodesOf gave nothing");
    const chain = chainOf(node);
    const own = await overridesAt(
      ctx.tx,
      namespace,
      chain.map(({ item_id }) => item_id),
    );
    const writable = mayWrite(() => mustWrite(ctx.scope, node));
    const lowest = chain.findIndex(({ item_type }) => item_type === LEVEL_TYPES[ctx.scope.level]);
    const configs = resolve(keys, chain, own).map((one, at) => {
      const where = one.from === null ? -1 : chain.findIndex(({ item_id }) => item_id === one.from?.item_id);
      const said = own.find((row) => row.item_id === one.from?.item_id && row.ckey === one.ckey);
      const shown = lowest === -1 || where <= lowest ? said : undefined;
      return {
        ckey: one.ckey,
        value: one.value,
        own: one.own,
        from: chain[where] ?? null,
        changed_by: shown?.changed_by ?? null,
        changed_at: (shown?.changed_at ?? null) as never,
        settable: writable && (keys[at]?.levels.includes(node.item_type) ?? false),
      };
    });
    return { node: { ...node, own_keys: await ownKeys(ctx.tx, namespace, node.item_id), leaf: node.item_type === 0 }, configs };
  });
const LEVEL_TYPES: Readonly<Partial<Record<string, number>>> = { SP: 3, MCH: 2 };
function mayWrite(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/** 配置项: the catalogue. */
export const readKeys = ({ keys, calls }: Namespace): Route => implement(calls.keys, async () => keys as never);
