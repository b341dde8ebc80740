import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

interface Place {
  readonly province?: string | undefined;
  readonly city?: string | undefined;
}
type Found = { readonly province?: string; readonly city?: string } | { readonly errors: Readonly<Record<string, string>> };

/**
 * Looks places up that somebody wrote, by full or short name (四川, 四川省), open divisions alone.
 * @returns for each place its full names, or what is wrong at `province` or `city`
 */
export async function divisionsNamed(tx: Transaction, places: readonly Place[]): Promise<(place: Place) => Found> {
  const given = [...new Set(places.flatMap(({ province }) => province ?? []))];
  const { rows } = await sql<{ province: string; short: string; city: string; cityShort: string }>`
    select p.name as province, p.short_name as short, case when c.name in ('市辖区', '县') then p.name else c.name end as city,
      case when c.name in ('市辖区', '县') then p.short_name else c.short_name end as "cityShort"
    from divisions p join divisions c on c.parent_code = p.code and c.enabled
    where p.level = 1 and p.enabled and (p.name = any(${given}::text[]) or p.short_name = any(${given}::text[]))`.execute(tx);
  return ({ province, city }) => {
    if (province === undefined) return city === undefined ? {} : { errors: { province: "填了城市，也请填省份" } };
    const there = rows.filter((row) => row.province === province || row.short === province);
    if (!there[0]) return { errors: { province: `没有省份「${province}」` } };
    if (city === undefined) return { province: there[0].province };
    const found = there.find((row) => row.city === city || row.cityShort === city);
    if (!found) return { errors: { city: `${there[0].province}没有城市「${city}」` } };
    return { province: found.province, city: found.city };
  };
}

/** Province and city of a code of six digits, by their short names; undefined where it names no city. */
export async function placeOfCode(
  tx: Transaction,
  code: string,
): Promise<{ readonly province: string; readonly city: string } | undefined> {
  const { rows } = await sql<{ province: string; city: string }>`
    select p.short_name as province, case when c.name in ('市辖区', '县') then p.short_name else c.short_name end as city
    from divisions p join divisions c on c.parent_code = p.code
    where p.code = left(${code}, 2) and (c.code = left(${code}, 4) or (${code} = p.code || '0000' and c.name = '市辖区')) limit 1`.execute(
    tx,
  );
  return rows[0];
}
