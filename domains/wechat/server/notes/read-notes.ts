import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { OutputOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { exportColumn, type ExportSource, fileOf } from "@zhangfang/server/lists/export-source.ts";
import { likeText } from "@zhangfang/server/lists/like-text.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import {
  getNote,
  getNoteSpread,
  listNoteApps,
  listNotes,
  noteFilters,
  noteKind,
  noteState,
  quotaOf,
  seekNoteChannels,
} from "../../contract/index.ts";
import type { Callable } from "../apps/granted.ts";
import { isMaker } from "./find-note.ts";
import { noteUrl } from "./note-link.ts";
import { fansOf, type NoteApp, periodOf } from "./quota.ts";

// What WeChat took of a note, and what it told of that; a batch that another one took over is none of it.
const SUMS = sql`join wx_apps a on a.service_provider_id = n.service_provider_id and a.id = n.app_row
  join merchants h on h.service_provider_id = n.service_provider_id and h.id = n.merchant_id
  left join lateral (select sum(b.people) filter (where b.state <> 'spent') as people, sum(b.people) filter (where b.state in ('accepted', 'sent')) as taken,
      sum(b.sent) as sent, sum(b.filtered) as filtered, bool_or(b.state = 'sent' and b.sent is null) as untold,
      sum(case when b.state in ('failed', 'void') then b.people else coalesce(b.errors, 0) end) as failed
    from wx_note_batches b where b.service_provider_id = n.service_provider_id and b.note_id = n.id and not b.replaced) x on true
  left join lateral (select sum(c.clicks)::int as clicks, max(c.clicked_at) as clicked_at from wx_note_clicks c
    where c.service_provider_id = n.service_provider_id and c.note_id = n.id) k on true`;
const COLUMNS = sql`n.id, n.name, h.short_name as "merchantName", a.name as "appName", a.kind as "appKind", n.kind, n.state, n.paused, n.why,
  n.starts_at as "startsAt", n.people, coalesce(n.people - coalesce(x.people, 0), 0)::int as "atLimit", coalesce(x.taken, 0)::int as taken,
  case when x.untold then null else x.sent end::int as sent, case when x.untold then null else x.filtered end::int as filtered,
  coalesce(x.failed, 0)::int as failed, coalesce(k.clicks, 0) as clicks, n.made_by_name as "madeBy", n.decided_by_name as "decidedBy", n.created_at as "createdAt"`;
const input = z.object(noteFilters);
/** Batches of which nobody knows for so long that two may say, as write-notes asks it. */
const doubtfulAt = (
  at: RawBuilder<unknown>,
) => sql`(n.state = 'sending' and n.paused and b.state = 'asked' and b.asked_at < ${at} - interval '10 minutes'
      or n.state = 'confirming' and b.state = 'accepted' and b.accepted_at < ${at} - interval '1 day')`;
/** One person told what became of all of those that are in doubt: another one's word holds. */
const toldOnceAt = (
  now: RawBuilder<unknown>,
) => sql<boolean>`n.verdict is not null and coalesce((select bool_and(${doubtfulAt(sql`least(${now}, n.updated_at)`)})
  from wx_note_batches b where b.service_provider_id = n.service_provider_id and b.note_id = n.id and ${doubtfulAt(now)}), false)`;
