import { sql } from "kysely";
import { all } from "@zhangfang/server/lists/conditions.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { byAnother, type TodoKind } from "../../todos/server/index.ts";

const LIST = "/reconciliation/bill?view=differences&from=&to=";
const difference = {
  from: sql`recon_differences d`,
  id: sql`d.id`,
  title: sql`concat(d.day, ' ', coalesce(nullif(d.order_no, ''), d.number))`,
  since: sql`d.day`,
};
/** The day and the store of a row, which its address names. */
const storeDay = (id: string): string => {
  const [day = "", storeId = ""] = id.split("~");
  return `/reconciliation/bill?view=stores&storeId=${storeId}&day=${day}`;
};

/** Differences, and days that one person handed in and another confirms. */
export const reconciliationTodos: readonly TodoKind[] = [
  {
    key: "differences-open",
    urgency: 1,
    unit: "笔",
    title: "对账差异没有处理",
    act: "去处理",
    access: "/reconciliation/bill/resolve",
    to: `${LIST}&status=open`,
    opens: (id) => `${LIST}&status=open&id=${id}`,
    waits: ({ scope }) =>
      scope.stores === undefined ? { ...difference, where: all([inScope(scope, "d", "merchant"), sql`d.status = 'open'`]) } : undefined,
  },
  {
    key: "differences-proposed",
    urgency: 2,
    unit: "笔",
    title: "对账差异等待确认",
    act: "去确认",
    access: "/reconciliation/bill/resolve",
    to: `${LIST}&status=proposed`,
    opens: (id) => `${LIST}&status=proposed&id=${id}`,
    waits: (ctx) =>
      ctx.scope.stores === undefined
        ? {
            ...difference,
            where: all([inScope(ctx.scope, "d", "merchant"), sql`d.status = 'proposed'`, byAnother(ctx, "d.proposed_by")]),
          }
        : undefined,
  },
  {
    key: "store-days-proposed",
    urgency: 2,
    unit: "个",
    title: "门店日等待确认关账",
    act: "去确认",
    access: "/reconciliation/bill/close",
    to: storeDay,
    opens: storeDay,
    waits: (ctx) => ({
      from: sql`store_days d join stores s on s.service_provider_id = d.service_provider_id and s.id = d.store_id`,
      // Whoever is of a lower level than who handed it in can't confirm it.
      where: all([
        inScope(ctx.scope, "d", "store"),
        sql`d.status = 'proposed'`,
        ctx.scope.level === "AE" && sql`d.proposed_level = 'AE'`,
        ctx.scope.level === "MCH" && sql`d.proposed_level <> 'SP'`,
        byAnother(ctx, "d.proposed_by"),
      ]),
      id: sql`concat(d.day, '~', d.store_id)`,
      title: sql`concat(s.short_name, ' ', d.day)`,
      since: sql`d.proposed_at`,
    }),
  },
];
