import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { getRates } from "../../contract/index.ts";
import { findOwner } from "./find-owner.ts";

type Rates = OutputOf<typeof getRates>;
/** The channel that is there without any rule. */
const DIRECT = 0;

/** 费率: what an owner pays for every channel and product that it or a level above has a rule for, and the history of its own. */
export const getRatesRoute = implement(getRates, async (ctx, { level, id }) => {
  const { provider, name, agent, version } = await findOwner(ctx, level, id);
  const today = shanghaiDay(ctx.now_ms);
  const at = (fn: "rate_on" | "rate_floor", day: string) =>
    fn === "rate_on"
      ? sql`app.rate_on(${provider}, ${level}, ${id}, ${agent}::uuid, k.channel, k.product, ${day}::date)`
      : sql`app.rate_floor(${provider}, ${level}, ${agent}::uuid, k.channel, k.product, ${day}::date)`;
  const mine = sql`r.service_provider_id = ${provider} and r.level = ${level} and r.owner_id = ${id}`;
  const rates = await sql<Rates["rates"][number]>`
    select k.channel, k.product, ${at("rate_on", today)} as rate, ${at("rate_on", addDays(today, 1))} as tomorrow,
      ${at("rate_floor", today)} as floor,
      exists (select 1 from rate_rules r where ${mine} and r.channel = k.channel and r.product = k.product) as own
    from (select ${DIRECT}::smallint as channel, 'ALL' as product union
      select r.channel, r.product from rate_rules r where r.service_provider_id = ${provider}
        and (r.level = 'provider' or r.level = 'agent' and r.owner_id = ${agent}::uuid or ${mine})) k
    order by k.channel, k.product <> 'ALL', k.product`.execute(ctx.tx);
  const history = await sql<Rates["history"][number]>`
    select r.channel, r.product, r.rate, r.from_day as "fromDay", r.by_name as "byName", r.at
    from rate_rules r where ${mine} order by r.seq desc limit 200`.execute(ctx.tx);
  return { name, version, rates: rates.rows, history: history.rows };
});
