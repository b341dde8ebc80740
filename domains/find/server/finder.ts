import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Among, Sought as ByName } from "@zhangfang/server/lists/found-by.ts";
import { asPasted, centsOf, type Days, digitsOf, type foundThing, MOST_OF_A_KIND, readDays } from "../contract/index.ts";

/** What somebody typed, and what it may mean. */
export interface Sought {
  readonly text: string;
  /** Of a number, four or more. */
  readonly digits: string | undefined;
  readonly cents: number | undefined;
  readonly days: Days | undefined;
  /** What the index of names holds of it, for a finder with `by`. */
  readonly among?: Among;
}
export function soughtOf(typed: string, now_ms: number): Sought {
  const text = asPasted(typed);
  return { text, digits: digitsOf(text), cents: centsOf(text), days: readDays(text, shanghaiDay(now_ms)) };
}

/** One thing that was found. Without `near` it is the whole thing; without `acts` it is only opened. */
export type Hit = Pick<z.input<typeof foundThing>, "title" | "hint" | "to"> & Partial<z.input<typeof foundThing>>;

/** What was found, and whether only those made last were looked at, because too many can match. */
export interface Found {
  readonly hits: readonly Hit[];
  readonly recent: boolean;
  /** An amount was looked for, of some days only. */
  readonly byAmount?: boolean;
}

/** How things of one kind are found by what somebody types; a domain lists its own. */
export interface Finder {
  readonly kind: string;
  /** The heading over what was found: 门店. */
  readonly title: string;
  /** Its word in the field that asks, where it has one: 门店, 单号. */
  readonly promise?: string;
  /** What opens its list; whoever holds none of these is not answered. */
  readonly access: ItemPath | readonly ItemPath[];
  /** Whether a text can name such a thing; nobody is asked in vain. */
  match(sought: Sought): boolean;
  /** Whose names it is found by: `among` is looked up for all that are asked at once, and `find` is told. */
  readonly by?: ByName;
  /** The nearest, eight at most, in the caller's scope: nothing that its own list would not show. */
  find(ctx: Ctx, sought: Sought): Promise<readonly Hit[] | Found>;
}

declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    readonly finders?: readonly Finder[];
  }
}

/** Whether a text may be a part of a name, its pinyin or a number: two characters, or one that says more than a letter does. */
export const mayBeName = ({ text }: Sought): boolean => text.length >= 2 || /\p{Script=Han}/u.test(text);

interface Named {
  readonly from: RawBuilder<unknown>;
  /** The list's own condition, with its fence. */
  readonly where: RawBuilder<boolean>;
  readonly title: RawBuilder<unknown>;
  readonly hint: RawBuilder<unknown>;
  readonly newest: RawBuilder<unknown>;
  readonly to: (id: string) => string;
}
/**
 * Things by a part of their name, pinyin, number or the end of their phone: whole names first, then what begins so, newest first.
 * For a finder with `by`.
 * @example byName(ctx, sought, { from: sql`agents a`, where: agentsWhere(ctx.scope, {}), … })
 */
export async function byName(ctx: Ctx, { among }: Sought, { from, where, title, hint, newest, to }: Named): Promise<Hit[]> {
  if (!among || among.none) return [];
  const { alias, few, near } = among;
  const { rows } = await sql<{ id: string; title: string; hint: string; near: 0 | 1 | 2 }>`
    select ${sql.ref(`${alias}.id`)} as id, ${title} as title, concat_ws(' · ', ${hint}) as hint, ${near} as near from ${from}
    where ${where} and ${among.where} order by ${few ? sql`near, ` : sql``}${newest} desc limit ${sql.lit(MOST_OF_A_KIND)}`.execute(ctx.tx);
  return rows.map(({ id, ...row }) => ({ ...row, to: to(id) }));
}
