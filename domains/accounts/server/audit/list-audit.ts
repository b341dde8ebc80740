import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { after, page } from "@zhangfang/server/keyset.ts";
import { listAudit as endpoint } from "../../contract/audit.ts";
import { AUDIT_FROM, auditColumns, auditWhere, type Found, readable } from "./audit-rows.ts";

/** Who did what, newest first. */
export const listAudit = implement(endpoint, async (ctx, input) => {
  const conditions = auditWhere(ctx.scope, input);
  const found = await sql<Found>`select ${auditColumns} from ${AUDIT_FROM}
    where ${conditions} and ${after(input.cursor, "l.at", "l.id", "timestamptz", true)}
    order by l.at desc, l.id desc limit ${input.pageSize + 1}`.execute(ctx.tx);
  const { items, next } = page(found.rows.map(readable), input.pageSize, (row) => ({ value: row.at, id: row.id }));
  if (!input.withTotal) return { items, next };
  const counted = await sql<{ count: number }>`
    select count(*)::int as count from (select 1 from audit_log l where ${conditions} limit 10001) x`.execute(ctx.tx);
  const count = counted.rows[0]?.count ?? 0;
  return { items, next, total: { count: Math.min(count, 10_000), more: count > 10_000 } };
});
