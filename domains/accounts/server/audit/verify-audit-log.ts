import { sql } from "kysely";
import { walkAudit } from "@zhangfang/server/calls/audit-seal.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { verifyAuditLog } from "../../contract/audit/audit.ts";

const SHOWN = 20;

/** Walks the chain of the caller's provider, or as the platform every chain; that it was done stands in the log itself. */
export const verifyAuditLogRoute = implement(verifyAuditLog, async (ctx) => {
  const { level, provider } = ctx.scope;
  if (level !== "ADMIN" && (level !== "SP" || provider === undefined)) throw notFound("操作日志");
  const found = await walkAudit(ctx.services, provider);
  const pending = await ctx.platform("count what is not sealed yet", async (tx) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit_log a
      where ${provider === undefined ? sql`true` : sql`a.service_provider_id = ${provider}`} and a.at > ${ctx.now}::timestamptz - interval '1 day'
        and not exists (select 1 from audit_seals s where s.audit_id = a.id)`.execute(tx);
    return rows[0]?.n ?? 0;
  });
  const answer = {
    checked: found.checked,
    chains: found.chains,
    pending,
    broken: found.broken.slice(0, SHOWN),
    brokenCount: found.broken.length,
    checkedAt: ctx.now as never,
  };
  await ctx.transaction((tx) => ctx.audit(tx, { targetKind: "audit-log", after: { checked: answer.checked, broken: answer.brokenCount } }));
  return answer;
});
