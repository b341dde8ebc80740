import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../../todos/server/index.ts";
import { receiverName } from "../profit/profit-filter.ts";

const withdrawal = {
  from: sql`withdrawals w`,
  id: sql`w.id`,
  title: sql`concat(${receiverName("w")}, ' ¥', round(w.amount_cents / 100.0, 2))`,
  since: sql`w.created_at`,
};

/** Withdrawals that wait for a person. */
export const withdrawalTodos: readonly TodoKind[] = [
  {
    key: "withdrawals-to-decide",
    urgency: 1,
    unit: "笔",
    title: "提现等待审核",
    act: "去审核",
    access: "/dataCentre/withdrawal/decide",
    to: "/dataCentre/withdrawal?status=0",
    opens: (id) => `/dataCentre/withdrawal?status=0&panel=decide:${id}`,
    waits: (ctx) => ({
      ...withdrawal,
      where: all([inScope(ctx.scope, "w"), sql`w.status = 0`, byAnother(ctx, "w.applied_by")]),
    }),
  },
  {
    key: "withdrawals-to-record",
    urgency: 1,
    unit: "笔",
    title: "提现要打款并登记结果",
    act: "去登记",
    access: "/dataCentre/withdrawal/record",
    to: "/dataCentre/withdrawal?status=2",
    opens: (id) => `/dataCentre/withdrawal?status=2&panel=record:${id}`,
    waits: (ctx) => ({
      ...withdrawal,
      where: all([
        inScope(ctx.scope, "w"),
        sql`w.status = 2 and (w.method = 'bank' or w.unanswered_at is not null)`,
        byAnother(ctx, "w.applied_by"),
      ]),
    }),
  },
];
