import { sql, type RawBuilder } from "kysely";
import { implement, type Route } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { after, page } from "@zhangfang/server/lists/keyset.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { type NodeRef, PLATFORM_ID } from "../contract/index.ts";
import type { Namespace } from "./namespace.ts";
import { KINDS, kindsFor, type Named, nodesOf, PLATFORM, readNodes, type Reading, type TreeNode } from "./nodes.ts";

const PAGE = 100;
const FOUND = 20;

/** How many keys have a value of their own at a node. */
export async function ownKeys(tx: Transaction, namespace: Namespace["namespace"], id: string): Promise<number> {
  return (await countOwn(tx, namespace, [id])).get(id) ?? 0;
}
async function countOwn(tx: Transaction, namespace: Namespace["namespace"], ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ item_id: string; n: number }>`select item_id, count(*)::int as n from config_overrides
    where namespace = ${namespace} and item_id = any(${`{${ids.join(",")}}`}::uuid[]) group by item_id`.execute(tx);
  return new Map(rows.map(({ item_id, n }) => [item_id, n]));
}

/** The children of a node, in the order of their numbers. */
async function childrenOf(ctx: Reading, named: Named, cursor: string | undefined): Promise<TreeNode[]> {
  const [parent] = await nodesOf(ctx, [named]);
  if (!parent || parent.item_type === 0) throw invalid("item_type", "设备之下没有节点");
  const kind = (parent.item_type - 1) as 0 | 1 | 2 | 3;
  const { alias, number } = KINDS[kind];
  const inside: Readonly<Record<number, RawBuilder<boolean>>> = {
    3: sql<boolean>`true`,
    2: sql<boolean>`m.service_provider_id = ${parent.item_id}`,
    1: sql<boolean>`s.service_provider_id = ${parent.service_provider_id} and s.merchant_id = ${parent.item_id}`,
    0: sql<boolean>`d.service_provider_id = ${parent.service_provider_id} and d.store_id = ${parent.item_id}`,
  };
  const where = sql<boolean>`${inside[kind]} and ${after(cursor, `${alias}.${number}`, `${alias}.id`, "text", false)}`;
  return readNodes(ctx.tx, ctx.scope, kind, { where, limit: PAGE + 1 });
}
/** Nodes of every kind whose name or number holds a word. */
async function searched(tx: Transaction, scope: Scope, keyword: string): Promise<TreeNode[]> {
  const found: TreeNode[] = [];
  for (const kind of kindsFor(scope)) {
    const { alias, name, number } = KINDS[kind];
    const where = sql<boolean>`(${sql.ref(`${alias}.${name}`)} ilike ${likeText(keyword)} or ${sql.ref(`${alias}.${number}`)} = ${keyword})`;
    found.push(...(await readNodes(tx, scope, kind, { where, limit: FOUND })));
  }
  return found;
}
/** Where the caller's own tree begins. */
async function roots(ctx: Reading): Promise<TreeNode[]> {
  const { scope } = ctx;
  if (scope.level === "ADMIN" || scope.level === "PLATFORM") return [PLATFORM];
  const own: NodeRef =
    scope.level === "SP" ? { item_type: 3, item_id: scope.provider ?? "" } : { item_type: 2, item_id: scope.merchant ?? "" };
  return nodesOf(ctx, [own]);
}

/** 层级: the tree level by level, or what a keyword finds anywhere in it. */
export const readTree = ({ namespace, calls }: Namespace): Route =>
  implement(calls.tree, async (ctx, { item_type, item_id, keyword, cursor }) => {
    const rows = keyword
      ? await searched(ctx.tx, ctx.scope, keyword)
      : item_type === undefined
        ? await roots(ctx)
        : await childrenOf(ctx, { item_type, item_id: item_id ?? PLATFORM_ID }, cursor);
    const { items, next } = page(rows, keyword ? rows.length : PAGE, (node) => ({ value: node.item_number, id: node.id }));
    const counts = await countOwn(
      ctx.tx,
      namespace,
      items.map(({ item_id: one }) => one),
    );
    return { items: items.map((node) => ({ ...node, own_keys: counts.get(node.item_id) ?? 0, leaf: node.item_type === 0 })), next };
  });
