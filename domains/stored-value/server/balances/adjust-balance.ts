import { type Selectable, sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { mustChange, type DB } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { withMembers } from "../../../members/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addLot, cutLots, lockHolder } from "../../../value-book/server/index.ts";
import { adjustBalance, decideAdjust, listAdjusts, MOST_CENTS } from "../../contract/index.ts";
import { posterOf } from "../contributor.ts";
import { frozenWords, type HoldingMember, memberByNo } from "../member.ts";
import { isOwn, selfDecided, storeInSight } from "../recharge/offline-recharge.ts";
import { ruleNow } from "../rules/read-rules.ts";

type AdjustRow = Selectable<DB["value_adjusts"]>;

/** What one person gives a member in a day without another, where no rule was saved. */
const GIFT_ALONE_CENTS = 50_000;
/** Whether one more gift of that day may be one person's own: the day's together stay within the rule's line. The member is held. */
async function mayGive(ctx: Ctx, member: HoldingMember, cents: number): Promise<boolean> {
  await lockHolder(ctx.tx, member);
  const { rows } = await sql<{ given: number }>`select coalesce(sum(w.cents), 0)::bigint as given from value_adjusts w
    where w.service_provider_id = ${member.service_provider_id} and w.member_id = ${member.member_id} and w.kind = 1 and w.status = 1
      and w.decided_by is null and w.created_at >= ${dayStart(shanghaiDay(ctx.now_ms))}`.execute(ctx.tx);
  const line = (await ruleNow(ctx.tx, member))?.second_above_cents ?? GIFT_ALONE_CENTS;
  return (rows[0]?.given ?? 0) + cents <= line;
}

/** 改余额: less of the gift at once by one person, more of it within the day's line; what is more, and less of the principal, waits for another. */
export const adjustBalanceRoute = implement(
  adjustBalance,
  async (ctx, { requestId, storeId, memberNo, kind, amountCents, reason, note }) => {
    const store = await storeInSight(ctx, storeId);
    const member = await memberByNo(ctx.tx, store, memberNo);
    const why = frozenWords(member);
    if (why !== undefined) throw conflict(why, "member.frozen");
    if (kind === 1 && (member.stage === 0 || !member.named)) throw conflict("会员须先登记姓名并确认手机号", "member.unconfirmed");
    const asker = askerOf(ctx);
    const adjust = await ctx.tx
      .insertInto("value_adjusts")
      .values({
        ...store,
        id: ctx.services.ids.uuid(ctx.now_ms),
        request_id: requestId,
        member_id: member.member_id,
        kind,
        status: 0,
        cents: amountCents,
        reason,
        note,
        asked_by: asker.id,
        asked_by_name: asker.name,
        created_at: ctx.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const alone = kind === 2 || (kind === 1 && (await mayGive(ctx, member, amountCents)));
    if (alone) await carryOut(ctx, adjust);
    noteOf(ctx, adjust, { memberNo, kind, amountCents, reason, note });
    return { ok: true as const, id: adjust.id, status: alone ? (1 as const) : (0 as const) };
  },
);

async function carryOut(ctx: Ctx, adjust: AdjustRow, decision: Partial<AdjustRow> = {}): Promise<void> {
  const { tx, services } = ctx;
  const { service_provider_id, merchant_id, member_id, store_id, id, kind, cents } = adjust;
  const holder = { service_provider_id, merchant_id, member_id };
  if (kind === 1) {
    const held = await lockHolder(tx, holder);
    const sum = ["principal", "principal-held", "gift", "gift-held"].reduce((all, one) => all + (held.get(one) ?? 0), 0);
    if (sum + cents > MOST_CENTS) throw invalid("amountCents", `每人储值最多 ${yuan(MOST_CENTS)} 元，现有 ${yuan(sum)} 元`);
    const gift = { cause: "stored-adjust" as const, cause_id: id, sold_store_id: store_id, mode: "ratio" as const };
    await addLot(tx, posterOf(services), holder, { ...gift, principal_cents: 0, gift_cents: cents });
  } else await cutLots(tx, posterOf(services), holder, { cause_id: id, store_id, kind: kind === 2 ? "gift" : "principal", cents });
  await moveAdjust(ctx, adjust, { ...decision, status: 1 });
}
async function moveAdjust({ tx }: Ctx, { service_provider_id, id }: AdjustRow, to: Partial<AdjustRow>): Promise<void> {
  const moved = await tx
    .updateTable("value_adjusts")
    .set(to)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", 0)
    .executeTakeFirst();
  mustChange(moved, () => conflict("此申请已被处理，请刷新后查看"));
}

interface Waiting extends AdjustRow {
  readonly no: string;
  readonly store: string;
}
/** 待审改余额, the oldest first. */
export const listAdjustsRoute = implement(listAdjusts, async (ctx) => {
  const { rows } = await sql<Waiting>`select w.*, m.no, s.short_name as store from value_adjusts w
    join members m on m.service_provider_id = w.service_provider_id and m.id = w.member_id
    join stores s on s.service_provider_id = w.service_provider_id and s.id = w.store_id
    where w.status = 0 and ${inScope(ctx.scope, "w", "store")} order by w.created_at, w.id limit 200`.execute(ctx.tx);
  const shown = await withMembers(
    ctx,
    rows.map(({ member_id, no }) => ({ memberId: member_id, memberNo: no })),
  );
  return {
    items: rows.map((row, at) => ({
      id: row.id,
      ...shown[at]!,
      storeName: row.store,
      kind: row.kind as 1,
      cents: row.cents as never,
      reason: row.reason as 1,
      note: row.note,
      askedBy: row.asked_by_name,
      mayDecide: !isOwn(ctx, row.asked_by),
      createdAt: row.created_at as never,
    })),
  };
});

/** 审核改余额: by another than who asked. */
export const decideAdjustRoute = implement(decideAdjust, async (ctx, { id, approve }) => {
  const adjust = await ctx.tx
    .selectFrom("value_adjusts as w")
    .selectAll("w")
    .where("w.id", "=", id)
    .where(inScope(ctx.scope, "w", "store"))
    .forUpdate()
    .executeTakeFirst();
  if (!adjust) throw notFound("改余额");
  if (adjust.status !== 0) throw conflict("此申请已被处理，请刷新后查看");
  if (isOwn(ctx, adjust.asked_by)) throw selfDecided();
  const by = askerOf(ctx);
  const decision = { decided_by: by.id, decided_by_name: by.name };
  if (approve) await carryOut(ctx, adjust, decision);
  else await moveAdjust(ctx, adjust, { ...decision, status: 2 });
  noteOf(ctx, adjust, { approve, cents: adjust.cents });
  return { ok: true as const };
});
function noteOf(ctx: Ctx, { id, service_provider_id, merchant_id }: AdjustRow, after: object): void {
  ctx.note({ targetKind: "value_adjust", targetId: id, provider: service_provider_id, merchant: merchant_id, after });
}
