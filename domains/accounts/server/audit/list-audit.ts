import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { listPage, type Listed, oneRow } from "@zhangfang/server/lists/list-page.ts";
import type { Scope } from "@zhangfang/server/database/scope.ts";
import { getAudit, listAudit } from "../../contract/audit/audit.ts";
import { AUDIT_FROM, auditColumns, auditWhere, type Found, readable } from "./audit-rows.ts";

/** The log, for screen and file. */
export const auditListed = (scope: Scope, filter: Parameters<typeof auditWhere>[1]): Listed => ({
  columns: auditColumns,
  from: AUDIT_FROM,
  counted: sql`audit_log l`,
  where: auditWhere(scope, filter),
  order: "l.at",
});

/** Who did what, newest first. */
export const listAuditRoute = implement(listAudit, async (ctx, input) => {
  const { items, ...rest } = await listPage<Found>(ctx.tx, input, auditListed(ctx.scope, input));
  return { items: items.map(readable), ...rest };
});
export const getAuditRoute = implement(getAudit, async ({ tx, scope }, { id }) =>
  readable(await oneRow<Found>(tx, "这条操作记录", id, auditListed(scope, {}))),
);
