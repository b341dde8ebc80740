import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { firstFence, inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { itemType, type ItemType, PLATFORM_ID, type NodeRef } from "../contract/index.ts";

/** A node with the nodes that it lies in. */
export interface TreeNode {
  readonly id: string;
  readonly item_type: ItemType;
  readonly item_id: string;
  readonly item_name: string;
  /** Its number, a device's serial number. */
  readonly item_number: string;
  readonly service_provider_id: string | null;
  readonly service_provider_name: string | null;
  readonly merchant_id: string | null;
  readonly merchant_name: string | null;
  readonly store_id: string | null;
  readonly store_name: string | null;
}
export const PLATFORM: TreeNode = {
  id: PLATFORM_ID,
  item_type: 4,
  item_id: PLATFORM_ID,
  item_name: "平台",
  item_number: "",
  service_provider_id: null,
  service_provider_name: null,
  merchant_id: null,
  merchant_name: null,
  store_id: null,
  store_name: null,
};
const seesAll = (scope: Scope): boolean => scope.level === "PLATFORM" || scope.level === "ADMIN";
const ALL = sql<boolean>`true`;

/** How each kind of node is read: what it is joined from, its own name and number, and the fence over it. */
export const KINDS: Readonly<
  Record<
    0 | 1 | 2 | 3,
    { readonly alias: string; readonly name: string; readonly number: string; readonly inSight: (scope: Scope) => RawBuilder<boolean> }
  >
> = {
  3: {
    alias: "p",
    name: "short_name",
    number: "number",
    inSight: (scope) => (!firstFence.on || seesAll(scope) ? ALL : sql<boolean>`p.id = ${scope.provider ?? null}`),
  },
  2: {
    alias: "m",
    name: "short_name",
    number: "number",
    inSight: (scope) => inScope(scope, "m", scope.level === "SP" ? "full" : "merchant"),
  },
  1: { alias: "s", name: "short_name", number: "number", inSight: (scope) => inScope(scope, "s", "store") },
  0: { alias: "d", name: "name", number: "sn", inSight: (scope) => sql<boolean>`d.state = 'active' and ${inScope(scope, "d", "store")}` },
};
const TABLES = {
  3: sql`service_providers p`,
  2: sql`merchants m join service_providers p on p.id = m.service_provider_id`,
  1: sql`stores s join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id join service_providers p on p.id = s.service_provider_id`,
  0: sql`devices d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id
    join merchants m on m.service_provider_id = d.service_provider_id and m.id = d.merchant_id join service_providers p on p.id = d.service_provider_id`,
} as const;

/** The kinds of nodes that a level may name: a provider's own is not a merchant's, though it reads its name. */
export const kindsFor = (scope: Scope): readonly (0 | 1 | 2 | 3)[] => (seesAll(scope) || scope.level === "SP" ? [3, 2, 1, 0] : [2, 1, 0]);

/** The nodes of one kind that a condition leaves, within the scope. */
export async function readNodes(
  tx: Transaction,
  scope: Scope,
  kind: 0 | 1 | 2 | 3,
  { where, limit }: { readonly where: RawBuilder<boolean>; readonly limit: number },
): Promise<TreeNode[]> {
  const { alias, name, number, inSight } = KINDS[kind];
  const column = (has: number, text: string) => sql.raw(kind <= has ? text : "null");
  const { rows } = await sql<TreeNode>`
    select ${sql.ref(`${alias}.id`)} as id, ${sql.lit(kind)}::int as item_type, ${sql.ref(`${alias}.id`)} as item_id, ${sql.ref(`${alias}.${name}`)} as item_name,
      ${sql.ref(`${alias}.${number}`)} as item_number,
      p.id as service_provider_id, p.short_name as service_provider_name, ${column(2, "m.id")}::uuid as merchant_id, ${column(2, "m.short_name")}::text as merchant_name,
      ${column(1, "s.id")}::uuid as store_id, ${column(1, "s.short_name")}::text as store_name
    from ${TABLES[kind]} where ${inSight(scope)} and ${where}
    order by ${sql.ref(`${alias}.${number}`)}, ${sql.ref(`${alias}.id`)} limit ${sql.lit(limit)}`.execute(tx);
  return rows;
}

/** What a reading or a writing of the tree needs of its call. */
export type Reading = Pick<Ctx, "tx" | "scope" | "services">;
/** A node as a caller names it, before its type was looked at. */
export interface Named {
  readonly item_type: number;
  readonly item_id: string;
}
/** @throws 400 for a type that the tree does not know, which is logged as an error (spec.md section 3) */
export function knownType({ services }: Pick<Ctx, "services">, type: number): ItemType {
  const known = itemType.values.find((one) => one === type);
  if (known === undefined) {
    services.log.error({ item_type: type }, "unknown item type");
    throw invalid("item_type", `未知的层级类型 ${type}`);
  }
  return known;
}

/**
 * The nodes that somebody names, in the order named.
 * @throws 400 for an unknown type, 404 where one is not in sight, 403 for the platform's where the caller is below it
 */
export async function nodesOf(ctx: Reading, named: readonly Named[]): Promise<TreeNode[]> {
  const { tx, scope } = ctx;
  for (const { item_type } of named) knownType(ctx, item_type);
  const found = new Map<string, TreeNode>();
  if (named.some((node) => node.item_type === 4)) {
    if (!seesAll(scope)) throw new Refusal(403, "forbidden", "不能查看或修改上级的设置");
    found.set(PLATFORM_ID, PLATFORM);
  }
  for (const kind of kindsFor(scope)) {
    const ids = named.flatMap((node) => (node.item_type === kind ? [node.item_id] : []));
    if (ids.length === 0) continue;
    const where = sql<boolean>`${sql.ref(`${KINDS[kind].alias}.id`)} = any(${`{${ids.join(",")}}`}::uuid[])`;
    for (const node of await readNodes(tx, scope, kind, { where, limit: ids.length })) found.set(node.item_id, node);
  }
  return named.map((node) => {
    const one = found.get(node.item_id);
    if (one?.item_type !== node.item_type) throw notFound("节点");
    return one;
  });
}

/** The node and what it lies in, the platform last. */
export function chainOf(node: TreeNode): (NodeRef & { readonly item_name: string })[] {
  const at = (item_type: ItemType, item_id: string | null, item_name: string | null) =>
    item_id !== null && node.item_type <= item_type ? [{ item_type, item_id, item_name: item_name ?? "" }] : [];
  return [
    ...(node.item_type === 0 ? at(0, node.item_id, node.item_name) : []),
    ...at(1, node.store_id, node.store_name),
    ...at(2, node.merchant_id, node.merchant_name),
    ...at(3, node.service_provider_id, node.service_provider_name),
    { item_type: 4, item_id: PLATFORM_ID, item_name: PLATFORM.item_name },
  ];
}

/** The first fence over changes `c`: those in the caller's own tree, none of what stands above it. */
export const changesInScope = (scope: Scope): RawBuilder<boolean> =>
  inScope(scope, "c", scope.stores === undefined && scope.level === "MCH" ? "merchant" : "store");

/** A level writes at itself and below it; an account narrowed to stores writes at those. @throws 403 */
export function mustWrite(scope: Scope, node: TreeNode): void {
  if (seesAll(scope) || scope.level === "SP") return;
  if (scope.level === "MCH" && (scope.stores === undefined || (node.store_id !== null && scope.stores.includes(node.store_id)))) return;
  throw new Refusal(403, "forbidden", "不能修改上级的设置");
}
