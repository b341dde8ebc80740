import { createHash } from "node:crypto";
import { sql } from "kysely";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { type ConfigKey, type ConfigValue, wrongValue } from "../../contract/index.ts";
import { changesInScope, mustWrite, type Named, nodesOf, type Reading, type TreeNode } from "../nodes.ts";
import type { Override } from "../read-config.ts";
import type { Namespace } from "../namespace.ts";
import { overridesAt } from "../read-config.ts";

/** One value at one node, as it is and as it shall be. */
export interface PlannedStep {
  readonly node: TreeNode;
  readonly key: ConfigKey;
  readonly value: ConfigValue | null;
  readonly now: Override | undefined;
}
/** What a save would write, over what. */
export interface SavePlan {
  readonly steps: readonly PlannedStep[];
  /** Names the values that stand there now; another save makes another. */
  readonly tag: string;
  /** How many values of an undone save were changed again since, and stay. */
  readonly kept: number;
}
interface Change {
  readonly ckey: string;
  readonly value: ConfigValue | null;
}

/**
 * Plans a save: each node may be written by the caller, each key may stand there, each value fits its key.
 * @throws 400 at a key, 403 above one's own level, 404 outside one's own tree
 */
export async function planSave(
  ctx: Reading,
  { namespace, keys }: Namespace,
  { items, configs }: { readonly items: readonly Named[]; readonly configs: readonly Change[] },
): Promise<SavePlan> {
  const nodes = await nodesOf(ctx, items);
  const changes = new Map(configs.map((one) => [one.ckey, one.value]));
  if (changes.size !== configs.length) throw invalid("configs", "同一项只能设置一次");
  const steps = [...new Map(nodes.map((node) => [node.item_id, node])).values()].flatMap((node) => {
    mustWrite(ctx.scope, node);
    return [...changes].map(([ckey, value]) => ({ node, key: settable(keys, ckey, value, node), value }));
  });
  return finish(ctx, namespace, steps, 0);
}

/** Plans to take a save back: what still stands as it left it goes back to what was before. @throws 404 where it is not in sight */
export async function planUndo(ctx: Reading, { namespace, keys }: Namespace, saveId: string): Promise<SavePlan> {
  const { rows } = await sql<{
    item_type: number;
    item_id: string;
    ckey: string;
    from_value: ConfigValue | null;
    to_value: ConfigValue | null;
  }>`
    select item_type, item_id, ckey, from_value, to_value from config_changes c where namespace = ${namespace} and save_id = ${saveId} and ${changesInScope(ctx.scope)} order by id`.execute(
    ctx.tx,
  );
  if (rows.length === 0) throw notFound("这次修改");
  const nodes = new Map((await nodesOf(ctx, rows)).map((node) => [node.item_id, node]));
  const own = await overridesAt(ctx.tx, namespace, [...nodes.keys()]);
  const same = rows.filter(
    (row) => (own.find((one) => one.item_id === row.item_id && one.ckey === row.ckey)?.value ?? null) === row.to_value,
  );
  const steps = same.map((row) => {
    const node = nodes.get(row.item_id);
    if (!node) throw notFound("节点");
    mustWrite(ctx.scope, node);
    return { node, key: settable(keys, row.ckey, row.from_value, node), value: row.from_value };
  });
  return finish(ctx, namespace, steps, rows.length - same.length);
}

function settable(keys: readonly ConfigKey[], ckey: string, value: ConfigValue | null, node: TreeNode): ConfigKey {
  const key = keys.find((one) => one.ckey === ckey);
  if (!key) throw invalid(ckey, `没有名为 ${ckey} 的设置项`);
  if (!key.levels.includes(node.item_type)) throw invalid(ckey, `${key.name}不能在这一级设置`);
  const wrong = value === null ? undefined : wrongValue(key, value);
  if (wrong !== undefined) throw invalid(ckey, wrong);
  return key;
}
async function finish(
  ctx: Reading,
  namespace: Namespace["namespace"],
  planned: readonly Omit<PlannedStep, "now">[],
  kept: number,
): Promise<SavePlan> {
  const own = await overridesAt(ctx.tx, namespace, [...new Set(planned.map(({ node }) => node.item_id))]);
  const at = new Map(own.map((one) => [`${one.item_id} ${one.ckey}`, one]));
  const steps = planned.map((step) => ({ ...step, now: at.get(`${step.node.item_id} ${step.key.ckey}`) }));
  const hash = createHash("sha256");
  for (const { node, key, now } of steps.toSorted((a, b) => (a.node.item_id + a.key.ckey < b.node.item_id + b.key.ckey ? -1 : 1)))
    hash.update(`${node.item_id} ${key.ckey} ${now?.save_id ?? "-"}\n`);
  return { steps, tag: hash.digest("base64url").slice(0, 32), kept };
}
