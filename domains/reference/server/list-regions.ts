import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listRegions, type Province } from "../contract.ts";

export const listRegionsRoute = implement(listRegions, ({ tx }) => regionsOf(tx));
/** Every open division in one query, as a tree of names. What lies in a closed one is left out. */
export async function regionsOf(tx: Transaction): Promise<Province[]> {
  const { rows } = await sql<{ code: string; province: string; cityCode: string; city: string; districts: string[] }>`
    select p.code, p.name as province, case when bool_or(c.name in ('市辖区', '县')) then p.code else min(c.code) end as "cityCode",
      case when c.name in ('市辖区', '县') then p.name else c.name end as city,
      array_agg(d.name order by d.code) as districts
    from divisions p join divisions c on c.parent_code = p.code and c.enabled join divisions d on d.parent_code = c.code and d.enabled
    where p.level = 1 and p.enabled group by p.code, p.name, 4 order by p.code, min(c.code)`.execute(tx);
  const provinces: { code: string; name: string; cities: Province["cities"] }[] = [];
  for (const { code, province, cityCode, city, districts } of rows) {
    const last = provinces.at(-1);
    if (last?.name === province) last.cities.push({ code: cityCode, name: city, districts });
    else provinces.push({ code, name: province, cities: [{ code: cityCode, name: city, districts }] });
  }
  return provinces;
}
