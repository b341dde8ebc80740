import { sql, type RawBuilder } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import type { FanBy, FanPart, listFollows } from "../../contract/index.ts";

type Filter = Omit<ParsedOf<typeof listFollows>, "part" | "cursor" | "pageSize" | "sort" | "withTotal">;
/** Which follows a question is about, as one of these aliases. */
const kept = (filter: Partial<Filter>, alias: "w" | "x"): RawBuilder<boolean> =>
  all([
    is(`${alias}.app_row`, filter.appRow),
    is(`${alias}.merchant_id`, filter.merchantId),
    is(`${alias}.store_id`, filter.storeId),
    is(`${alias}.channel_id`, filter.channelId),
    is(`${alias}.scene`, filter.way),
    filter.none === "store" && sql`${sql.ref(`${alias}.store_id`)} is null`,
    filter.none === "source" && sql`${sql.ref(`${alias}.channel_id`)} is null and ${sql.ref(`${alias}.scene`)} is null`,
  ]);
/** Follows `w` that a question is about. */
export const followsOf = (filter: Partial<Filter>): RawBuilder<boolean> => kept(filter, "w");

/** Another follow `x` of the same follower in the same row of the figures. */
const other = (filter: Filter, when: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select from wx_follows x where x.service_provider_id = w.service_provider_id and x.fan_id = w.fan_id and ${kept(filter, "x")}
    and ${SAME[filter.by]} and ${when})`;
const SAME: Readonly<Record<FanBy, RawBuilder<unknown>>> = {
  day: sql`true`,
  source: sql`x.channel_id is not distinct from w.channel_id and x.scene is not distinct from w.scene`,
  store: sql`x.store_id is not distinct from w.store_id`,
};
/** Follows at all at the end of a day. */
const followsAt = (day: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select from wx_follows x where x.service_provider_id = w.service_provider_id and x.fan_id = w.fan_id
    and x.from_day <= ${day} and (x.to_day is null or x.to_day > ${day}))`;
const within = ({ from, to }: Filter, column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${column} between ${from}::date and ${to}::date`;

/** Of those who joined: so many days after are over, and they follow at the end of the last. */
export const over = (days: 7 | 30, today: string): RawBuilder<unknown> => sql`w.from_day + ${sql.lit(days)} < ${today}::date`;
export const keptFor = (days: 7 | 30, today: string): RawBuilder<unknown> =>
  // Hardly anybody leaves and comes back: for all others the follow itself tells, and nobody looks for another one.
  sql`(${over(days, today)} and (w.to_day is null or w.to_day > w.from_day + ${sql.lit(days)} or ${followsAt(sql`w.from_day + ${sql.lit(days)}`)}))`;

/**
 * The follows `w` that a figure counts, each once. Following goes by the ends of days: whoever left and came back within a day neither joined nor left.
 * @param today of the question, for what is over
 */
export function partOf(filter: Filter, part: FanPart, today: string): RawBuilder<unknown> {
  switch (part) {
    case "joined":
      return sql`(${within(filter, sql`w.from_day`)} and (w.to_day is null or w.to_day > w.from_day)
        and not ${other(filter, sql`x.from_day < w.from_day and x.to_day = w.from_day and ${within(filter, sql`x.to_day`)}`)})`;
    case "left":
      return sql`(${within(filter, sql`w.to_day`)} and w.from_day < w.to_day
        and not ${other(filter, sql`x.from_day = w.to_day and (x.to_day is null or x.to_day > w.to_day)`)})`;
    case "flash":
      return sql`(${within(filter, sql`w.from_day`)} and w.to_day = w.from_day and not ${followsAt(sql`w.from_day`)} and not ${followsAt(sql`w.from_day - 1`)}
        and not exists (select from wx_follows x where x.service_provider_id = w.service_provider_id and x.fan_id = w.fan_id and x.from_day = w.from_day
          and x.to_day = w.from_day and (x.from_at, x.id) > (w.from_at, w.id)))`;
    case "total":
      return sql`(w.from_day <= ${filter.to}::date and (w.to_day is null or w.to_day > ${filter.to}::date))`;
    case "kept7":
    case "kept30":
      return sql`(${partOf(filter, "joined", today)} and ${keptFor(part === "kept7" ? 7 : 30, today)})`;
  }
}