export const toldOnce = toldOnceAt(sql`now()`);
type Row = RowOf<typeof listNotes>;
const listed = (scope: Scope, filter: z.output<typeof input>): Listed => ({
  columns: COLUMNS,
  from: sql`wx_notes n`,
  names: SUMS,
  where: all([
    inScope(scope, "n", "merchant"),
    filter.keyword && sql`n.name ilike ${likeText(filter.keyword)}`,
    is("n.state", filter.state),
    filter.check && toldOnce,
    during(filter, "n.created_at"),
  ]),
  order: "n.created_at",
});
/** 群发消息. */
export const listNotesRoute = implement(listNotes, ({ tx, scope }, asked) => listPage<Row>(tx, asked, listed(scope, asked)));
export const noteExport: ExportSource<typeof input> = {
  name: "group-notes",
  title: "群发消息",
  access: "/wxCRM/groupNote/export",
  input,
  columns: [
    exportColumn("name", "群发", 24),
    exportColumn("appName", "公众号", 16),
    exportColumn("kind", "内容", 8, "code"),
    exportColumn("state", "状态", 12, "code"),
    exportColumn("people", "名单人数", 10, "count"),
    exportColumn("atLimit", "额度用完", 10, "count"),
    exportColumn("taken", "微信已收下", 10, "count"),
    exportColumn("sent", "已发送", 10, "count"),
    exportColumn("filtered", "微信过滤", 10, "count"),
    exportColumn("failed", "失败", 8, "count"),
    exportColumn("clicks", "链接点击", 10, "count"),
    exportColumn("startsAt", "定时", 20, "time"),
    exportColumn("madeBy", "创建人", 10),
    exportColumn("decidedBy", "审核人", 10),
    exportColumn("createdAt", "创建时间", 20, "time"),
  ],
  ...fileOf(listed, (row: Row) => ({
    ...row,
    kind: noteKind.label(row.kind),
    state: noteState.label(row.state),
    paused: null,
    appKind: null,
  })),
};

type Detail = OutputOf<typeof getNote>;
type Found = Omit<Detail, "mine" | "shortUrl" | "batches"> & { readonly made_by: string };
/** 群发详情. */
export const getNoteRoute = implement(getNote, async (ctx, { id }) => {
  const { rows } = await sql<Found>`select ${COLUMNS}, n.app_row as "appId", n.content, n.audience, n.revision, n.decided_at as "decidedAt",
      n.frozen_at as "frozenAt", n.ended_at as "endedAt", k.clicked_at as "clickedAt", n.made_by,
      case when ${toldOnceAt(sql`${ctx.now}::timestamptz`)} then n.verdict end as verdict, n.verdict_by_name as "verdictBy",
      (select c.name from wx_fan_channels c where c.service_provider_id = n.service_provider_id and c.id = (n.audience ->> 'channelId')::uuid) as "channelName",
      (select s.name from stores s where s.service_provider_id = n.service_provider_id and s.id = (n.audience ->> 'sourceStoreId')::uuid) as "sourceStoreName",
      (select s.name from stores s where s.service_provider_id = n.service_provider_id and s.id = (n.audience ->> 'storeId')::uuid) as "storeName"
    from wx_notes n ${SUMS} where n.id = ${id} and ${inScope(ctx.scope, "n", "merchant")}`.execute(ctx.tx);
  if (!rows[0]) throw notFound("群发");
  const { made_by, ...note } = rows[0];
  const { rows: batches } = await sql<Detail["batches"][number]>`
    select b.id, b.place, b.state, b.people, b.sent, b.filtered, b.errors as failed,
      case when b.takes_from is not null then '正在接过原来那批的名单：' || b.moved || ' / ' || b.people || ' 人' else b.reason end as reason, b.asked_at as "askedAt",
      case when b.state = 'accepted' and b.accepted_at + interval '30 minutes' > ${ctx.now} then b.accepted_at + interval '30 minutes' end as "confirmBy", b.settled_at as "settledAt", b.replaced,
      b.deleted_at as "deletedAt", (b.state = 'asked' and b.asked_at < ${ctx.now}::timestamptz - interval '10 minutes'
        or b.state = 'accepted' and b.accepted_at < ${ctx.now}::timestamptz - interval '1 day') as doubtful
    from wx_note_batches b where b.note_id = ${id} and ${inScope(ctx.scope, "b", "merchant")} order by b.place`.execute(ctx.tx);
  const shortUrl = note.content.link.to === "none" ? null : noteUrl(ctx.services, id);
  return { ...note, mine: isMaker(ctx, { made_by }), shortUrl, batches };
});

