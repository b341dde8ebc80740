import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { listPage } from "@zhangfang/server/list-page.ts";
import { listAudit as endpoint } from "../../contract/audit.ts";
import { AUDIT_FROM, auditColumns, auditWhere, type Found, readable } from "./audit-rows.ts";

/** Who did what, newest first. */
export const listAudit = implement(endpoint, async (ctx, input) => {
  const { items, ...rest } = await listPage<Found>(ctx.tx, input, {
    columns: auditColumns,
    from: AUDIT_FROM,
    counted: sql`audit_log l`,
    where: auditWhere(ctx.scope, input),
    order: "l.at",
  });
  return { items: items.map(readable), ...rest };
});
