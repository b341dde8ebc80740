import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { AMOUNT_DAYS, AMOUNT_ROWS, MOST_OF_A_KIND } from "../../find/contract/index.ts";
import type { Found, Hit, Sought } from "../../find/server/index.ts";

/** So many digits in a row find inside a number. */
const INSIDE = 6;
/** So many that can match are looked at, those made last (their ids follow time), and so many of the newest of the caller's own: what came just now, and what hardly tells. */
const MOST = 2_000;
const NEWEST = 300;

/** What of a text is a part of a number: its digits, without the letter that ours begin with; undefined where it is none. */
export function partOf(text: string): string | undefined {
  const bare = text.replaceAll(/\s/g, "");
  const digits = /^[PRpr]?(\d{4,40})$/.exec(bare)?.[1];
  return digits ?? (/^[\w-]{6,64}$/.test(bare) && /\d/.test(bare) ? bare : undefined);
}

/** Windows of five digits at every second place, beginning with the first or the second, as app.digit_grams makes them. */
const gramsFrom = (digits: string, first: 0 | 1): string =>
  Array.from({ length: Math.floor((digits.length - 3 - first) / 2) }, (_none, at) =>
    Number(digits.slice(first + at * 2, first + at * 2 + 5)),
  ).join(",");

/**
 * That the order or refund of an alias (`o`, `r`) may hold these digits in one of its numbers; whether it does is looked at afterwards.
 * `recent`: so many can match, at all merchants of the provider, that only those made last are looked at.
 */
export async function heldBy(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  kind: "order" | "refund",
  part: string,
): Promise<{ readonly where: RawBuilder<boolean>; readonly recent: boolean }> {
  const [alias, table] = kind === "order" ? ["o", "pay_orders"] : ["r", "refunds"];
  if (!/^\d+$/.test(part) || part.length < INSIDE) return { where: sql<boolean>`false`, recent: false };
  const { rows } = await sql<{ id: string }>`select n.id from number_search n
    where n.kind = ${kind} and n.service_provider_id = coalesce(${scope.provider ?? null}::uuid, n.service_provider_id)
      and (n.grams @> ${`{${gramsFrom(part, 0)}}`}::int[] or n.grams @> ${`{${gramsFrom(part, 1)}}`}::int[])
    order by n.id desc limit ${sql.lit(MOST)}`.execute(tx);
  const newest = sql`select y.id from ${sql.table(table)} y where ${inScope(scope, "y")} order by y.created_at desc, y.id desc limit ${sql.lit(NEWEST)}`;
  return {
    where: sql<boolean>`${sql.ref(`${alias}.id`)} = any(${`{${rows.map(({ id }) => id).join(",")}}`}::uuid[] || array(${newest}))`,
    recent: rows.length === MOST,
  };
}
/** How near a part is to the whole: all of it, its beginning or its end, or somewhere inside. */
export function nearOf(numbers: readonly string[], part: string): 0 | 1 | 2 {
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
