import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { AMOUNT_DAYS, AMOUNT_ROWS, MOST_OF_A_KIND } from "../../find/contract/index.ts";
import type { Found, Hit, Sought } from "../../find/server/index.ts";
import { wholeNumber } from "./filter.ts";

/** So many digits in a row find inside a number. */
const INSIDE = 6;
/** So many that can match are looked at, those made last (their ids follow time), and so many of the newest of the caller's own: what came just now, and what hardly tells. */
const MOST = 2_000;
const NEWEST = 300;

/** A number of ours without its letter. */
const OURS = /^20\d{22}$/;

/** What of a text is a part of a number: its digits, without the letter that ours begin with, or a till's own number (A-12); undefined where it is none. */
export function partOf(text: string): string | undefined {
  const bare = text.replaceAll(/\s/g, "");
  const digits = /^[PRpr]?(\d{4,40})$/.exec(bare)?.[1];
  return digits ?? (/^[\w-]{3,64}$/.test(bare) && /\d/.test(bare) && !/^\d{1,3}$/.test(bare) ? bare : undefined);
}

/** Windows of five digits, as app.digit_grams makes them. */
const gramsOf = (digits: string): number[] => Array.from({ length: digits.length - 4 }, (_none, at) => Number(digits.slice(at, at + 5)));
/** Orders (`o`) or refunds (`r`), as their finder shows them. */
export interface Numbered {
  readonly kind: "order" | "refund";
  /** Among them `id`, `at` and all its `numbers`. */
  readonly columns: RawBuilder<unknown>;
  /** Where its numbers stand. */
  readonly numbers: readonly string[];
  /** The ids that a whole number, or the end of ours, belongs to; each by an index of its own. */
  readonly whole: (scope: Scope, keyword: string) => RawBuilder<unknown>;
}
interface Row {
  readonly id: string;
  readonly at: string;
  readonly numbers: readonly string[];
}

/**
 * What a number means, in three steps of one statement, each for what the one before has not found: the whole number, which ends it where
 * it is a long one; the caller's newest, which is what came just now and what hardly tells; then what the index of digits holds.
 * `recent`: so many can match there that only those made last were looked at.
 */
