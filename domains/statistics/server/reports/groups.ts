import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import type { Dimension, Figures, Span } from "../../contract/index.ts";
import { figuresOf, NOTHING, type Sums } from "../takings/figures.ts";
import { summedAs } from "../takings/standing-of.ts";
import { columnOf, isNode, keyOf, textOf } from "./dimensions.ts";
import { piecesOf, type TakingsFilter } from "./source.ts";

/** What is asked: whose takings, told apart by what, and the span that they are held against. */
export interface Question {
  readonly scope: Scope;
  readonly filter: TakingsFilter;
  readonly by: readonly Dimension[];
  readonly span: Span;
  readonly before?: { readonly span: Span; readonly shift_days: number } | undefined;
  /** Whether only what was sold of goods counts, as where they are told apart. */
  readonly goods?: boolean;
  /** Some nodes of the first dimension alone; an empty key is those that belong to none. */
  readonly only?: { readonly by: Dimension; readonly keys: readonly string[] } | undefined;
}
/** One group as the database answers it: its keys, its sums, and `b_…` those of the span before. */
export type Group = Sums & { readonly [Name in keyof Sums as `b_${Name}`]: number } & {
  readonly key: string;
  readonly split_key: string | null;
  /** Whose provider the node is. */
  readonly sp: string | null;
};
const NAMES = Object.keys(NOTHING) as readonly (keyof Sums)[];
const summed = (names: readonly (keyof Sums)[], only: string, as: string) =>
  names.map((name) => `coalesce(sum(f.${name})${only}, 0)::bigint as ${as}${name}`).join(", ");
const one = (names: readonly (keyof Sums)[]) =>
  sql.raw(`${summed(names, "", "")}, ${names.map((name) => `0::bigint as b_${name}`).join(", ")}`);
const both = (names: readonly (keyof Sums)[]) =>
  sql.raw(`${summed(names, " filter (where not f.earlier)", "")}, ${summed(names, " filter (where f.earlier)", "b_")}`);
const MOVED = sql`sum(f.pay_count) filter (where not f.earlier) <> 0 or sum(f.refund_count) filter (where not f.earlier) <> 0
  or sum(f.pay_count) filter (where f.earlier) <> 0 or sum(f.refund_count) filter (where f.earlier) <> 0`;

/**
 * The groups of a question, as a select. Each piece is added up by itself; the groups are made of that, without those that come to nothing.
 * @param names the sums that are asked for, among them both counts
 */
export function groupsOf(
  { scope, filter, by, span, before, only, goods = by.includes("product") }: Question,
  names = NAMES,
): RawBuilder<Group> {
  const [first, splitBy] = by;
  const part = (of: Span, shift_days: number, earlier: boolean) =>
    (of.from > of.to ? [] : piecesOf({ scope, filter, by, goods }, of, shift_days)).map(
      (piece) => sql`select ${first ? keyOf(first, piece) : sql`0`} as k1, ${splitBy ? keyOf(splitBy, piece) : sql`0`} as k2,
        ${providerOf(by)} as sp, ${sql.lit(earlier)} as earlier, ${summedAs(names, piece.sign)}
      from ${piece.from} where ${piece.where}${only ? sql` and ${among(only.by, only.keys)}` : sql``} group by 1, 2, 3`,
    );
  const parts = [...part(span, 0, false), ...(before ? part(before.span, before.shift_days, true) : [])];
  return sql<Group>`select ${first ? textOf(first, sql`f.k1`) : sql`''`} as key, ${splitBy ? textOf(splitBy, sql`f.k2`) : sql`null::text`} as split_key, f.sp,
      ${(before ? both : one)(names)} from (${sql.join(parts, sql` union all `)}) f group by f.k1, f.k2, f.sp having ${MOVED}`;
}
/** Whether a row belongs to one of some nodes, or to none. */
function among(by: Dimension, keys: readonly string[]): RawBuilder<boolean> {
  const column = sql.ref(`t.${columnOf(by) ?? ""}`);
  const ids = keys.filter((key) => key !== "");
  return sql<boolean>`(${column} = any(${`{${ids.join(",")}}`}::uuid[])${ids.length < keys.length ? sql` or ${column} is null` : sql``})`;
}

/** What belongs to no node is one group, whatever its provider. */
function providerOf(by: readonly Dimension[]): RawBuilder<unknown> {
  if (by.includes("product")) return sql`t.service_provider_id`;
  const nodes = by.filter(isNode).map((one) => sql.ref(`t.${columnOf(one) ?? ""}`));
  return nodes.length === 0 ? sql`null::uuid` : sql`case when coalesce(${sql.join(nodes)}) is not null then t.service_provider_id end`;
}

/** The whole of a question, added up without groups. */
export async function totalOf(tx: Transaction, question: Question): Promise<{ current: Figures; before: Figures | null }> {
  const { rows } = await groupsOf({ ...question, by: [], goods: question.by.includes("product") }).execute(tx);
  const [row] = rows;
  if (!row) return { current: figuresOf(NOTHING), before: question.before ? figuresOf(NOTHING) : null };
  return { current: figuresOf(row), before: question.before ? beforeOf(row) : null };
}
/** The sums of a group's span before. */
export const earlierOf = (row: Group): Sums => Object.fromEntries(NAMES.map((name) => [name, row[`b_${name}`]])) as unknown as Sums;
/** The figures of a group's span before. */
export const beforeOf = (row: Group): Figures => figuresOf(earlierOf(row));
/** What a group is worth to a sort; the names are those of the figures. */
export const SORTED: Readonly<Record<string, string>> = {
  paidCents: "g.paid_cents",
  payCount: "g.pay_count",
  grossCents: "g.gross_cents",
  discountCents: "g.discount_cents",
  storedCents: "(g.gross_cents - g.discount_cents - g.paid_cents)",
  refundCents: "g.refund_cents",
  feeCents: "g.fee_cents",
  netCents: "(g.paid_cents - g.refund_cents - g.fee_cents + g.refund_fee_cents)",
};
