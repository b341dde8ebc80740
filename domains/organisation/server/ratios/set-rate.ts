import { sql } from "kysely";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { percent } from "@zhangfang/contract/money.ts";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { setRate } from "../../contract/index.ts";
import { giveRate } from "./give-terms.ts";
import { findOwner, type Owner } from "./find-owner.ts";
import { rateOn } from "./rate-on.ts";

type Given = ParsedOf<typeof setRate>;
/** What a rule for all products stands for besides the ones that have their own. */
const PRODUCTS = ["NATIVE", "JSAPI", "MICROPAY"] as const;

/**
 * 设置费率: one more rule of the history. Whoever sets rates of one tree does so one after the other, so that two who set
 * different levels can't cross each other.
 */
export const setRateRoute = implement(setRate, async (ctx, given) => {
  const { level, id, version, channel, product, rate, start } = given;
  const { provider } = await findOwner(ctx, level, id);
  await sql`select 1 from service_providers where id = ${provider} for no key update`.execute(ctx.tx);
  const owner = await findOwner(ctx, level, id);
  if (owner.version !== version) throw conflict("费率已被其他人修改，请刷新后重试");
  const today = shanghaiDay(ctx.now_ms);
  const fromDay = start === "today" ? today : addDays(today, 1);
  // A rule that begins tomorrow already stands in the tables of today.
  for (const day of new Set([fromDay, addDays(today, 1)])) {
    await checkAbove(ctx, owner, given, day);
    await checkBelow(ctx, owner, given, day);
  }
  const before = await rateOn(ctx.tx, {
    owner: { level, serviceProviderId: provider, id, agentId: owner.agent },
    channel,
    product,
    day: fromDay,
  });
  const rule = { level, serviceProviderId: provider, id, channel, product, rate, from: fromDay };
  await giveRate(ctx.tx, { ...rule, by: ctx.principal.name, at: ctx.now });
  ctx.note({
    targetKind: level,
    targetId: id,
    before: { channel, product, rate: before },
    after: { channel, product, rate, fromDay },
    provider,
    merchant: level === "merchant" ? id : undefined,
  });
  return { fromDay };
});

/** What the given rule is for: its product, or every product for all of them. */
const productsOf = (product: Given["product"]) => (product === "ALL" ? ["ALL", ...PRODUCTS] : [product]);

async function checkAbove(ctx: Ctx, { provider, agent }: Owner, { level, channel, product, rate }: Given, day: string): Promise<void> {
  const { rows } = await sql<{ floor: number }>`
    select max(app.rate_floor(${provider}, ${level}, ${agent}::uuid, ${channel}, p, ${day}::date)) as floor
    from unnest(${productsOf(product)}::text[]) p`.execute(ctx.tx);
  const floor = rows[0]?.floor ?? 0;
  if (rate < floor) throw invalid("rate", `不能低于上级的费率 ${percent(floor)}`);
}

/** Nobody below pays less than the new rate: first their rates are set. */
async function checkBelow(ctx: Ctx, { provider }: Owner, { level, id, channel, product, rate }: Given, day: string): Promise<void> {
  if (level === "merchant") return;
  const products = sql`unnest(${productsOf(product)}::text[]) p`;
  const merchants = await sql<{ n: number; least: number | null }>`
    select count(*)::int as n, min(x.rate) as least from (
      select min(app.rate_on(m.service_provider_id, 'merchant', m.id, m.agent_id, ${channel}, p, ${day}::date)) as rate
      from merchants m, ${products} where m.service_provider_id = ${provider} ${level === "agent" ? sql`and m.agent_id = ${id}` : sql``}
      group by m.id) x where x.rate < ${rate}`.execute(ctx.tx);
  const agents =
    level === "agent"
      ? 0
      : (
          await sql<{ n: number }>`select count(*)::int as n from (
              select min(app.rate_rule(a.service_provider_id, 'agent', a.id, ${channel}, p, ${day}::date)) as rate
              from agents a, ${products} where a.service_provider_id = ${provider} group by a.id) x where x.rate < ${rate}`.execute(ctx.tx)
        ).rows[0]!.n;
  const { n, least } = merchants.rows[0]!;
  const who = [agents > 0 && `${agents} 家代理商`, n > 0 && `${n} 家商户（最低 ${percent(least ?? 0)}）`].filter(Boolean).join("、");
  if (who !== "") throw invalid("rate", `${who}的费率低于 ${percent(rate)}，请先调整它们`);
}