export async function byNumber<R extends Row>({ tx, scope }: Pick<Ctx, "tx" | "scope">, { text }: Sought, of: Numbered) {
  const part = partOf(text);
  if (part === undefined) return { rows: [], recent: false };
  const { rows } = await sql<R & { readonly looked: number }>`${stepsOf(scope, of, part, text)}`.execute(tx);
  const found = new Map(rows.filter(({ id }) => id !== null).map((row) => [row.id, { ...row, near: nearOf(row.numbers, part) }]));
  return {
    rows: [...found.values()].toSorted(nearestFirst).slice(0, MOST_OF_A_KIND),
    recent: found.size < MOST_OF_A_KIND && rows[0]!.looked === MOST,
  };
}
// A step that nobody needs any more has the limit 0, and is not begun.
function stepsOf(scope: Scope, { kind, columns, numbers, whole }: Numbered, part: string, text: string): RawBuilder<unknown> {
  const [table, alias] = kind === "order" ? ["pay_orders", "o"] : ["refunds", "r"];
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const seen = sql`from ${sql.table(table)} ${sql.ref(alias)} where ${inScope(scope, alias)}`;
  const most = sql.lit(MOST_OF_A_KIND);
  // One after another by their ids: for all of them at once the index of a merchant's newest looks near, and is read whole.
  const each = (such: RawBuilder<unknown>) => sql`lateral (select ${columns} ${seen} and ${column("id")} = n.id ${such} limit 1) x`;
  const ours = OURS.test(part) ? [`${kind === "order" ? "P" : "R"}${part}`] : [];
  const ids = [...new Set([...ours, part, text])].map((keyword) => whole(scope, keyword));
  const first = sql`whole as materialized (select x.* from (select distinct unnest(array(${sql.join(ids, sql` union all `)})) as id) n, ${each(sql``)}
    order by x.at desc limit ${most})`;
  if (!/^\d+$/.test(part) || part.length < INSIDE)
    return sql`with ${first} select 0 as looked, x.* from (values (1)) v left join whole x on true`;
  const within = sql`(${sql.join(
    numbers.map((name) => sql`position(${part} in coalesce(${column(name)}, '')) > 0`),
    sql` or `,
  )})`;
  const ended = wholeNumber(part) ? sql`exists (select from whole)` : sql`(select count(*) from whole) = ${most}`;
  return sql`with ${first},
    newest as materialized (select ${columns} from ${newestOf(scope, alias, seen)} ${sql.ref(alias)} where ${within}
      order by ${column("created_at")} desc limit (select case when ${ended} then 0 else ${most} end)),
    n as materialized (${heldBy(scope, kind, part)}
      limit (select case when ${ended} or (select count(*) from newest) = ${most} then 0 else ${sql.lit(MOST)} end))
    select (select count(*)::int from n) as looked, x.* from (values (1)) v left join lateral (
      select * from whole union all select * from newest union all (select x.* from n, ${each(sql`and ${within}`)} limit ${most})) x on true`;
}
/** The newest of the caller's; of some stores each by itself, because among the merchant's newest theirs are far between. */
function newestOf({ stores }: Scope, alias: string, seen: RawBuilder<unknown>): RawBuilder<unknown> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  const last = (such: RawBuilder<unknown>, n: number) =>
    sql`(select * ${seen} ${such} order by ${column("created_at")} desc, ${column("id")} desc limit ${sql.lit(n)})`;
  if (!stores) return last(sql``, NEWEST);
  const of = sql`unnest(${`{${stores.join(",")}}`}::uuid[]) as at (store)`;
  return sql`${of}, lateral ${last(sql`and ${column("store_id")} = at.store`, Math.ceil(NEWEST / Math.max(1, stores.length)))}`;
}
/** The ids that the index of digits holds for a part, those made last first; of a merchant's own alone where one looks. */
const heldBy = ({ provider, merchant }: Scope, kind: Numbered["kind"], part: string): RawBuilder<unknown> => {
  const grams = `{${[...gramsOf(part), ...markOf(merchant)].join(",")}}`;
  return sql`select distinct n.id from number_search n where n.kind = ${sql.lit(kind)} and n.grams @> ${grams}::int[]
    and n.service_provider_id = coalesce(${provider ?? null}::uuid, n.service_provider_id) order by n.id desc`;
};
/** A merchant's mark among the windows of its numbers, as app.merchant_gram makes it. */
const markOf = (merchant: string | undefined): number[] => (merchant === undefined ? [] : [-1 - Number.parseInt(merchant.slice(-7), 16)]);
const nearestFirst = (a: Row & { near: number }, b: Row & { near: number }): number =>
  Math.sign(a.near) - Math.sign(b.near) || (a.at < b.at ? 1 : -1);
/** How near a part is to the whole: all of it, its beginning or its end, or somewhere inside. */
function nearOf(numbers: readonly string[], part: string): 0 | 1 | 2 {
  const bare = numbers.map((number) => number.replace(/^[PR]/, ""));
  if (bare.includes(part)) return 0;
  return bare.some((number) => number.startsWith(part) || number.endsWith(part)) ? 1 : 2;
}
/** The orders (`o`) or refunds (`r`) among which an amount is looked for, newest first. */
export function lately({ scope, now_ms }: Pick<Ctx, "scope" | "now_ms">, kind: "order" | "refund"): RawBuilder<unknown> {
  const [alias, table] = kind === "order" ? ["o", "pay_orders"] : ["r", "refunds"];
  const since = new Date(now_ms - AMOUNT_DAYS * 86_400_000).toISOString();
  return sql`(select * from ${sql.table(table)} ${sql.ref(alias)} where ${inScope(scope, alias)}
    and ${sql.ref(`${alias}.created_at`)} >= ${since} order by ${sql.ref(`${alias}.created_at`)} desc, ${sql.ref(`${alias}.id`)} desc
    limit ${sql.lit(AMOUNT_ROWS)}) ${sql.ref(alias)}`;
}
/** What a number found, then what an amount did; what was looked at of the second is said where the text can be nothing else, or found something. */
export async function withAmount(
  { text, cents }: Sought,
  { hits: numbered, recent }: Found,
  byAmount: (cents: number) => Promise<readonly Hit[]>,
): Promise<Found> {
  if (cents === undefined || numbered.length >= MOST_OF_A_KIND) return { hits: numbered, recent };
  const priced = (await byAmount(cents)).filter(({ to }) => numbered.every((hit) => hit.to !== to));
  return {
    hits: [...numbered, ...priced].slice(0, MOST_OF_A_KIND),
    recent,
    byAmount: priced.length > 0 || partOf(text) === undefined,
  };
}
