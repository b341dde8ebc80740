import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { listOutputs as endpoint } from "../../contract/index.ts";

/** 打印和播报记录: newest first. Whoever holds one of the two screens sees its kind alone. */
export const listOutputsRoute = implement(endpoint, async (ctx, { cursor, pageSize, kind, hardwareId }) => {
  const kinds = [
    ...(ctx.principal.holds(["/store/printers"]) ? ["printer"] : []),
    ...(ctx.principal.holds(["/store/trumpet"]) ? ["speaker"] : []),
  ];
  const found = await sql<RowOf<typeof endpoint>>`
    select o.id, o.kind, h.name as "hardwareName", s.short_name as "storeName", o.cause, p.order_no as "orderNo", o.status, o.tries, o.message,
      o.by_name as "byName", o.created_at as "createdAt", o.sent_at as "sentAt"
    from hardware_outputs o
    join store_hardware h on h.service_provider_id = o.service_provider_id and h.id = o.hardware_id
    join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
    left join pay_orders p on p.service_provider_id = o.service_provider_id and p.id = o.order_id
    where ${inScope(ctx.scope, "o", "store")} and o.kind = any(${`{${kinds.filter((one) => kind === undefined || one === kind).join(",")}}`}::text[])
      ${hardwareId ? sql`and o.hardware_id = ${hardwareId}` : sql``} and ${after(cursor, "o.created_at", "o.id", "timestamptz", true)}
    order by o.created_at desc, o.id desc limit ${sql.lit(pageSize + 1)}`.execute(ctx.tx);
  return page(found.rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
});
