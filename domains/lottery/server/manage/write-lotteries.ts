import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, notFound, Refusal } from "@zhangfang/server/calls/errors.ts";
import { mustChange } from "@zhangfang/server/database/db.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { isMaker } from "../../../coupons/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { addLottery, priceLottery, updateLottery, withdrawLottery } from "../../contract/index.ts";
import { checkTerms, readTerms, spanOf, writeTerms } from "./check-terms.ts";
import { decided, heldHead, type LotteryHead } from "./find-lottery.ts";

type Own = Pick<LotteryHead, "id" | "service_provider_id" | "merchant_id">;
/** What is done to a lottery, for the audit log. */
export const noteOf = (ctx: Ctx, { id, service_provider_id, merchant_id }: Own, after: object, before?: object) =>
  ctx.note({
    targetKind: "lottery",
    targetId: id,
    provider: service_provider_id,
    merchant: merchant_id,
    ...(before && { before }),
    after,
  });
/** The merchant that calls. @throws 404 */
export function ownerOf({ scope }: Pick<Ctx, "scope">) {
  const { provider, merchant } = scope;
  if (!provider || !merchant) throw notFound("商户");
  return { service_provider_id: provider, merchant_id: merchant };
}

/** 摇一摇成本: what the form shows before it is sent. */
export const priceLotteryRoute = implement(priceLottery, async (ctx, facts) => {
  const { costs, most_cents, said, law } = await readTerms(ctx, ownerOf(ctx), facts);
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from lottery_staff s
    where ${inScope(ctx.scope, "s", "merchant")} and s.removed_at is null`.execute(ctx.tx);
  return { values: costs as never, costs: costs as never, budgetCents: most_cents as never, said, law: [...law], staff: rows[0]!.n };
});

/** 新建摇一摇: nobody draws before another person says yes. */
export const addLotteryRoute = implement(addLottery, async (ctx, { requestId: _request, ...facts }) => {
  const owner = ownerOf(ctx);
  const checked = await checkTerms(ctx, owner, facts);
  const { id: made_by, name: made_by_name } = askerOf(ctx);
  const [id, no] = [ctx.services.ids.uuid(ctx.now_ms), ctx.services.ids.digits(10)];
  const { name, terms } = facts;
  await ctx.tx
    .insertInto("lotteries")
    .values({ ...owner, ...spanOf(facts), id, no, name, state: "UNAUDIT", made_by, made_by_name, created_at: ctx.now })
    .execute();
  await writeTerms(ctx.tx, owner, { ...checked, lottery_id: id, version: 1, terms, by_name: made_by_name, at: ctx.now });
  await ctx.tx
    .insertInto("lottery_counts")
    .values({ ...owner, lottery_id: id, last_hash: Buffer.alloc(32), budget_cents: checked.most_cents })
    .execute();
  noteOf(ctx, { id, ...owner }, facts);
  return { id, no };
});

/** Only who made it changes and withdraws it, so that whoever approves it had no hand in it. */
function mustBeMaker(ctx: Ctx, lottery: LotteryHead): void {
  if (!isMaker(ctx, lottery)) throw new Refusal(403, "second-person", "只有提交人可以修改或撤回");
}

/** 修改摇一摇, while it waits. */
export const updateLotteryRoute = implement(updateLottery, async (ctx, { id, version, ...facts }: ParsedOf<typeof updateLottery>) => {
  const lottery = await heldHead(ctx, id);
  mustBeMaker(ctx, lottery);
  if (lottery.state !== "UNAUDIT") throw decided();
  if (lottery.version !== version) throw conflict("活动已被修改，请重新打开后再改");
  const checked = await checkTerms(ctx, lottery, facts);
  const { name, terms } = facts;
  await writeTerms(ctx.tx, lottery, {
    ...checked,
    lottery_id: id,
    version: version + 1,
    terms,
    by_name: askerOf(ctx).name,
    at: ctx.now,
  });
  const changed = await ctx.tx
    .updateTable("lotteries")
    .set({ name, ...spanOf(facts), version: version + 1 })
    .where("service_provider_id", "=", lottery.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .where("version", "=", version)
    .executeTakeFirst();
  mustChange(changed, decided);
  const budgeted = await ctx.tx
    .updateTable("lottery_counts")
    .set({ budget_cents: checked.most_cents })
    .where("service_provider_id", "=", lottery.service_provider_id)
    .where("lottery_id", "=", id)
    .where("draws", "=", 0)
    .executeTakeFirst();
  mustChange(budgeted, decided);
  noteOf(ctx, lottery, facts);
  return { ok: true as const };
});

/** 撤回摇一摇. */
export const withdrawLotteryRoute = implement(withdrawLottery, async (ctx, { id }) => {
  const lottery = await heldHead(ctx, id);
  mustBeMaker(ctx, lottery);
  const by = askerOf(ctx);
  const withdrawn = await ctx.tx
    .updateTable("lotteries")
    .set({ state: "STOPED", stopped_at: ctx.now, decided_by: by.id, decided_by_name: by.name, decided_at: ctx.now })
    .where("service_provider_id", "=", lottery.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .executeTakeFirst();
  mustChange(withdrawn, decided);
  noteOf(ctx, lottery, { state: "STOPED" });
  return { ok: true as const };
});
