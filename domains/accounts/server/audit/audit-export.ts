import { sql } from "kysely";
import { countAll } from "@zhangfang/server/keyset.ts";
import { z } from "zod";
import type { ExportColumn, ExportSource } from "@zhangfang/server/export-source.ts";
import { readByCursor } from "@zhangfang/server/read-by-cursor.ts";
import { auditFilters } from "../../contract/audit.ts";
import { AUDIT_FROM, auditColumns, auditWhere, type Found, readable } from "./audit-rows.ts";

const columns: readonly ExportColumn[] = [
  { key: "at", label: "时间", kind: "time", width: 20 },
  { key: "login", label: "账号", kind: "text", width: 16 },
  { key: "actorLogin", label: "代管人", kind: "text", width: 16 },
  { key: "title", label: "操作", kind: "text", width: 20 },
  { key: "target", label: "对象", kind: "text", width: 40 },
  { key: "changes", label: "变更", kind: "text", width: 60 },
  { key: "serviceProviderName", label: "服务商", kind: "text", width: 16 },
  { key: "merchantName", label: "商户", kind: "text", width: 16 },
  { key: "ip", label: "来源", kind: "text", width: 18 },
  { key: "traceId", label: "追踪编号", kind: "text", width: 38 },
];
const input = z.object(auditFilters);

/** The operation log as a file: its filter, its rows, masked as on the screen. */
export const auditExport: ExportSource<typeof input> = {
  name: "audit-log",
  title: "操作日志",
  access: "/jurisdiction/audit/export",
  input,
  columns,
  count: (tx, scope, filter) => countAll(tx, sql`audit_log l where ${auditWhere(scope, filter)}`),
  async *rows(tx, scope, filter) {
    const query = sql<Found>`select ${auditColumns} from ${AUDIT_FROM} where ${auditWhere(scope, filter)} order by l.at desc, l.id desc`;
    for await (const batch of readByCursor(tx, { compile: () => query.compile(tx) }))
      yield batch.map(readable).map(({ changes, targetKind, targetId, id: _id, ...row }) => ({
        ...row,
        target: [targetKind, targetId].filter(Boolean).join(" "),
        changes: changes.map(({ field, before, after: now }) => `${field}：${before ?? "—"} → ${now ?? "—"}`).join("；"),
      }));
  },
};
