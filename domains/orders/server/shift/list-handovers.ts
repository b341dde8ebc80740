import { sql } from "kysely";
import type { z } from "zod";
import { all, during, is } from "@zhangfang/server/lists/conditions.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listPage } from "@zhangfang/server/lists/list-page.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { listHandovers, type handoverRow } from "../../contract/shift.ts";

type Row = z.input<typeof handoverRow>;
// Figures that were fixed before stored value was told apart have it among 优惠, and what was sold beforehand among the rest.
const told = <F extends object>(figures: F): F => ({
  storedCents: 0,
  rechargeCents: 0,
  rechargeBackCents: 0,
  cardCents: 0,
  cardBackCents: 0,
  ...figures,
});

/** 交班记录, newest first, each with the figures as they were fixed. */
export const listHandoversRoute = implement(listHandovers, async (ctx, { withTotal: _untold, ...input }) => {
  const page = await listPage<Row>(ctx.tx, input, {
    columns: sql`h.id, h.store_id as "storeId", coalesce(s.short_name, '') as "storeName", h.cashier_id as "cashierId", c.name as "cashierName", h.from_at as "fromAt", h.to_at as "toAt",
      h.figures, h.note, h.handed_by_name as "handedByName", h.created_at as "createdAt"`,
    from: sql`handovers h
      left join stores s on s.service_provider_id = h.service_provider_id and s.id = h.store_id
      left join cashiers c on c.service_provider_id = h.service_provider_id and c.id = h.cashier_id`,
    where: all([
      inScope(ctx.scope, "h", "store"),
      is("h.store_id", input.storeId),
      is("h.cashier_id", input.cashierId),
      during(input, "h.created_at"),
    ]),
    order: "h.created_at",
  });
  const items = page.items.map((row): Row => ({
    ...row,
    figures: { ...row.figures, outside: row.figures.outside ?? [], rows: row.figures.rows.map(told), total: told(row.figures.total) },
  }));
  return { ...page, items };
});
