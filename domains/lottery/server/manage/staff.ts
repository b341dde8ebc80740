import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { phoneHash } from "../../../members/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addLotteryStaff, listLotteryStaff, removeLotteryStaff } from "../../contract/index.ts";
import { ownerOf } from "./write-lotteries.ts";

/** 员工名单. */
export const listLotteryStaffRoute = implement(listLotteryStaff, async ({ tx, scope }) => {
  const { rows } = await sql<{ id: string; name: string; phoneTail: string; byName: string; at: never }>`select s.id, s.name,
      s.phone_tail as "phoneTail", s.by_name as "byName", s.at from lottery_staff s
    where ${inScope(scope, "s", "merchant")} and s.removed_at is null order by s.at desc, s.id limit 1000`.execute(tx);
  return { items: rows };
});
/** 加入员工名单: of the phone only its keyed hash and its last four digits are kept. */
export const addLotteryStaffRoute = implement(addLotteryStaff, async (ctx, { name, phone }) => {
  const owner = ownerOf(ctx);
  const id = ctx.services.ids.uuid(ctx.now_ms);
  const added = await ctx.tx
    .insertInto("lottery_staff")
    .values({
      ...owner,
      id,
      subject_hash: phoneHash(ctx.services, owner.service_provider_id, phone),
      name,
      phone_tail: phone.slice(-4),
      by_name: askerOf(ctx).name,
      at: ctx.now,
    })
    .onConflict((twice) =>
      twice.columns(["service_provider_id", "merchant_id", "subject_hash"]).where("removed_at", "is", null).doNothing(),
    )
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw invalid("phone", "这个手机号已在名单里");
  ctx.note({
    targetKind: "lottery-staff",
    targetId: id,
    provider: owner.service_provider_id,
    merchant: owner.merchant_id,
    after: shown(name, phone.slice(-4)),
  });
  return { id };
});
/** 移出员工名单: the row stays, so that who could not draw until then can be shown later. */
export const removeLotteryStaffRoute = implement(removeLotteryStaff, async (ctx, { id }) => {
  const owner = ownerOf(ctx);
  const removed = await ctx.tx
    .updateTable("lottery_staff")
    .set({ removed_at: ctx.now })
    .where("service_provider_id", "=", owner.service_provider_id)
    .where("merchant_id", "=", owner.merchant_id)
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .returning(["name", "phone_tail"])
    .executeTakeFirst();
  if (!removed) throw notFound("员工");
  ctx.note({
    targetKind: "lottery-staff",
    targetId: id,
    provider: owner.service_provider_id,
    merchant: owner.merchant_id,
    before: shown(removed.name, removed.phone_tail),
    after: { removed: true },
  });
  return { ok: true as const };
});
/** Somebody of the list, as the audit shows them. */
const shown = (name: string, tail: string) => ({ name, phone: `*******${tail}` });
