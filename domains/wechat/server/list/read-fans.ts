import { sql, type RawBuilder } from "kysely";
import { z } from "zod";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { listPage, type Listed, oneRow } from "@zhangfang/server/lists/list-page.ts";
import { fanChannelKind, fanFilters, fanState, followWay, getFan, getFanEvents, listFans } from "../../contract/index.ts";

type Row = RowOf<typeof listFans>;
const input = z.object(fanFilters);
const MOST_EVENTS = 100;
/** A source as it is shown, of a channel joined as this alias and a column with WeChat's word. */
export const sourceColumns = (channel: string, way: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${sql.ref(`${channel}.id`)} as "channelId", ${sql.ref(`${channel}.kind`)} as "channelKind", ${sql.ref(`${channel}.name`)} as "channelName", ${way} as way`;
/** How a source is written in a file. */
export const sourceWords = ({ channelKind, channelName, way }: Pick<Row, "channelKind" | "channelName" | "way">): string =>
  channelName !== null ? `${fanChannelKind.label(channelKind)}码 ${channelName}` : way !== null ? followWay.label(way as never) : "未知";

const NAMES = sql`join wx_apps a on a.service_provider_id = f.service_provider_id and a.id = f.app_row
  join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id
  left join wx_fan_channels o on o.service_provider_id = f.service_provider_id and o.id = f.first_channel
  left join wx_fan_channels c on c.service_provider_id = f.service_provider_id and c.id = f.last_channel
  left join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id
  left join members u on u.service_provider_id = f.service_provider_id and u.id = f.member_id`;
const listed = (scope: Scope, filter: z.output<typeof input>): Listed => ({
  columns: sql`f.id, right(f.id::text, 8) as no, a.name as "appName", m.short_name as "merchantName",
    json_build_object('channelId', o.id, 'channelKind', o.kind, 'channelName', o.name, 'way', f.first_scene) as first,
    ${sourceColumns("c", sql`f.last_scene`)}, s.short_name as "storeName", f.first_follow as "firstFollow", f.last_follow as "lastFollow",
    f.left_at as "leftAt", case when f.following then 'yes' else 'no' end as state, u.id as "memberId", u.no as "memberNo", f.known_at as "knownAt"`,
  from: sql`wx_fans f`,
  names: NAMES,
  where: all([
    inScope(scope, "f", "merchant"),
    is("f.app_row", filter.appRow),
    is("f.merchant_id", filter.merchantId),
    is("f.last_channel", filter.channelId),
    is("f.last_scene", filter.way),
    filter.state && sql`f.following = ${filter.state === "yes"}`,
    filter.member && (filter.member === "yes" ? sql`f.member_id is not null` : sql`f.member_id is null`),
    filter.storeId !== undefined &&
      sql`f.last_channel in (select k.id from wx_fan_channels k where k.service_provider_id = f.service_provider_id and k.store_id = ${filter.storeId})`,
    filter.keyword !== undefined &&
      sql`right(f.id::text, 8) = ${filter.keyword.toLowerCase()} or f.member_id in (select k.id from members k
        where k.service_provider_id = f.service_provider_id and k.no = ${filter.keyword})`,
    (filter.from !== undefined || filter.to !== undefined) && during(filter, "f.last_follow"),
  ]),
  order: "f.known_at",
});
/** 微信粉丝. */
export const listFansRoute = implement(listFans, ({ tx, scope }, given) => listPage<Row>(tx, given, listed(scope, given)));
export const getFanRoute = implement(getFan, ({ tx, scope }, { id }) => oneRow<Row>(tx, "粉丝", id, listed(scope, {})));
/** What was heard of a follower. @throws 404 */
export const getFanEventsRoute = implement(getFanEvents, async ({ tx, scope }, { id }) => {
  const fan = await sql`select from wx_fans f where f.id = ${id} and ${inScope(scope, "f", "merchant")}`.execute(tx);
  if (fan.rows.length === 0) throw notFound("粉丝");
  const { rows } = await sql<
    OutputOf<typeof getFanEvents>["items"][number]
  >`select e.id, e.event, e.occurred_at as at, ${sourceColumns("c", sql`e.scene`)}
    from wx_fan_events e left join wx_fan_channels c on c.service_provider_id = e.service_provider_id and c.id = e.channel_id
    where ${inScope(scope, "e", "merchant")} and e.fan_id = ${id} order by e.occurred_at desc, e.heard_at desc, e.id limit ${MOST_EVENTS + 1}`.execute(
    tx,
  );
  return { items: rows.slice(0, MOST_EVENTS), more: rows.length > MOST_EVENTS };
});

/** The list as a file. */
export const fanExport: ExportSource<typeof input> = {
  name: "wx-fans",
  title: "微信粉丝",
  access: "/wxCRM/fans/export",
  input,
  columns: [
    exportColumn("no", "粉丝", 12),
    exportColumn("appName", "公众号", 18),
    exportColumn("merchantName", "商户", 18),
    exportColumn("firstSource", "首次来源", 22),
    exportColumn("lastSource", "最近来源", 22),
    exportColumn("storeName", "门店", 18),
    exportColumn("firstFollow", "首次关注", 20, "time"),
    exportColumn("lastFollow", "最近关注", 20, "time"),
    exportColumn("state", "状态", 10, "code"),
    exportColumn("leftAt", "取关时间", 20, "time"),
    exportColumn("memberNo", "会员号", 14),
  ],
  ...fileOf(
    (scope: Scope, filter: z.output<typeof input>) => ({ ...listed(scope, filter), from: sql`wx_fans f ${NAMES}` }),
    ({ no, appName, merchantName, first, storeName, firstFollow, lastFollow, leftAt, state, memberNo, ...last }: Row) => ({
      no,
      appName,
      merchantName,
      firstSource: sourceWords(first),
      lastSource: sourceWords(last),
      storeName,
      firstFollow,
      lastFollow,
      state: fanState.label(state),
      leftAt,
      memberNo,
    }),
  ),
};
