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
/** The day and the merchant of a bill, which its address names. */
const billDay = (id: string): string => {
  const [day = "", merchantId = ""] = id.split("~");
  return `/reconciliation/bill?merchantId=${merchantId}&panel=bills:${day}`;
};
/** A bill is asked for anew for so long; after that the day itself says that it is missing. */
const FAILED = sql`interval '30 days'`;
/** Of the bills `f` that failed: the last of its merchant, source, type and day, where no other counts for them. */
const stillFailed = sql<boolean>`f.status = 'failed' and f.failure is distinct from '已取消' and not exists (select from bill_files g
  where g.service_provider_id = f.service_provider_id and g.merchant_id = f.merchant_id and g.source = f.source and g.day = f.day and g.bill_type = f.bill_type
    and (g.status = 'matched' or g.created_at > f.created_at))`;
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
    key: "bill-files-failed",
    urgency: 2,
    unit: "份",
    title: "账单没有导入",
    act: "去处理",
    access: "/reconciliation/bill/import",
    to: billDay,
    opens: billDay,
    waits: ({ scope, now }) =>
      scope.stores === undefined
        ? {
            from: sql`bill_files f join merchants m on m.service_provider_id = f.service_provider_id and m.id = f.merchant_id`,
            where: all([inScope(scope, "f", "merchant"), stillFailed, sql`f.created_at > ${now}::timestamptz - ${FAILED}`]),
            id: sql`concat(f.day, '~', f.merchant_id)`,
            title: sql`concat(f.day, ' ', m.short_name, '：', f.failure)`,
            since: sql`f.finished_at`,
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
