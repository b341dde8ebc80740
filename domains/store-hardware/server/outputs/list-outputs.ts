import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { RowOf } from "@zhangfang/contract/endpoint.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listOutputs } from "../../contract/index.ts";

/** 打印和播报记录: newest first. Whoever holds one of the two screens sees its kind alone. */
export const listOutputsRoute = implement(listOutputs, (ctx, { kind, hardwareId, withTotal: _untold, ...input }) => {
  const kinds = [
    ...(ctx.principal.holds(["/store/printers"]) ? ["printer"] : []),
    ...(ctx.principal.holds(["/store/trumpet"]) ? ["speaker"] : []),
  ];
  return listPage<RowOf<typeof listOutputs>>(ctx.tx, input, {
    columns: sql`o.id, o.kind, h.name as "hardwareName", s.short_name as "storeName", o.cause, p.order_no as "orderNo", o.status, o.tries, o.message,
      o.by_name as "byName", o.created_at as "createdAt", o.sent_at as "sentAt"`,
    from: sql`hardware_outputs o
      join store_hardware h on h.service_provider_id = o.service_provider_id and h.id = o.hardware_id
      join stores s on s.service_provider_id = o.service_provider_id and s.id = o.store_id
      left join pay_orders p on p.service_provider_id = o.service_provider_id and p.id = o.order_id`,
    where: sql`${inScope(ctx.scope, "o", "store")} and o.kind = any(${`{${kinds.filter((one) => kind === undefined || one === kind).join(",")}}`}::text[])
      ${hardwareId ? sql`and o.hardware_id = ${hardwareId}` : sql``}`,
    order: "o.created_at",
  });
});
