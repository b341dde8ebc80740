import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { listRegions, type Province } from "../contract.ts";

/** Every open division in one query, as a tree of names. What lies in a closed one is left out. */
export const listRegionsRoute = implement(listRegions, async ({ tx }) => {
  const { rows } = await sql<{ province: string; city: string; districts: string[] }>`
    select p.name as province, case when c.name in ('市辖区', '县') then p.name else c.name end as city,
      array_agg(d.name order by d.code) as districts
    from divisions p join divisions c on c.parent_code = p.code and c.enabled join divisions d on d.parent_code = c.code and d.enabled
    where p.level = 1 and p.enabled group by p.code, p.name, 2 order by p.code, min(c.code)`.execute(tx);
  const provinces: { name: string; cities: Province["cities"] }[] = [];
  for (const { province, city, districts } of rows) {
    const last = provinces.at(-1);
    if (last?.name === province) last.cities.push({ name: city, districts });
    else provinces.push({ name: province, cities: [{ name: city, districts }] });
  }
  return provinces;
});
