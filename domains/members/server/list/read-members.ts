import { sql } from "kysely";
import { z } from "zod";
import { implement } from "@zhangfang/server/calls/call.ts";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { listMembers, memberFilters, memberSource, memberStage, memberStatus, summariseMembers } from "../../contract/index.ts";
import { ladderOf, levelsOf } from "../member-facts.ts";
import { MEMBERS_FROM, membersListed, membersWhere, shownMember, wayOf, type FoundMember, type MemberRow } from "./member-rows.ts";

/** 微信会员. */
export const listMembersRoute = implement(listMembers, async (ctx, input) => {
  const { cursor: _cursor, pageSize: _size, sort: _sort, withTotal: _total, ...filter } = input;
  const way = await wayOf(ctx.tx, ctx.scope, filter);
  const listed = membersListed(ctx.services, ctx.scope, input, { sort: input.sort, way });
  const { items, ...page } = await listPage<FoundMember>(ctx.tx, input, listed);
  const levels = await levelsOf(
    ctx.tx,
    ctx.services,
    ctx.scope.provider ?? "",
    items.map(({ id }) => id),
  );
  return { ...page, items: items.map((row) => shownMember(ctx.services, row, levels)) };
});

/** How many there are and what they hold; by state without the filter's own state, for the tabs. */
export const summariseMembersRoute = implement(summariseMembers, async (ctx, { status, ...rest }) => {
  const { rows } = await sql<{ status: number; count: number; spent: number; points: number; principal: number; gift: number }>`
    with shown as (select m.service_provider_id, m.merchant_id, m.id, m.status, coalesce(t.spent_cents, 0) as spent from ${MEMBERS_FROM}
        where ${membersWhere(ctx.services, ctx.scope, { ...rest, status })}),
      worth as (select a.kind, sum(a.balance) as balance from shown s join value_accounts a on a.service_provider_id = s.service_provider_id
        and a.merchant_id = s.merchant_id and a.owner_id = s.id where a.kind in ('points', 'principal', 'gift') group by a.kind)
    select x.status, x.count::int, x.spent::bigint, coalesce((select balance from worth where kind = 'points'), 0)::bigint as points,
      coalesce((select balance from worth where kind = 'principal'), 0)::bigint as principal, coalesce((select balance from worth where kind = 'gift'), 0)::bigint as gift
    from (select status, count(*) as count, sum(spent) as spent from shown group by status) x`.execute(ctx.tx);
  const tabs = await sql<{ status: number; count: number }>`select m.status, count(*)::int as count from ${MEMBERS_FROM}
    where ${membersWhere(ctx.services, ctx.scope, { ...rest, status: undefined })} group by m.status`.execute(ctx.tx);
  const waiting = await sql<{ count: number }>`select count(*)::int as count from member_openings m
    where m.status = 0 and ${inScope(ctx.scope, "m", "store")}`.execute(ctx.tx);
  const [provider, merchant] = [ctx.scope.provider, ctx.scope.merchant ?? rest.merchantId];
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((all, row) => all + of(row), 0);
  return {
    count: sum(({ count }) => count),
    spentCents: sum(({ spent }) => spent) as never,
    points: rows[0]?.points ?? 0,
    principalCents: (rows[0]?.principal ?? 0) as never,
    giftCents: (rows[0]?.gift ?? 0) as never,
    byStatus: Object.fromEntries(tabs.rows.map((row) => [String(row.status), row.count])),
    levels:
      provider && merchant ? (await ladderOf(ctx.tx, ctx.services, provider, merchant)).map(({ rank, name }) => ({ rank, name })) : [],
    openings: waiting.rows[0]?.count ?? 0,
  };
});

const input = z.object(memberFilters);
/** The list of members as a file, as masked as the list. */
export const memberExport: ExportSource<typeof input> = {
  name: "members",
  title: "微信会员",
  access: "/member/member/export",
  input,
  columns: [
    exportColumn("memberNo", "会员号", 14),
    exportColumn("name", "姓名", 12),
    exportColumn("phone", "手机号", 14),
    exportColumn("stage", "类型", 8, "code"),
    exportColumn("level", "等级", 10),
    exportColumn("points", "积分", 10, "count"),
    exportColumn("principalCents", "储值本金", 12, "money"),
    exportColumn("giftCents", "储值赠送", 12, "money"),
    exportColumn("spentCents", "累计消费", 12, "money"),
    exportColumn("visits", "到店次数", 10, "count"),
    exportColumn("lastVisitAt", "上次到店", 20, "time"),
    exportColumn("homeStore", "入会门店", 16),
    exportColumn("tags", "标签", 20),
    exportColumn("remark", "备注", 24),
    exportColumn("source", "来源", 10, "code"),
    exportColumn("status", "状态", 8, "code"),
    exportColumn("createdAt", "入会时间", 20, "time"),
  ],
  ...fileOf<z.output<typeof input>, FoundMember & { readonly level?: string }>(
    (scope, filter, _tx, services) => membersListed(need(services), scope, filter),
    (row, services) => cellsOf(shownMember(need(services), row, new Map([[row.id, row.level ?? ""]]))),
    "-createdAt",
    async ({ tx, services }, rows) => {
      const levels = new Map<string, string>();
      for (const [provider, own] of Map.groupBy(rows, (row) => row.service_provider_id)) {
        const named = await levelsOf(
          tx,
          need(services),
          provider,
          own.map(({ id }) => id),
        );
        for (const [id, name] of named) levels.set(id, name);
      }
      return rows.map((row) => ({ ...row, level: levels.get(row.id) ?? "" }));
    },
  ),
};
function need(services: Services | undefined): Services {
  if (!services) throw new Error("members are sealed: their file needs the services");
  return services;
}
const cellsOf = ({ tags, confirmed: _shownByStage, ...row }: MemberRow) => ({
  ...row,
  tags: tags.join("、"),
  stage: memberStage.label(row.stage),
  source: memberSource.label(row.source),
  status: memberStatus.label(row.status),
});
