import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { cancelAssignment } from "../../contract/index.ts";
import { mayUndo } from "./assignment-rules.ts";

interface Pending {
  readonly id: string;
  readonly merchant_id: string;
  readonly service_provider_id: string;
  readonly status: number;
  readonly set_level: Scope["level"];
  readonly effective_from: string;
}

/** 取消预约移交: before its day, by whoever decided it or somebody above. */
export const cancelAssignmentRoute = implement(cancelAssignment, async (ctx, { id }) => {
  const { rows } = await sql<Pending>`
    select r.id, r.merchant_id, r.service_provider_id, r.status, r.set_level, r.effective_from from merchant_assignments r
    join merchants m on m.service_provider_id = r.service_provider_id and m.id = r.merchant_id
    where r.batch_id = ${id} and ${inScope(ctx.scope, "m")} order by r.merchant_id for update of m, r`.execute(ctx.tx);
  const [first] = rows;
  if (first === undefined) throw notFound("预约移交");
  if (!mayUndo(ctx.scope.level, first.set_level)) throw conflict("此预约由上级设置，不能取消");
  const pending = rows.filter((row) => row.status === 0);
  if (pending.length === 0) throw conflict("此预约已生效或已取消");
  const provider = first.service_provider_id;
  await sql`update merchant_assignments set status = 2, why = ${`由 ${ctx.principal.name} 取消`}, closed_at = ${ctx.now}
    where service_provider_id = ${provider} and id = any(${`{${pending.map((row) => row.id).join(",")}}`}::uuid[]) and status = 0`.execute(
    ctx.tx,
  );
  for (const row of pending)
    await ctx.audit(ctx.tx, {
      targetKind: "merchant",
      targetId: row.merchant_id,
      before: { effectiveFrom: row.effective_from },
      after: { 预约: "已取消" },
      provider,
      merchant: row.merchant_id,
    });
  ctx.note({ targetKind: "merchants", targetId: id, after: { count: pending.length }, provider });
  return { count: pending.length };
});