export const listNoteAppsRoute = implement(listNoteApps, async ({ tx, scope }) => {
  const { rows } = await sql<OutputOf<typeof listNoteApps>["items"][number]>`
    select a.id, a.name, a.kind, a.state = 'active' as active,
      (select count(*) from wx_fans f where f.service_provider_id = a.service_provider_id and f.app_row = a.id and f.following)::int as fans
    from wx_apps a where ${inScope(scope, "a", "merchant")} order by a.created_at`.execute(tx);
  return { items: rows };
});
/** An account may have a code for each table: they are searched. */
const MOST_CODES = 50;
export const seekNoteChannelsRoute = implement(seekNoteChannels, async (ctx, { appId, search, id }) => {
  const app = await appOf(ctx, appId);
  const { rows } = await sql<{ id: string; name: string }>`select c.id, c.name from wx_fan_channels c
    where c.service_provider_id = ${app.service_provider_id} and c.app_row = ${app.id} and ${all([
      inScope(ctx.scope, "c", "merchant"),
      is("c.id", id),
      search !== "" && sql`c.name ilike ${likeText(search)}`,
    ])} order by c.created_at desc, c.id desc limit ${MOST_CODES}`.execute(ctx.tx);
  return { items: rows };
});
/** An account in sight. @throws 404 */
export async function appOf(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  id: string,
): Promise<NoteApp & Callable & { readonly name: string; readonly state: string }> {
  const { rows } = await sql<
    NoteApp & Callable & { readonly name: string; readonly state: string }
  >`select a.service_provider_id, a.merchant_id, a.id, a.kind, a.name,
      a.state, a.way, a.may_call, a.permissions
    from wx_apps a where a.id = ${id} and ${inScope(scope, "a", "merchant")}`.execute(tx);
  if (!rows[0]) throw notFound("公众号");
  return rows[0];
}
/** 每人还能收几条. */
export const getNoteSpreadRoute = implement(getNoteSpread, async (ctx, { appId, audience, startsAt, noteId }) => {
  const app = await appOf(ctx, appId);
  const { most, per } = quotaOf(app.kind);
  const at = startsAt !== null && startsAt > ctx.now ? startsAt : ctx.now;
  const period = periodOf(app, at);
  const { rows } = await sql<{ left: number; people: number }>`
    select greatest(0, ${most} - coalesce(q.used, 0))::int as left, count(*)::int as people
    from (select f.service_provider_id, f.id from ${fansOf(ctx.scope, app, audience)}) f
    left join wx_fan_quota q on q.service_provider_id = f.service_provider_id and q.fan_id = f.id and q.period = ${period}::date
    group by 1`.execute(ctx.tx);
  const spread = Array.from({ length: most + 1 }, (_one, at_) => {
    const left = most - at_;
    return { left, people: rows.find((one) => one.left === left)?.people ?? 0 };
  });
  const { rows: others } = await sql<OutputOf<typeof getNoteSpread>["others"][number]>`
    select n.id, n.name, n.starts_at as "startsAt" from wx_notes n
    where n.service_provider_id = ${app.service_provider_id} and n.app_row = ${app.id} and n.state in ('review', 'ready', 'sending')
      and n.id is distinct from ${noteId ?? null}::uuid and ${inScope(ctx.scope, "n", "merchant")} order by n.starts_at nulls first limit 20`.execute(
    ctx.tx,
  );
  return {
    most,
    per,
    spread,
    everybodySent: await everybodySent(ctx, app, at),
    others: others.filter((one) => periodOf(app, one.startsAt ?? ctx.now) === period).slice(0, 5),
  };
});
/** That to all (of a 订阅号: anything) was sent on the day of `at`, by Beijing's calendar: WeChat lets it be once a day. */
export async function everybodySent({ tx }: Pick<Ctx, "tx">, app: NoteApp, at: string, but: string | null = null): Promise<boolean> {
  const { rows } =
    await sql`select 1 from wx_note_batches b where b.service_provider_id = ${app.service_provider_id} and b.app_row = ${app.id}
    and (b.everybody or ${app.kind === 2}) and b.state in ('asked', 'accepted', 'sent') and b.id is distinct from ${but}::uuid
    and (b.asked_at at time zone 'Asia/Shanghai')::date = (${at}::timestamptz at time zone 'Asia/Shanghai')::date limit 1`.execute(tx);
  return rows.length > 0;
}
