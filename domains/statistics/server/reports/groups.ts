import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import type { Dimension, ReportFigures, Span } from "../../contract/index.ts";
import { NOTHING, type ReportSums, reportFiguresOf } from "../takings/figures.ts";
import { columnOf, isNode, keyOf, textOf } from "./dimensions.ts";
import { type Piece, VALUE_SUMS, type ValueSum } from "./piece.ts";
import { piecesOf, type TakingsFilter } from "./source.ts";
import { knowsBalance, knowsValue, runs, valuePiecesOf } from "./value-pieces.ts";

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
export type Group = ReportSums & { readonly [Name in keyof ReportSums as `b_${Name}`]: number } & {
  readonly key: string;
  readonly split_key: string | null;
  /** Whose provider the node is. */
  readonly sp: string | null;
};
type Name = keyof ReportSums;
const NAMES = [...Object.keys(NOTHING), ...VALUE_SUMS] as readonly Name[];
const summed = (names: readonly Name[], only: string, as: string) =>
  names.map((name) => `coalesce(sum(f.${name})${only}, 0)::bigint as ${as}${name}`);
const none = (names: readonly Name[], as: string) => names.map((name) => `0::bigint as ${as}${name}`);
const one = (names: readonly Name[]) => [...summed(names, "", ""), ...none(names, "b_")];
const both = (names: readonly Name[]) => [
  ...summed(names, " filter (where not f.earlier)", ""),
  ...summed(names, " filter (where f.earlier)", "b_"),
];
/** What a group must have of, or it came to nothing. */
const MOVING: readonly Name[] = ["pay_count", "refund_count", ...VALUE_SUMS];
const moved = (names: readonly Name[]) =>
  sql.raw(
    MOVING.filter((name) => names.includes(name))
      .flatMap((name) => [`sum(f.${name}) filter (where not f.earlier) <> 0`, `sum(f.${name}) filter (where f.earlier) <> 0`])
      .join(" or "),
  );
/** The sums of a piece: of takings without members' value, or of that value alone. */
function sumsOf(names: readonly Name[], { sign, of }: Piece): RawBuilder<unknown> {
  const own = (name: Name): boolean => (of === undefined ? !VALUE_SUMS.includes(name as ValueSum) : name === of);
  const from = (name: Name) => `${sign < 0 ? "-" : ""}sum(t.${of === undefined ? name : "cents"})`;
  return sql.raw(names.map((name) => `${own(name) ? `(${from(name)})` : "0"}::bigint as ${name}`).join(", "));
}

/**
 * The groups of a question, as a select. Each piece is added up by itself; the groups are made of that, without those that come to nothing.
 * @param names the sums that are asked for, among them both counts
 */
export function groupsOf(
  { scope, filter, by, span, before, only, goods = by.includes("product") }: Question,
  names = NAMES,
): RawBuilder<Group> {
  const [first, splitBy] = by;
  const asked = { scope, filter, by, goods };
  const pieces = (of: Span, shift_days: number, earlier: boolean) =>
    (of.from > of.to ? [] : [...piecesOf(asked, of, shift_days), ...valuePiecesOf(asked, of, shift_days)]).map(
      (piece) => [piece, earlier] as const,
    );
  const all = [...pieces(span, 0, false), ...(before ? pieces(before.span, before.shift_days, true) : [])];
  // Value that no piece tells of is nothing, and is not added up group by group.
  const told = names.filter((name) => !VALUE_SUMS.includes(name as ValueSum) || all.some(([{ of }]) => of === name));
  const untold = names.filter((name) => !told.includes(name));
  const parts = all.map(
    ([piece, earlier]) => sql`select ${first ? keyOf(first, piece) : sql`0`} as k1, ${splitBy ? keyOf(splitBy, piece) : sql`0`} as k2,
        ${providerOf(by)} as sp, ${sql.lit(earlier)} as earlier, ${sumsOf(told, piece)}
      from ${piece.from} where ${piece.where}${only ? sql` and ${among(only.by, only.keys)}` : sql``} group by 1, 2, 3`,
  );
  const sums = [...(before ? both : one)(told), ...none(untold, ""), ...none(untold, "b_")].join(", ");
  return sql<Group>`select ${first ? textOf(first, sql`f.k1`) : sql`''`} as key, ${splitBy ? textOf(splitBy, sql`f.k2`) : sql`null::text`} as split_key, f.sp,
      ${sql.raw(sums)} from (${sql.join(parts, sql` union all `)}) f group by f.k1, f.k2, f.sp having ${moved(told)}`;
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
export async function totalOf(tx: Transaction, question: Question): Promise<{ current: ReportFigures; before: ReportFigures | null }> {
  const whole = { ...question, by: [], goods: question.by.includes("product") };
  const { rows } = await groupsOf(whole).execute(tx);
  return shownOf(whole, rows[0]);
}
/** The figures of a group, and of its span before; of none where it came to nothing. */
export function shownOf(question: Question, row: Group | undefined): { current: ReportFigures; before: ReportFigures | null } {
  const asked = { ...question, goods: question.goods ?? question.by.includes("product") };
  const known = { value: knowsValue(asked), balance: knowsBalance(asked) };
  const sums = row ?? NO_GROUP;
  return { current: reportFiguresOf(sums, known), before: question.before ? reportFiguresOf(earlierOf(sums), known) : null };
}
/** The sums of a group in which nothing happened. */
export const NO_GROUP = Object.fromEntries([
  ["key", ""],
  ["split_key", null],
  ["sp", null],
  ...NAMES.flatMap((name) => [[name, 0] as const, [`b_${name}`, 0] as const]),
]) as unknown as Group;
/** The sums of a group's span before. */
export const earlierOf = (row: Group): ReportSums =>
  Object.fromEntries(NAMES.map((name) => [name, row[`b_${name}`]])) as unknown as ReportSums;
/** Groups `g` along the days with what is owed at the end of each, not what each adds to it. */
export function runningOf(question: Question): RawBuilder<Group> {
  const groups = groupsOf(question);
  if (!runs(question)) return groups;
  const kept = NAMES.flatMap((name) => [name, `b_${name}`]).filter((name) => !name.endsWith("owed_cents"));
  return sql<Group>`select x.key, x.split_key, x.sp, ${sql.raw(kept.map((name) => `x.${name}`).join(", "))},
    (sum(x.owed_cents) over (order by x.key))::bigint as owed_cents, (sum(x.b_owed_cents) over (order by x.key))::bigint as b_owed_cents from (${groups}) x`;
}
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
  rechargeCents: "g.recharge_cents",
  cardCents: "(g.times_cents + g.level_cents)",
};
