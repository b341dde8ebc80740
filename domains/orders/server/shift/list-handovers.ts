import { sql } from "kysely";
import type { z } from "zod";
import { all, during, is } from "@zhangfang/server/conditions.ts";
import { implement } from "@zhangfang/server/call.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { inScope } from "@zhangfang/server/scope.ts";
import { listHandovers, type handoverRow } from "../../contract/shift.ts";

/** 交班记录, newest first, each with the figures as they were fixed. */
export const listHandoversRoute = implement(listHandovers, async (ctx, { cursor, pageSize, storeId, cashierId, from, to }) => {
  const where = all([
    inScope(ctx.scope, "h", "store"),
    is("h.store_id", storeId),
    is("h.cashier_id", cashierId),
    during({ from, to }, "h.created_at"),
  ]);
  const found = await sql<z.input<typeof handoverRow>>`
    select h.id, h.store_id as "storeId", coalesce(s.short_name, '') as "storeName", h.cashier_id as "cashierId", c.name as "cashierName", h.from_at as "fromAt", h.to_at as "toAt",
      h.figures, h.note, h.handed_by_name as "handedByName", h.created_at as "createdAt"
    from handovers h
    left join stores s on s.service_provider_id = h.service_provider_id and s.id = h.store_id
    left join cashiers c on c.service_provider_id = h.service_provider_id and c.id = h.cashier_id
    where ${where} and ${after(cursor, "h.created_at", "h.id", "timestamptz", true)}
    order by h.created_at desc, h.id desc limit ${pageSize + 1}`.execute(ctx.tx);
  return page(found.rows, pageSize, (row) => ({ value: row.createdAt, id: row.id }));
});
