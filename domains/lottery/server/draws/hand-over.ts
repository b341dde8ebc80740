import { sql } from "kysely";
import { z } from "zod";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { inScope, platformScope } from "@zhangfang/server/database/scope.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { askerOf } from "../../../orders/server/index.ts";
import { findWin, handOverWin, type WinStatus, winStatus } from "../../contract/index.ts";
import { heldHead, heldLottery } from "../manage/find-lottery.ts";
import { noteOf } from "../manage/write-lotteries.ts";
import { settleWin } from "./give-win.ts";

type Win = Omit<OutputOf<typeof findWin>, "stores">;
/** 查兑奖码. */
export const findWinRoute = implement(findWin, async ({ tx, scope }, { code }) => {
  const { rows } = await sql<
    Win & { readonly storeIds: readonly string[] }
  >`select w.id, w.lottery_id as "lotteryId", l.name as "lotteryName",
      t.terms -> 'prizes' -> (w.place - 1) ->> 'name' as prize, m.no as "memberNo", w.draw_no as "drawNo", w.at as "drawnAt", w.status, w.until,
      t.terms -> 'storeIds' as "storeIds", coalesce(s.short_name, '') as "storeName", w.settled_at as "settledAt"
    from lottery_wins w join lotteries l on l.service_provider_id = w.service_provider_id and l.id = w.lottery_id
    join lottery_terms t on t.service_provider_id = l.service_provider_id and t.lottery_id = l.id and t.version = l.version
    join members m on m.service_provider_id = w.service_provider_id and m.id = w.member_id
    left join stores s on s.service_provider_id = w.service_provider_id and s.id = w.handed_store_id
    where w.code = ${code} and ${inScope(scope, "w", "merchant")}`.execute(tx);
  if (!rows[0]) throw notFound("兑奖码");
  const { storeIds, ...win } = rows[0];
  const { rows: stores } = await sql<{ id: string; name: string }>`select s.id, s.short_name as name from stores s
    where ${inScope(scope, "s", "merchant")} and (${storeIds.length === 0} or s.id = any(${[...storeIds]}::uuid[])) order by s.created_at, s.id`.execute(
    tx,
  );
  return { ...win, stores };
});

/** 兑奖: goods go over the counter once, at a store where they may, before their last day. */
export const handOverWinRoute = implement(handOverWin, async (ctx, { id, storeId }) => {
  const { tx, scope, services, now } = ctx;
  const { rows: found } = await sql<{ lottery_id: string }>`select w.lottery_id from lottery_wins w
    where w.id = ${id} and w.kind = 'goods' and ${inScope(scope, "w", "merchant")}`.execute(tx);
  if (!found[0]) throw notFound("奖品");
  const lottery = await heldHead(ctx, found[0].lottery_id);
  const { service_provider_id } = lottery;
  const { rows: stores } = await sql<{ name: string }>`select s.short_name as name from stores s
    where s.service_provider_id = ${service_provider_id} and s.id = ${storeId} and ${inScope(scope, "s", "merchant")}`.execute(tx);
  if (!stores[0]) throw notFound("门店");
  const { storeIds } = lottery.terms;
  if (storeIds.length > 0 && !storeIds.includes(storeId)) throw invalid("storeId", "这个奖不在这家门店兑");
  const { rows } = await sql<{
    status: WinStatus;
    until: string;
    cost_cents: number;
  }>`select w.status, w.until, w.cost_cents from lottery_wins w
    where w.service_provider_id = ${service_provider_id} and w.id = ${id}`.execute(tx);
  const win = rows[0]!;
  if (win.status !== 0)
    throw conflict(win.status === 1 ? "已经兑过了，请勿再给" : `这个奖${winStatus.label(win.status)}`, "lottery.handed");
  if (win.until <= now) throw conflict("过了兑奖期限", "lottery.late");
  const handed = { store_id: storeId, by_name: askerOf(ctx).name };
  await settleWin(tx, services, lottery, { id, cost_cents: win.cost_cents }, { status: 1, handed });
  noteOf(ctx, lottery, { win: id, store: storeId, handed: true });
  return { at: now as never };
});

interface Late {
  readonly service_provider_id: string;
  readonly id: string;
  readonly lottery_id: string;
  readonly cost_cents: number;
}
/** Each night: goods that nobody came for in time are nobody's. */
export const expireWins = job({
  name: "expire-lottery-wins",
  data: z.object({}),
  every: "20 0 * * *",
  concurrency: 1,
  run: async (services) => {
    const now = new Date(services.clock.now_ms()).toISOString();
    const scope = platformScope("goods that nobody came for");
    for (;;) {
      const late = await withScope(
        services.pool,
        scope,
        async (tx) =>
          (
            await sql<Late>`select w.service_provider_id, w.id, w.lottery_id, w.cost_cents from lottery_wins w
              where w.status = 0 and w.kind = 'goods' and w.until <= ${now} order by w.until limit 500`.execute(tx)
          ).rows,
        { readOnly: true },
      );
      if (late.length === 0) return;
      for (const { service_provider_id, id, lottery_id, cost_cents } of late)
        await withScope(services.pool, scope, async (tx) => {
          const lottery = await heldLottery(tx, { service_provider_id, id: lottery_id });
          const { rows } =
            await sql`select 1 from lottery_wins w where w.service_provider_id = ${service_provider_id} and w.id = ${id} and w.status = 0`.execute(
              tx,
            );
          if (lottery && rows.length > 0) await settleWin(tx, services, lottery, { id, cost_cents }, { status: 3, reason: "过期没领" });
        });
    }
  },
});
