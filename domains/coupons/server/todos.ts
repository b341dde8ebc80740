import { sql, type RawBuilder } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";
import { offeredCampaigns, ownCampaigns } from "./campaigns/find-campaign.ts";

const named = (alias: string) => ({
  id: sql.ref(`${alias}.id`),
  title: sql.ref(`${alias}.name`),
  since: sql.ref(`${alias}.created_at`),
});
const campaigns = (side: "/ticket" | "/merchantTicket"): TodoKind => ({
  key: side === "/ticket" ? "provider-campaigns" : "campaigns",
  urgency: 2,
  unit: "张",
  title: "优惠券等待审核",
  act: "去审核",
  access: `${side}/list/audit`,
  to: `${side}/list?state=UNAUDIT`,
  opens: (id) => `${side}/list?state=UNAUDIT&panel=decide:${id}`,
  waits: (ctx) => ({
    from: sql`coupon_campaigns c`,
    where: all([ownCampaigns(ctx.scope), sql`c.state = 'UNAUDIT'`, byAnother(ctx, "c.made_by")]),
    ...named("c"),
  }),
});
const statements = (given: Pick<TodoKind, "key" | "title" | "act" | "access"> & { state: "WAITING" | "PAID"; list: string }): TodoKind => ({
  ...given,
  urgency: 2,
  unit: "张",
  to: `${given.list}?show=subsidies&state=${given.state}`,
  opens: (id) => `${given.list}?show=subsidies&state=${given.state}&id=${id}`,
  waits: ({ scope }) => ({
    from: sql`subsidy_statements s join merchants m on m.service_provider_id = s.service_provider_id and m.id = s.merchant_id`,
    where: all([inScope(scope, "s", "merchant"), sql`s.state = ${sql.lit(given.state)}`]),
    id: sql`s.id`,
    title: sql`concat(m.short_name, ' ', to_char(s.month, 'YYYY-MM'))`,
    since: sql`s.month`,
  }),
});
const better = (id: string): string => `/merchantTicket/details?id=${id}&panel=better:${id}`;
const revoked = (ctx: Ctx): RawBuilder<boolean> =>
  all([inScope(ctx.scope, "v", "merchant"), sql`v.status = 0`, byAnother(ctx, "v.asked_by")]);

/** What two persons decide of coupons, what a provider owes for its own, and what differs at WeChat. */
export const couponTodos: readonly TodoKind[] = [
  campaigns("/ticket"),
  campaigns("/merchantTicket"),
  {
    key: "packages",
    urgency: 2,
    unit: "个",
    title: "券包等待审核",
    act: "去审核",
    access: "/ticket/group/audit",
    to: "/ticket/group?state=UNAUDIT",
    opens: (id) => `/ticket/group?state=UNAUDIT&id=${id}`,
    waits: (ctx) => ({
      from: sql`packages p`,
      where: all([inScope(ctx.scope, "p", "merchant"), sql`p.state = 'UNAUDIT'`, byAnother(ctx, "p.made_by")]),
      ...named("p"),
    }),
  },
  {
    key: "betterments",
    urgency: 2,
    unit: "张",
    title: "优惠券条款改动等待审核",
    act: "去审核",
    access: "/merchantTicket/list/audit",
    to: "/merchantTicket/list?change=open",
    opens: better,
    waits: (ctx) => ({
      from: sql`coupon_betterments b join coupon_campaigns c on c.service_provider_id = b.service_provider_id and c.id = b.campaign_id`,
      where: all([inScope(ctx.scope, "b", "merchant"), sql`b.status = 0`, byAnother(ctx, "b.asked_by")]),
      id: sql`c.id`,
      title: sql`c.name`,
      since: sql`b.asked_at`,
    }),
  },
  {
    key: "send-revokes",
    urgency: 1,
    unit: "批",
    title: "发出的券等待确认作废",
    act: "去确认",
    access: "/ticket/batchSend/revoke",
    to: (first) => `/ticket/batchSend?id=${first}`,
    opens: (id) => `/ticket/batchSend?id=${id}`,
    waits: (ctx) => ({
      from: sql`send_revokes v`,
      where: revoked(ctx),
      id: sql`v.task_id`,
      title: sql`v.reason`,
      since: sql`v.asked_at`,
    }),
  },
  {
    key: "campaigns-offered",
    urgency: 3,
    unit: "张",
    title: "服务商的券等你答复",
    act: "去答复",
    access: "/merchantTicket/list/answer",
    to: "/merchantTicket/list?show=offered",
    waits: ({ scope }) => ({
      from: sql`coupon_campaigns c join coupon_stock s on s.service_provider_id = c.service_provider_id and s.campaign_id = c.id`,
      where: all([
        offeredCampaigns(scope),
        sql`c.state in ('RUNNING', 'PAUSED') and exists (select from coupon_covers v where v.service_provider_id = c.service_provider_id
          and v.campaign_id = c.id and v.state = 'ASKED' and ${inScope(scope, "v", "merchant")})`,
      ]),
      ...named("c"),
    }),
  },
  statements({
    key: "subsidies-to-pay",
    title: "补贴结算单要付款",
    act: "去付款",
    access: "/ticket/list/pay",
    list: "/ticket/list",
    state: "WAITING",
  }),
  statements({
    key: "subsidies-to-confirm",
    title: "补贴结算单等待确认到账",
    act: "去确认",
    access: "/merchantTicket/list/confirm",
    list: "/merchantTicket/list",
    state: "PAID",
  }),
  {
    key: "carrier-differences",
    urgency: 2,
    unit: "处",
    title: "优惠券与微信不一致",
    act: "去处理",
    access: "/merchantTicket/list/carrier",
    to: "/merchantTicket/list?show=differences&checked=false",
    waits: ({ scope }) => ({
      from: sql`coupon_differences d join coupon_campaigns g on g.service_provider_id = d.service_provider_id and g.id = d.campaign_id`,
      where: all([inScope(scope, "d", "merchant"), sql`d.gone_at is null and d.checked_at is null`]),
      id: sql`d.id`,
      title: sql`g.name`,
      since: sql`d.since`,
    }),
  },
];
