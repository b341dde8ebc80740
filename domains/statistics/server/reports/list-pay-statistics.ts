import { sql, type RawBuilder } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { after, page, totalOf } from "@zhangfang/server/lists/keyset.ts";
import { type Dimension, isTime, listPayStatistics } from "../../contract/index.ts";
import { drillsOf, narrowTo, questionOf } from "./ask.ts";
import { nameOf, nodeName } from "./dimensions.ts";
import { countGroups, fillPage, partsOf } from "./fill-page.ts";
import { type Group, type Question, runningOf, shownOf as figuresOf, SORTED } from "./groups.ts";

type Found = Group & {
  readonly id: string;
  readonly sort: string | number;
  readonly name: string | null;
  readonly split_name: string | null;
  readonly groups: number;
};

/** 支付统计: one page of groups, with what each is held against and the way to its rows. */
export const listPayStatisticsRoute = implement(listPayStatistics, async (ctx, { cursor, pageSize, sort, withTotal, ...asked }) => {
  const question = questionOf(ctx.scope, asked);
  const find = async (of: Question) => (await foundBy(of, { sort, cursor, limit: pageSize + 1 }).execute(ctx.tx)).rows;
  const parts = await partsOf(ctx.tx, question, sort);
  const rows = parts ? await fillPage(parts, cursor, pageSize, find) : await find(question);
  const { items, next } = page(rows, pageSize, (row) => ({ value: row.sort, id: row.id }));
  return {
    items: items.map((row) => rowOf(question, row)),
    next,
    ...(withTotal && { total: totalOf(parts ? await countGroups(ctx.tx, parts) : (rows[0]?.groups ?? 0)) }),
  };
});

/** The groups of a question in the order that is asked for, with their names. */
export function foundBy(
  question: Question,
  { sort, cursor, limit }: { readonly sort: string; readonly cursor?: string | undefined; readonly limit?: number },
): RawBuilder<Found> {
  const [by, splitBy] = question.by;
  const order = sortOf(sort, question.by);
  const many = question.scope.merchant === undefined && question.filter.merchantId === undefined;
  const direction = sql.raw(order.descending ? "desc" : "asc");
  return sql<Found>`
    with g as materialized (${runningOf(question)}),
    s as (select g.*, md5(g.key || '/' || coalesce(g.split_key, ''))::uuid as id, ${order.value} as sort, (select count(*)::int from g) as groups from g),
    p as (select * from s where ${after(cursor, "s.sort", "s.id", order.type, order.descending)}
      order by sort ${direction}, id ${direction} ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`}),
    ${namesOf("n1", "key", nodeName(by, "key", many))}, ${namesOf("n2", "split_key", nodeName(splitBy, "split_key", many))}
    select p.*, n1.name, n2.name as split_name from p
      left join n1 on n1.key = p.key and n1.of = coalesce(p.sp, ${NOBODY}) left join n2 on n2.key = p.split_key and n2.of = coalesce(p.sp, ${NOBODY})
    order by p.sort ${direction}, p.id ${direction}`;
}

const NOBODY = sql`'00000000-0000-0000-0000-000000000000'::uuid`;
/** Each name is looked up once, however many rows bear it: a file has hundreds of thousands. */
const namesOf = (as: string, key: "key" | "split_key", name: RawBuilder<string | null>) => sql`${sql.ref(as)} as materialized (
      select ${sql.ref(`p.${key}`)} as key, coalesce(p.sp, ${NOBODY}) as of, ${name} as name from (select distinct ${sql.ref(key)}, sp from p) p)`;

/** A found group as the screen shows it: with the way to its rows. */
function rowOf(question: Question, row: Found) {
  const [by, splitBy] = question.by;
  const keys = [...(by ? [[by, row.key] as const] : []), ...(splitBy ? [[splitBy, row.split_key ?? ""] as const] : [])];
  const filter = narrowTo(question, keys);
  return { ...shownOf(question, row), filter, drill: drillsOf(filter) };
}
/** A found group as screen and file show it. */
export function shownOf(question: Question, row: Found) {
  const [by, splitBy] = question.by;
  const { current, before } = figuresOf(question, row);
  return {
    id: row.id,
    key: row.key,
    name: by ? nameOf(by, row.key, row.name, question.span) : "合计",
    splitKey: splitBy ? (row.split_key ?? "") : null,
    splitName: splitBy ? nameOf(splitBy, row.split_key ?? "", row.split_name, question.span) : null,
    ...current,
    before,
  };
}

interface Order {
  readonly value: RawBuilder<unknown>;
  readonly type: "text" | "bigint";
  readonly descending: boolean;
}
function sortOf(sort: string, by: readonly Dimension[]): Order {
  const name = sort.replace(/^-/, "");
  const figure = SORTED[name];
  if (figure !== undefined) return { value: sql.raw(figure), type: "bigint", descending: sort.startsWith("-") };
  const [first = "day", splitBy] = by;
  if (name === "key")
    return {
      value: sql`(lpad(g.key, 10, '0') || coalesce(lpad(g.split_key, 10, '0'), '')) collate "C"`,
      type: "text",
      descending: sort.startsWith("-"),
    };
  return {
    value: sql`(${usual(first, "key", true)} || ${splitBy ? usual(splitBy, "split_key", false) : sql`''`}) collate "C"`,
    type: "text",
    descending: true,
  };
}
/** The newest day first but the earliest hour; else who took most, all rows of one group together. Amounts as text of one width. */
function usual(by: Dimension, key: "key" | "split_key", whole: boolean): RawBuilder<string> {
  const own = sql.ref(`g.${key}`);
  if (by === "hour" || by === "weekday") return sql<string>`lpad((99 - ${own}::int)::text, 2, '0')`;
  if (isTime(by)) return sql<string>`${own}`;
  const paid = whole ? sql`sum(g.paid_cents) over (partition by ${own})` : sql`g.paid_cents`;
  return sql<string>`lpad((${paid} + 9000000000000000)::bigint::text, 17, '0') || ${own}`;
}
