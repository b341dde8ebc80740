import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";

const decide = "/dataCentre/cardRecharge/decide";
const REFUNDS = "/dataCentre/cardRecharge?view=refunds";

/** Members' money that a second person lets go. */
export const storedTodos: readonly TodoKind[] = [
  {
    key: "recharges-to-decide",
    urgency: 1,
    unit: "笔",
    title: "线下储值等待审核",
    act: "去审核",
    access: decide,
    to: "/dataCentre/cardRecharge?status=3",
    opens: (id) => `/dataCentre/cardRecharge?status=3&id=${id}`,
    waits: (ctx) => ({
      from: sql`recharges r join stores s on s.service_provider_id = r.service_provider_id and s.id = r.store_id`,
      where: all([inScope(ctx.scope, "r", "store"), sql`r.status = 3`, byAnother(ctx, "r.asked_by")]),
      id: sql`r.id`,
      title: sql`concat(s.short_name, ' ¥', round(r.principal_cents / 100.0, 2))`,
      since: sql`r.created_at`,
    }),
  },
  {
    key: "recharge-coupons-failed",
    urgency: 2,
    unit: "笔",
    title: "充值送的券没发成",
    act: "去处理",
    access: decide,
    to: (first) => `/dataCentre/cardRecharge?id=${first}`,
    opens: (id) => `/dataCentre/cardRecharge?id=${id}`,
    waits: ({ scope }) => ({
      from: sql`recharges r join stores s on s.service_provider_id = r.service_provider_id and s.id = r.store_id`,
      where: all([
        inScope(scope, "r", "store"),
        sql`r.status = 2 and r.coupon_campaign_id is not null and exists (select from coupon_gifts g where g.service_provider_id = r.service_provider_id
          and g.cause = 'recharge' and g.cause_id = r.id and g.status = 2)`,
      ]),
      id: sql`r.id`,
      title: sql`concat(s.short_name, ' ¥', round(r.principal_cents / 100.0, 2))`,
      since: sql`r.paid_at`,
    }),
  },
  {
    key: "card-refunds-to-decide",
    urgency: 1,
    unit: "笔",
    title: "退卡等待审核",
    act: "去审核",
    access: decide,
    to: `${REFUNDS}&status=0`,
    opens: (id) => `${REFUNDS}&status=0&id=${id}`,
    waits: (ctx) => ({
      from: sql`card_refunds c join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id`,
      where: all([inScope(ctx.scope, "c", "store"), sql`c.status = 0`, byAnother(ctx, "c.asked_by")]),
      id: sql`c.id`,
      title: sql`concat(s.short_name, ' ¥', round(c.pays_cents / 100.0, 2))`,
      since: sql`c.created_at`,
    }),
  },
  {
    key: "card-refunds-to-confirm",
    urgency: 1,
    unit: "笔",
    title: "线下退卡凭证等待确认",
    act: "去确认",
    access: decide,
    to: `${REFUNDS}&status=1`,
    opens: (id) => `${REFUNDS}&status=1&id=${id}`,
    waits: (ctx) => ({
      from: sql`card_refunds c join stores s on s.service_provider_id = c.service_provider_id and s.id = c.store_id`,
      where: all([inScope(ctx.scope, "c", "store"), sql`c.status = 1 and c.proved_by is not null`, byAnother(ctx, "c.proved_by")]),
      id: sql`c.id`,
      title: sql`concat(s.short_name, ' ¥', round(c.pays_cents / 100.0, 2))`,
      since: sql`c.created_at`,
    }),
  },
  {
    key: "balances-to-adjust",
    urgency: 1,
    unit: "笔",
    title: "改余额等待审核",
    act: "去审核",
    access: decide,
    to: "/dataCentre/cardConsumption",
    waits: (ctx) => ({
      from: sql`value_adjusts w join stores s on s.service_provider_id = w.service_provider_id and s.id = w.store_id`,
      where: all([inScope(ctx.scope, "w", "store"), sql`w.status = 0`, byAnother(ctx, "w.asked_by")]),
      id: sql`w.id`,
      title: sql`concat(s.short_name, ' ¥', round(w.cents / 100.0, 2))`,
      since: sql`w.created_at`,
    }),
  },
];
