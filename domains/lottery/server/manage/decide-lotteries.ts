import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { asPlatform, mustChange, type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { freeCouponStock, holdCouponStock, mustBeAnother, mustMayDecide } from "../../../coupons/server/index.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { decideLottery, raiseLotteryStock, steerLottery } from "../../contract/index.ts";
import { sealLast } from "../draws/chain.ts";
import { chainOf, dayNo } from "../rules/draw-rules.ts";
import { daysOf, MOST_BUDGET, OVER_BUDGET } from "./check-terms.ts";
import { decided, heldHead, heldLottery, type LotteryHead, type LotteryRef, prizesOf } from "./find-lottery.ts";
import { noteOf } from "./write-lotteries.ts";

/** Makes the prizes and sets their coupons aside. @throws 409 where so many are not left, or a campaign gives out none */
async function makePrizes(tx: Transaction, { service_provider_id, merchant_id, id, terms, costs }: LotteryHead): Promise<void> {
  const rows = terms.prizes.map(({ kind, campaignId, amount, stock }, at) => ({
    place: at + 1,
    kind,
    campaign_id: kind === "coupon" ? campaignId : null,
    amount: kind === "points" || kind === "balance" ? amount : 1,
    cost_cents: costs[at]!,
    stock,
    held: kind === "coupon" ? stock : 0,
  }));
  for (const { campaign_id, stock, cost_cents } of rows.toSorted((a, b) => ((a.campaign_id ?? "") < (b.campaign_id ?? "") ? -1 : 1)))
    if (campaign_id !== null) await holdCouponStock(tx, { service_provider_id, campaign_id }, stock, cost_cents);
  await tx
    .insertInto("lottery_prizes")
    .values(rows.map((row) => ({ service_provider_id, merchant_id, lottery_id: id, ...row })))
    .execute();
}
/** Begins the chain of seeds: its end is sealed, its begin goes to the rules and to the first draw. @returns seed(0) */
async function beginChain(tx: Transaction, services: Services, lottery: LotteryHead): Promise<Buffer> {
  const { service_provider_id, merchant_id, id: lottery_id } = lottery;
  const { firstDay, lastDay } = daysOf(lottery);
  const days = dayNo(firstDay, lastDay);
  const last = randomBytes(32);
  const seed0 = chainOf(last, days)[0]!;
  const last_sealed = sealLast(services, lottery, last);
  await asPlatform(tx, () =>
    tx.insertInto("lottery_chains").values({ service_provider_id, merchant_id, lottery_id, days, last_sealed }).execute(),
  );
  const begun = await sql`update lottery_counts c set last_hash = ${seed0} where c.service_provider_id = ${service_provider_id}
    and c.lottery_id = ${lottery_id} and c.draws = 0`.execute(tx);
  mustChange({ numUpdatedRows: begun.numAffectedRows ?? 0n }, decided);
  return seed0;
}

/** 审核摇一摇: what is approved is what was read; its coupons are set aside and its rules and seed(0) are published from here on. */
export const decideLotteryRoute = implement(decideLottery, async (ctx, { id, version, approve, refundPassword }) => {
  const lottery = await heldHead(ctx, id);
  if (lottery.state !== "UNAUDIT") throw decided();
  if (lottery.version !== version) throw conflict("活动已被修改，请重新查看后再审核");
  let alone = false;
  let seed0: Buffer | undefined;
  if (!approve) mustBeAnother(ctx, lottery);
  else {
    alone = await mustMayDecide(ctx, lottery, { liability_cents: lottery.most_cents, refundPassword });
    // Rules and seed(0) are published before the first draw, and no day goes by that they were not there for.
    if (daysOf(lottery).firstDay < shanghaiDay(ctx.now_ms)) throw conflict("开始日已过，请修改日期");
    await makePrizes(ctx.tx, lottery);
    seed0 = await beginChain(ctx.tx, ctx.services, lottery);
  }
  const by = askerOf(ctx);
  const changed = await ctx.tx
    .updateTable("lotteries")
    .set({
      state: approve ? "RUNNING" : "STOPED",
      alone,
      decided_by: by.id,
      decided_by_name: by.name,
      decided_at: ctx.now,
      ...(seed0 ? { seed0 } : { stopped_at: ctx.now }),
    })
    .where("service_provider_id", "=", lottery.service_provider_id)
    .where("id", "=", id)
    .where("state", "=", "UNAUDIT")
    .where("version", "=", version)
    .executeTakeFirst();
  mustChange(changed, decided);
  noteOf(ctx, lottery, { state: approve ? "RUNNING" : "STOPED", alone, version }, { state: lottery.state });
  return { ok: true as const };
});

/** Ends a lottery that is held: what nobody drew is free again, what was drawn is given all the same. */
async function stop(tx: Transaction, lottery: LotteryRef, now: string): Promise<void> {
  const { service_provider_id, id } = lottery;
  const changed = await tx
    .updateTable("lotteries")
    .set({ state: "STOPED", stopped_at: now })
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("state", "in", ["RUNNING", "PAUSED"])
    .executeTakeFirst();
  mustChange(changed, decided);
  const prizes = await prizesOf(tx, lottery);
  for (const { place, campaign_id, stock, drawn } of prizes.toSorted((a, b) => ((a.campaign_id ?? "") < (b.campaign_id ?? "") ? -1 : 1))) {
    if (campaign_id === null || stock === drawn) continue;
    const freed =
      await sql`update lottery_prizes p set held = p.held - ${stock - drawn} where p.service_provider_id = ${service_provider_id}
      and p.lottery_id = ${id} and p.place = ${place} and p.held >= ${stock - drawn}`.execute(tx);
    mustChange({ numUpdatedRows: freed.numAffectedRows ?? 0n }, () => new Error("a prize holds fewer coupons than are left of it"));
    await freeCouponStock(tx, { service_provider_id, campaign_id }, stock - drawn);
  }
}
const STEER = { pause: ["RUNNING", "PAUSED"], resume: ["PAUSED", "RUNNING"] } as const;
/** 暂停, 恢复, 结束: what was drawn is given all the same. */
export const steerLotteryRoute = implement(steerLottery, async (ctx, { id, act }) => {
  const lottery = await heldHead(ctx, id);
  if (act === "stop") {
    if (lottery.state !== "RUNNING" && lottery.state !== "PAUSED") throw decided();
    await stop(ctx.tx, lottery, ctx.now);
  } else {
    const [from, to] = STEER[act];
    if (act === "resume" && Date.parse(lottery.ends_at) <= ctx.now_ms) throw conflict("活动时间已过，不能恢复");
    const changed = await ctx.tx
      .updateTable("lotteries")
      .set({ state: to })
      .where("service_provider_id", "=", lottery.service_provider_id)
      .where("id", "=", id)
      .where("state", "=", from)
      .executeTakeFirst();
    mustChange(changed, decided);
  }
  noteOf(ctx, lottery, { act }, { state: lottery.state });
  return { ok: true as const };
});

/** 加奖: more only, and where there are as many as were seen. Whoever made it adds alone only in little, as they approve it. */
export const raiseLotteryStockRoute = implement(raiseLotteryStock, async (ctx, { id, place, seen, stock, refundPassword }) => {
  const lottery = await heldHead(ctx, id);
  const { service_provider_id, merchant_id } = lottery;
  const prize = (await prizesOf(ctx.tx, lottery)).find((one) => one.place === place);
  if (lottery.state !== "RUNNING" && lottery.state !== "PAUSED") throw conflict("只有进行中或已暂停的活动可以加奖");
  if (!prize) throw notFound("奖品");
  if (stock <= seen) throw invalid("stock", "只能增加，须大于现有数量");
  if (prize.stock !== seen) throw conflict("数量已被别人修改，请刷新后再加");
  const more = stock - seen;
  const { rows } = await sql<{ budget: number; draws: number }>`select c.budget_cents as budget, c.draws from lottery_counts c
    where c.service_provider_id = ${service_provider_id} and c.lottery_id = ${id}`.execute(ctx.tx);
  const { budget, draws } = rows[0]!;
  const liability_cents = budget + more * prize.cost_cents;
  if (liability_cents > MOST_BUDGET) throw invalid("stock", OVER_BUDGET);
  const alone = await mustMayDecide(ctx, lottery, { liability_cents, refundPassword });
  if (prize.campaign_id !== null)
    await holdCouponStock(ctx.tx, { service_provider_id, campaign_id: prize.campaign_id }, more, prize.cost_cents);
  const by = askerOf(ctx);
  const raised = await sql`update lottery_prizes p set stock = ${stock}, held = p.held + ${prize.campaign_id === null ? 0 : more}
    where p.service_provider_id = ${service_provider_id} and p.lottery_id = ${id} and p.place = ${place} and p.stock = ${seen}`.execute(
    ctx.tx,
  );
  mustChange({ numUpdatedRows: raised.numAffectedRows ?? 0n }, () => conflict("数量已被别人修改，请刷新后再加"));
  await ctx.tx
    .insertInto("lottery_raises")
    .values({
      service_provider_id,
      merchant_id,
      id: ctx.services.ids.uuid(ctx.now_ms),
      lottery_id: id,
      place,
      from_stock: seen,
      to_stock: stock,
      after_no: draws,
      by_name: by.name,
      at: ctx.now,
    })
    .execute();
  const budgeted = await sql`update lottery_counts c set budget_cents = c.budget_cents + ${more * prize.cost_cents}
    where c.service_provider_id = ${service_provider_id} and c.lottery_id = ${id}`.execute(ctx.tx);
  mustChange({ numUpdatedRows: budgeted.numAffectedRows ?? 0n }, decided);
  // Another's yes to more is one to the whole: what its maker ran alone is theirs no longer.
  if (!alone)
    await ctx.tx
      .updateTable("lotteries")
      .set({ alone: false, decided_by: by.id, decided_by_name: by.name })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .where("alone", "=", true)
      .execute();
  noteOf(ctx, lottery, { place, seen, stock });
  return { ok: true as const };
});

/** Each minute: a lottery past its end is over. */
export const endLotteries = lookAfter<LotteryRef>({
  name: "end-lotteries",
  due: async (tx, now) =>
    (
      await sql<LotteryRef>`select l.service_provider_id, l.id from lotteries l where l.state in ('RUNNING', 'PAUSED') and l.ends_at <= ${now}
        order by l.ends_at limit 500`.execute(tx)
    ).rows,
  one: (services, ref) =>
    withScope(services.pool, platformScope("a lottery that ends"), async (tx) => {
      const lottery = await heldLottery(tx, ref);
      const now = new Date(services.clock.now_ms()).toISOString();
      if (lottery && (lottery.state === "RUNNING" || lottery.state === "PAUSED") && lottery.ends_at <= now) await stop(tx, lottery, now);
    }),
});
/** The last moment for handing goods over: so many whole days after the last one. */
export const redeemUntil = ({ ends_at, terms }: Pick<LotteryHead, "ends_at" | "terms">): string =>
  new Date(Date.parse(ends_at) + terms.redeemDays * 86_400_000).toISOString();
