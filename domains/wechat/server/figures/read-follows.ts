import { sql } from "kysely";
import { z } from "zod";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import { followFilters, listFollows } from "../../contract/index.ts";
import { sourceColumns } from "../list/read-fans.ts";
import { followsOf, partOf } from "./follow-where.ts";

type Row = RowOf<typeof listFollows>;
const input = z.object(followFilters);
const listed = (scope: Scope, filter: z.output<typeof input>, today: string): Listed => ({
  columns: sql`w.id, w.fan_id as "fanId", right(w.fan_id::text, 8) as no, a.name as "appName", m.short_name as "merchantName", ${sourceColumns("c", sql`w.scene`)},
    s.short_name as "storeName", w.from_at as "fromAt", w.from_day::text as "fromDay", w.to_at as "toAt", u.id as "memberId", u.no as "memberNo"`,
  from: sql`wx_follows w`,
  names: sql`join wx_apps a on a.service_provider_id = w.service_provider_id and a.id = w.app_row
    join merchants m on m.service_provider_id = w.service_provider_id and m.id = w.merchant_id
    join wx_fans f on f.service_provider_id = w.service_provider_id and f.id = w.fan_id
    left join wx_fan_channels c on c.service_provider_id = w.service_provider_id and c.id = w.channel_id
    left join stores s on s.service_provider_id = w.service_provider_id and s.id = w.store_id
    left join members u on u.service_provider_id = f.service_provider_id and u.id = f.member_id`,
  where: all([inScope(scope, "w", "merchant"), followsOf(filter), partOf(filter, filter.part, today)]),
  order: "w.from_day",
  type: "date",
});
/** 粉丝明细: what a figure counts. */
export const listFollowsRoute = implement(listFollows, ({ tx, scope, now_ms }, given) =>
  listPage<Row>(tx, given, listed(scope, given, shanghaiDay(now_ms))),
);
