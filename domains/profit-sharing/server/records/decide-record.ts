import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { decideReturnRecord, decideShareRecord, recordResult } from "../../contract/index.ts";
import type { Ref } from "../rows.ts";
import { mustBeSilent, mustWait, nameOf } from "./record-result.ts";
import type { Kind, RecordRow } from "./subject.ts";
import { wake } from "./wake.ts";

/** 复核分账登记: by another person; confirmed, it is taken as the channel's answer would be. */
export const decideShareRecordRoute = implement(decideShareRecord, (ctx, given) => decide(ctx, "share", given));
/** 复核回退登记. */
export const decideReturnRecordRoute = implement(decideReturnRecord, (ctx, given) => decide(ctx, "return", given));

async function decide(ctx: Ctx, kind: Kind, { id, decision, note }: ParsedOf<typeof decideShareRecord>): Promise<{ ok: true }> {
  const record = await ctx.transaction((tx) =>
    tx
      .selectFrom("sharing_records as r")
      .selectAll("r")
      .where("r.id", "=", id)
      .where(kind === "share" ? "r.sharing_id" : "r.return_id", "is not", null)
      .where(inScope(ctx.scope, "r", "store"))
      .executeTakeFirst(),
  );
  if (!record) throw notFound("登记");
  if (record.state !== "waiting") throw conflict("登记已复核，请刷新后查看");
  const decider = ctx.principal.actorId ?? ctx.principal.id;
  if (record.by_user === decider || record.by_user === ctx.principal.id)
    throw new Refusal(403, "sharing.self-approval", "不能复核自己提交的登记");
  const ref = refOf(record);
  if (decision === "confirm") await mustBeSilent(ctx, kind, ref);
  await ctx.transaction(async (tx) => {
    if (decision === "confirm") await mustWait(ctx, tx, kind, ref);
    const moved = await tx
      .updateTable("sharing_records")
      .set({
        state: decision === "confirm" ? "confirmed" : "rejected",
        decided_by: decider,
        decided_by_name: nameOf(ctx),
        decided_at: ctx.now,
        decision_note: note ?? null,
      })
      .where("service_provider_id", "=", record.service_provider_id)
      .where("id", "=", id)
      .where("state", "=", "waiting")
      .executeTakeFirst();
    mustChange(moved, () => conflict("登记已复核，请刷新后查看"));
    if (decision === "confirm") await wake(tx, ctx.services, kind, ref, ctx.now);
    await ctx.audit(tx, {
      targetKind: kind === "share" ? "sharing" : "share-return",
      targetId: ref.id,
      provider: record.service_provider_id,
      merchant: record.merchant_id,
      after: {
        number: record.number,
        result: recordResult.label(record.result as "done"),
        decision: decision === "confirm" ? "通过" : "驳回",
        note,
      },
    });
  });
  return { ok: true };
}
/** What a record is about. */
export const refOf = ({ service_provider_id, sharing_id, return_id }: RecordRow): Ref => ({
  service_provider_id,
  id: (sharing_id ?? return_id)!,
});
