import { sql, type RawBuilder } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";

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
