import { z } from "zod";
import { exportColumn, fileOf, type ExportSource } from "@zhangfang/server/lists/export-source.ts";
import { auditField, auditValue } from "../../contract/audit/audit-words.ts";
import { auditFilters } from "../../contract/audit/audit.ts";
import { type Found, readable } from "./audit-rows.ts";
import { auditListed } from "./list-audit.ts";

const input = z.object(auditFilters);

/** The operation log as a file: its filter, its rows, masked as on the screen. */
export const auditExport: ExportSource<typeof input> = {
  name: "audit-log",
  title: "操作日志",
  access: "/jurisdiction/audit/export",
  input,
  columns: [
    exportColumn("at", "时间", 20, "time"),
    exportColumn("login", "账号", 16),
    exportColumn("actorLogin", "代管人", 16),
    exportColumn("title", "操作", 20),
    exportColumn("target", "对象", 40),
    exportColumn("changes", "变更", 60),
    exportColumn("serviceProviderName", "服务商", 16),
    exportColumn("merchantName", "商户", 16),
    exportColumn("ip", "来源", 18),
    exportColumn("traceId", "追踪编号", 38),
  ],
  ...fileOf(auditListed, (found: Found) => {
    const { changes, targetKind, targetId, id: _id, ...row } = readable(found);
    return {
      ...row,
      target: [targetKind, targetId].filter(Boolean).join(" "),
      changes: changes
        .map(
          ({ field, before, after: now }) =>
            `${auditField(field)}：${auditValue(field, before, targetKind)} → ${auditValue(field, now, targetKind)}`,
        )
        .join("；"),
    };
  }),
};
