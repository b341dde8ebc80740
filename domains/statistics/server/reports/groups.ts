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
/** One group as the database answers it: its keys, its sums, and `b_…` those of the span before, where there is one. */
export type Group = ReportSums & { readonly [Name in keyof ReportSums as `b_${Name}`]?: number } & {
  readonly key: string;
  readonly split_key: string | null;
  /** Whose provider the node is. */
  readonly sp: string | null;
};
type Name = keyof ReportSums;
const isValue = (name: Name): boolean => VALUE_SUMS.includes(name as ValueSum);
const NAMES = [...Object.keys(NOTHING), ...VALUE_SUMS] as readonly Name[];
const summed = (names: readonly Name[], only: string, as: string) =>
  names.map((name) => `coalesce(sum(f.${name})${only}, 0)::bigint as ${as}${name}`);
const none = (names: readonly Name[], as: string) => names.map((name) => `0::bigint as ${as}${name}`);
const one = (names: readonly Name[]) => summed(names, "", "");
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
  const own = (name: Name): boolean => (of === undefined ? !isValue(name) : name === of);
  const from = (name: Name) => `${sign < 0 ? "-" : ""}sum(t.${of === undefined ? name : "cents"})`;
  return sql.raw(names.map((name) => `${own(name) ? `(${from(name)})` : "0"}::bigint as ${name}`).join(", "));
}

/**
 * The groups of a question, as a select. Each piece is added up by itself; the groups are made of that, without those that come to nothing.
 * @param names the sums that are asked for, and by which a group has come to nothing: the counts among them, or those of members' value alone
 */
export function groupsOf(
  { scope, filter, by, span, before, only, goods = by.includes("product") }: Question,
  names = NAMES,
): RawBuilder<Group> {
  const [first, splitBy] = by;
  const asked = { scope, filter, by, goods };
  const takings = names.some((name) => !isValue(name));
  const pieces = (of: Span, shift_days: number, earlier: boolean) =>
    (of.from > of.to ? [] : [...(takings ? piecesOf(asked, of, shift_days) : []), ...valuePiecesOf(asked, of, shift_days)]).map(
      (piece) => [piece, earlier] as const,
    );
  const all = [...pieces(span, 0, false), ...(before ? pieces(before.span, before.shift_days, true) : [])];
  // Value that no piece tells of is nothing, and is not added up group by group.
  const told = names.filter((name) => !isValue(name) || all.some(([{ of }]) => of === name));
  const untold = names.filter((name) => !told.includes(name));
  const parts = all.map(
    ([piece, earlier]) => sql`select ${first ? keyOf(first, piece) : sql`0`} as k1, ${splitBy ? keyOf(splitBy, piece) : sql`0`} as k2,
        ${providerOf(by)} as sp, ${sql.lit(earlier)} as earlier, ${sumsOf(told, piece)}
      from ${piece.from} where ${piece.where}${only ? sql` and ${among(only.by, only.keys)}` : sql``} group by 1, 2, 3`,
  );
  const sums = [...(before ? both : one)(told), ...none(untold, ""), ...(before ? none(untold, "b_") : [])].join(", ");
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
/** The same of a question whose groups are known already: their takings are added up, and members' value alone is asked for. */
export async function totalOfGroups(tx: Transaction, question: Question, groups: readonly Group[]): ReturnType<typeof totalOf> {
  const whole = { ...question, by: [], goods: question.by.includes("product") };
  const { rows } = knowsValue(whole) ? await groupsOf(whole, VALUE_SUMS).execute(tx) : { rows: [] };
  const sums = NAMES.flatMap((name) => [name, `b_${name}` as const]).map((name) => {
    const from: readonly Group[] = isValue(name.replace("b_", "") as Name) ? rows : groups;
    return [name, from.reduce((sum, row) => sum + (row[name] ?? 0), 0)] as const;
  });
  return shownOf(whole, { ...NO_GROUP, ...Object.fromEntries(sums) });
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
  ...NAMES.map((name) => [name, 0] as const),
]) as unknown as Group;
/** The sums of a group's span before. */
export const earlierOf = (row: Group): ReportSums =>
  Object.fromEntries(NAMES.map((name) => [name, row[`b_${name}`] ?? 0])) as unknown as ReportSums;
/** Groups `g` along the days with what is owed at the end of each, not what each adds to it. */
export function runningOf(question: Question): RawBuilder<Group> {
  const groups = groupsOf(question);
  if (!runs(question)) return groups;
  const columns = NAMES.flatMap((name) => (question.before ? [name, `b_${name}`] : [name])).map((name) =>
    name.endsWith("owed_cents") ? `(sum(x.${name}) over (order by x.key))::bigint as ${name}` : `x.${name}`,
  );
  return sql<Group>`select x.key, x.split_key, x.sp, ${sql.raw(columns.join(", "))} from (${groups}) x`;
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
