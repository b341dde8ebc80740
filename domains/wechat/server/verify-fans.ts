import { sql } from "kysely";
import { type Breach, breachesOf, type Rules } from "@zhangfang/server/book.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";

/** Followers, their follows and the figures made of them against each other (platforms.md 8, 20), as far as the transaction's scope shows them. */
export const verifyFans = (tx: Transaction): Promise<Breach[]> => breachesOf(tx, RULES);

/** So many of the last days on which anything moved. */
const DAYS = 8;
const RULES: Rules = {
  "1: whoever follows has one follow that is open, and nobody else has": sql`select f.id from wx_fans f
    where f.following <> exists (select from wx_follows w where w.service_provider_id = f.service_provider_id and w.fan_id = f.id and w.to_day is null)`,
  "2: the follows of a follower do not overlap": sql`select w.fan_id from (select fan_id, to_day, to_at,
      lead(from_day) over (partition by service_provider_id, fan_id order by from_day, from_at) as next_day,
      lead(from_at) over (partition by service_provider_id, fan_id order by from_day, from_at) as next_at from wx_follows) w
    where w.next_day is not null and (w.to_day is null or w.to_day > w.next_day or w.to_at > w.next_at)`,
  "3: a follow counts on the days of its own moments, at the store of its code": sql`select w.id from wx_follows w
    left join wx_fan_channels c on c.service_provider_id = w.service_provider_id and c.id = w.channel_id
    where w.from_day <> coalesce((w.from_at at time zone 'Asia/Shanghai')::date, date '1970-01-01')
      or w.to_day <> (w.to_at at time zone 'Asia/Shanghai')::date or w.store_id is distinct from c.store_id`,
  "20: 累计 of a day is that of the day before, and 新增 less 取关": sql`with days as (select distinct d.service_provider_id, d.merchant_id, d.day from
      (select service_provider_id, merchant_id, from_day as day from wx_follows union all
        select service_provider_id, merchant_id, to_day from wx_follows where to_day is not null) d
      where d.day > (select max(greatest(from_day, coalesce(to_day, from_day))) - ${sql.lit(DAYS)} from wx_follows))
    select d.day from days d cross join lateral (select
        (select count(*) from wx_follows w where w.service_provider_id = d.service_provider_id and w.merchant_id = d.merchant_id
          and w.from_day <= d.day and (w.to_day is null or w.to_day > d.day)) as now,
        (select count(*) from wx_follows w where w.service_provider_id = d.service_provider_id and w.merchant_id = d.merchant_id
          and w.from_day < d.day and (w.to_day is null or w.to_day >= d.day)) as before,
        (select count(*) from wx_follows w where w.service_provider_id = d.service_provider_id and w.merchant_id = d.merchant_id and w.from_day = d.day
          and (w.to_day is null or w.to_day > d.day) and not exists (select from wx_follows x where x.service_provider_id = w.service_provider_id
            and x.fan_id = w.fan_id and x.from_day < d.day and x.to_day = d.day)) as joined,
        (select count(*) from wx_follows w where w.service_provider_id = d.service_provider_id and w.merchant_id = d.merchant_id and w.to_day = d.day
          and w.from_day < d.day and not exists (select from wx_follows x where x.service_provider_id = w.service_provider_id
            and x.fan_id = w.fan_id and x.from_day = d.day and (x.to_day is null or x.to_day > d.day))) as gone) n
    where n.now <> n.before + n.joined - n.gone`,
};
