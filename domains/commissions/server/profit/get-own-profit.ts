import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getOwnProfit } from "../../contract/index.ts";
import { ownReceiver } from "../own-receiver.ts";
import { receiverName, throughOf } from "./profit-filter.ts";

const DAYS = 30;

/** 我的分润: what the caller's node may claim, what is on its way, what it got, and the last thirty days. */
export const getOwnProfitRoute = implement(getOwnProfit, async (ctx) => {
  const { provider, receiver, owner } = ownReceiver(ctx.scope);
  const today = shanghaiDay(ctx.now_ms);
  const { rows } = await sql<Omit<OutputOf<typeof getOwnProfit>, "days" | "withdrawableCents">>`
    select ${receiver} as receiver, ${receiverName("k")} as name, ${throughOf(ctx.scope)} as through, a.*, d.*, f.waiting as "waitingCents"
    from (select ${provider}::uuid as service_provider_id, ${receiver} as receiver, ${owner.receiver_id}::uuid as receiver_id) k,
      (select coalesce(sum(a.balance_cents) filter (where a.kind = 'available'), 0)::bigint as "balanceCents",
        coalesce(sum(a.balance_cents) filter (where a.kind = 'frozen'), 0)::bigint as "frozenCents",
        coalesce(sum(a.balance_cents) filter (where a.kind = 'paid'), 0)::bigint as "paidCents"
        from commission_accounts a where ${inScope(ctx.scope, "a")}) a,
      (select coalesce(sum(d.difference_cents + d.ratio_cents), 0)::bigint as "earnedCents", coalesce(sum(d.clawed_cents), 0)::bigint as "clawedCents"
        from commission_daily d where ${inScope(ctx.scope, "d")}) d,
      (select coalesce(sum(d.difference_cents + d.ratio_cents), 0)::bigint as waiting from commission_daily d
        where ${inScope(ctx.scope, "d")} and d.day >= app.commissions_wait_from(${provider}::uuid, ${today}::date)) f`.execute(ctx.tx);
  const days = await sql<OutputOf<typeof getOwnProfit>["days"][number]>`
    select to_char(g, 'YYYY-MM-DD') as day, coalesce(d.difference_cents + d.ratio_cents, 0)::bigint as "earnedCents",
      coalesce(d.clawed_cents, 0)::bigint as "clawedCents", coalesce(d.net_cents, 0)::bigint as "netCents"
    from generate_series(${addDays(today, -DAYS)}::date, ${addDays(today, -1)}::date, interval '1 day') g
      left join commission_daily d on ${inScope(ctx.scope, "d")} and d.receiver_id = ${owner.receiver_id} and d.day = g::date order by 1`.execute(
    ctx.tx,
  );
  const found = rows[0]!;
  const withdrawableCents = Math.max(0, found.balanceCents - found.waitingCents) as typeof found.balanceCents;
  return { ...found, withdrawableCents, days: days.rows };
});
