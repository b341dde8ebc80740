import { sql } from "kysely";
import { implement } from "@zhangfang/server/call.ts";
import { after, countRows, page } from "@zhangfang/server/keyset.ts";
import { listAudit as endpoint } from "../../contract/audit.ts";
import { AUDIT_FROM, auditColumns, auditWhere, type Found, readable } from "./audit-rows.ts";

/** Who did what, newest first. */
export const listAudit = implement(endpoint, async (ctx, input) => {
  const conditions = auditWhere(ctx.scope, input);
  const found = await sql<Found>`select ${auditColumns} from ${AUDIT_FROM}
    where ${conditions} and ${after(input.cursor, "l.at", "l.id", "timestamptz", true)}
    order by l.at desc, l.id desc limit ${input.pageSize + 1}`.execute(ctx.tx);
  return {
    ...page(found.rows.map(readable), input.pageSize, (row) => ({ value: row.at, id: row.id })),
    ...(input.withTotal && { total: await countRows(ctx.tx, sql`audit_log l where ${conditions}`) }),
  };
});
