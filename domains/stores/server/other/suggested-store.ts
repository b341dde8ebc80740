import { sql } from "kysely";

const NEAR_M = 300;
const EARTH_M = 6_371_000;
/** How far `o` and `x` are from each other; null where one of them has no place. */
const FAR = sql`case when o.latitude is not null and x.latitude is not null then 2 * ${sql.lit(EARTH_M)} * asin(sqrt(least(1, power(sin(radians(o.latitude - x.latitude) / 2), 2)
  + cos(radians(o.latitude)) * cos(radians(x.latitude)) * power(sin(radians(o.longitude - x.longitude) / 2), 2)))) end`;
/** The name without 店 and what stands around brackets. */
const CORE = sql`regexp_replace(regexp_replace(x.short_name, '^.*[（(]|[）)].*$', '', 'g'), '店$', '')`;
const SHORTEST_ADDRESS = 4;
/**
 * The own store `g` that a platform's store `o` is, as far as one can tell (platforms.md 2): its name is in the other's, its address (with a
 * house number) is, or it stands less than 300 m away. Who has more of these comes first, then the longer name, then the nearer. Where both have a place, nothing
 * further away is it, whatever it is called.
 */
export const SUGGESTED = sql`left join lateral (select x.id, x.short_name, concat_ws('、', case when y.named then '名字' end, case when y.addressed then '地址' end,
    case when d.far is not null then '相距 ' || round(d.far)::int || ' 米' end) as why from stores x
  cross join lateral (select ${CORE} as core, replace(coalesce(x.address, ''), ' ', '') as address, replace(o.address, ' ', '') as there, ${FAR} as far) d
  cross join lateral (select length(d.core) > 1 and position(d.core in o.name) > 0 as named, least(length(d.address), length(d.there)) >= ${sql.lit(SHORTEST_ADDRESS)}
    and d.address ~ '[0-9]' and d.there ~ '[0-9]' and (position(d.address in d.there) > 0 or position(d.there in d.address) > 0) as addressed) y
  where o.mapped_store_id is null and x.service_provider_id = o.service_provider_id and x.merchant_id = o.merchant_id and x.state = 'active'
    and (y.named or y.addressed or d.far is not null) and (d.far is null or d.far < ${sql.lit(NEAR_M)})
  order by y.named::int + y.addressed::int + (d.far is not null)::int desc, case when y.named then length(d.core) else 0 end desc, d.far, x.id limit 1) g on true`;
