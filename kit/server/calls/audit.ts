import { sql } from "kysely";
import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { behind, type Transaction } from "../database/db.ts";
import type { Services } from "../services.ts";
import type { AuditNote, AuditRow, Ctx, Incoming } from "./ctx.ts";

/** Who writes, and from where. */
export type Writing = Pick<Ctx, "services" | "principal" | "scope" | "now_ms" | "now"> & {
  readonly incoming: Pick<Incoming, "ip" | "traceId">;
};

/** The row of a write: who, really who, which call, to what, before and after. */
export function auditRow(ctx: Writing, endpoint: Endpoint, note: AuditNote): AuditRow {
  const person = ctx.principal.kind === "user" ? ctx.principal.id : undefined;
  return {
    id: ctx.services.ids.uuid(ctx.now_ms),
    service_provider_id: note.provider ?? ctx.scope.provider ?? null,
    merchant_id: note.merchant ?? ctx.scope.merchant ?? null,
    at: ctx.now,
    user_id: note.userId ?? person ?? null,
    actor_user_id: ctx.principal.actorId ?? null,
    login: note.login ?? (ctx.principal.name || null),
    endpoint: endpoint.path,
    title: endpoint.title,
    target_kind: note.targetKind ?? null,
    target_id: note.targetId ?? null,
    detail: JSON.stringify({
      ...(note.before !== undefined && { before: note.before }),
      ...(note.after !== undefined && { after: note.after }),
    }),
    ip: ctx.incoming.ip,
    trace_id: ctx.incoming.traceId,
  };
}
/** Adds the audit row of a write in the write's own transaction. */
export const writeAudit = (tx: Transaction, ctx: Writing, endpoint: Endpoint, note: AuditNote): Promise<void> =>
  addAuditRows(tx, [auditRow(ctx, endpoint, note)]);
/** The rows of several writes that go as one transaction. However many they are, it is one statement that is prepared once. */
export async function addAuditRows(tx: Transaction, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length === 1) behind(tx, tx.insertInto("audit_log").values(rows[0]!));
  else if (rows.length > 1)
    behind(
      tx,
      sql`insert into audit_log (id, service_provider_id, merchant_id, at, user_id, actor_user_id, login, endpoint, title, target_kind, target_id, detail, ip, trace_id)
        select r.id, r.service_provider_id, r.merchant_id, r.at, r.user_id, r.actor_user_id, r.login, r.endpoint, r.title, r.target_kind, r.target_id, r.detail::jsonb, r.ip, r.trace_id
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id uuid, service_provider_id uuid, merchant_id uuid, at timestamptz, user_id uuid,
          actor_user_id uuid, login text, endpoint text, title text, target_kind text, target_id text, detail text, ip text, trace_id text)`,
    );
}

/** What a job did later in the name of whoever asked for it, or of nobody. */
export interface LaterNote extends AuditNote {
  /** The call that it was asked for by, or the job's name, and what the staff call it. */
  readonly endpoint: string;
  readonly title: string;
}

/**
 * The audit row of a job's change, in its transaction.
 * @example await auditLater(tx, services, { endpoint: "expire-agents", title: "代理商合同到期", targetKind: "agent", targetId: id, provider });
 */
export async function auditLater(tx: Transaction, services: Services, note: LaterNote): Promise<void> {
  const now_ms = services.clock.now_ms();
  await tx
    .insertInto("audit_log")
    .values({
      id: services.ids.uuid(now_ms),
      service_provider_id: note.provider ?? null,
      merchant_id: note.merchant ?? null,
      at: new Date(now_ms).toISOString(),
      user_id: note.userId ?? null,
      login: note.login ?? null,
      endpoint: note.endpoint,
      title: note.title,
      target_kind: note.targetKind ?? null,
      target_id: note.targetId ?? null,
      detail: JSON.stringify({ before: note.before, after: note.after }),
    })
    .execute();
}
