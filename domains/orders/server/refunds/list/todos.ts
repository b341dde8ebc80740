import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type FirstStep, type TodoKind } from "../../../../todos/server/index.ts";
import { failedAndOpen } from "./refund-filter.ts";

const refund = { from: sql`refunds r`, id: sql`r.id`, since: sql`r.created_at` };
const FAILED = "/dataCentre/payRefund?status=3&failed=open&from=&to=";
const titled = sql`concat(r.refund_no, ' ¥', round(r.amount_cents / 100.0, 2))`;

const ORDER = (id: string): string => `/dataCentre/payOrder?id=${id}`;
/** Refunds that only a person moves on. */
export const refundTodos: readonly TodoKind[] = [
  {
    key: "refunds-to-approve",
    urgency: 1,
    unit: "笔",
    title: "退款等待审批",
    act: "去审批",
    access: "/dataCentre/refund/decide",
    to: "/dataCentre/refund?state=pending",
    opens: (id) => `/dataCentre/refund?state=pending&panel=decide:${id}`,
    waits: (ctx) => ({
      ...refund,
      title: titled,
      // While a platform is asked for its vouchers nobody can decide.
      where: all([
        inScope(ctx.scope, "r"),
        sql`r.status = 0 and r.above_limit and r.waits_for is distinct from 'voucher'`,
        byAnother(ctx, "r.requested_by"),
      ]),
    }),
  },
  {
    key: "refunds-failed",
    urgency: 1,
    unit: "笔",
    title: "退款失败，要重试或改退",
    act: "去处理",
    access: ["/dataCentre/payRefund/retry", "/dataCentre/payRefund/redirect"],
    to: FAILED,
    opens: (id) => `${FAILED}&id=${id}`,
    waits: ({ scope }) => ({
      ...refund,
      from: sql`refunds r join pay_orders o on o.service_provider_id = r.service_provider_id and o.id = r.order_id`,
      title: titled,
      where: all([inScope(scope, "r"), failedAndOpen]),
    }),
  },
  {
    key: "refund-evidence",
    urgency: 1,
    unit: "笔",
    title: "线下退款凭证等待复核",
    act: "去复核",
    access: "/dataCentre/payRefund/redirect",
    to: (first) => `/dataCentre/payRefund?from=&to=&id=${first}`,
    opens: (id) => `/dataCentre/payRefund?from=&to=&id=${id}`,
    waits: (ctx) => ({
      from: sql`refund_evidence e join refunds r on r.service_provider_id = e.service_provider_id and r.id = e.refund_id`,
      id: sql`e.refund_id`,
      title: titled,
      since: sql`e.created_at`,
      where: all([inScope(ctx.scope, "e", "store"), sql`e.state = 'waiting'`, byAnother(ctx, "e.by_user")]),
    }),
  },
  {
    key: "hearings-failed",
    urgency: 1,
    unit: "项",
    title: "款项已入账，后续处理两次没有完成",
    act: "去查看",
    access: "/dataCentre/payOrder",
    to: ORDER,
    opens: ORDER,
    // The platform's own: nobody else can mend what fails. It goes on by itself each hour at the latest.
    waits: ({ scope }) =>
      scope.level === "ADMIN"
        ? {
            from: sql`unheard u join pay_orders o on o.service_provider_id = u.service_provider_id and o.id = u.order_id`,
            id: sql`u.order_id`,
            title: sql`concat(o.order_no, ' ', u.hearer)`,
            since: sql`u.created_at`,
            where: sql`u.tries >= 2`,
          }
        : undefined,
  },
];

export const paymentStep: FirstStep = {
  key: "payment",
  at: 90,
  title: "收到第一笔款",
  why: "用收款码或收银机收一分钱，订单和概览里就能看到",
  levels: ["ADMIN", "SP", "AG", "GP", "TM", "SM", "MCH", "AE"],
  access: "/dataCentre/payOrder",
  to: "/dataCentre/payOrder",
  done: (scope) => sql<boolean>`exists (select from pay_orders o where ${inScope(scope, "o")} and o.status in (2, 3))`,
};
