import { read, write } from "@zhangfang/contract/endpoint.ts";
import { dateRange, flag, id, instant, line, listInput, listOutput } from "@zhangfang/contract/fields.ts";
import { z } from "zod";

/** One field of what a write changed, in text, masked; null where there was nothing. */
const change = z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() });
export const auditRow = z.object({
  id,
  at: instant,
  /** As whom; null where nobody was signed in. */
  login: z.string().nullable(),
  /** Who really acted, in a session of log in as. */
  actorLogin: z.string().nullable(),
  /** What was called, in words. */
  title: z.string(),
  targetKind: z.string().nullable(),
  targetId: z.string().nullable(),
  changes: z.array(change),
  ip: z.string().nullable(),
  traceId: z.string().nullable(),
  serviceProviderName: z.string().nullable(),
  merchantName: z.string().nullable(),
});
export const auditFilters = {
  ...dateRange,
  /** The login that acted or was acted for. */
  keyword: line(64).optional(),
  /** What was called, or a part of it. */
  title: line(32).optional(),
  targetId: line(64).optional(),
  /** Only what somebody did in another's name. */
  acting: flag.optional(),
  serviceProviderId: id.optional(),
  merchantId: id.optional(),
};
/** Who did what, newest first: the platform all of it, a provider its tree's, a merchant its own. */
export const listAudit = read({
  path: "/api/audit",
  title: "操作日志",
  access: "/jurisdiction/audit",
  bearsDelay: true,
  input: listInput(auditFilters, ["-at"]),
  output: listOutput(auditRow),
});
export const getAudit = read({
  path: "/api/audit/:id",
  title: "操作日志详情",
  access: "/jurisdiction/audit",
  bearsDelay: true,
  input: z.object({ id }),
  output: auditRow,
});
/**
 * Walks the hash chain over the log: the provider its own, the platform every one. A row that was changed, removed or put in
 * between is at fault; what is younger than a minute or so is not sealed yet.
 */
export const verifyAuditLog = write({
  path: "/api/audit/verify",
  title: "核验操作日志",
  access: "/jurisdiction/audit/verify",
  outside: true,
  deadline_ms: 40_000,
  input: z.object({}),
  output: z.object({
    checked: z.int(),
    pending: z.int(),
    chains: z.int(),
    /** The first rows at fault, at most 20, and how many there are. */
    broken: z.array(id),
    brokenCount: z.int(),
    checkedAt: instant,
  }),
});
