import { sql } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { endLots, livingDays } from "../../../value-book/server/index.ts";
import { getPointRule, type PointRule, savePointRule, sayRule } from "../../contract/index.ts";
import { expiresOn } from "../rules/expiry-rules.ts";
import { NEVER, ruleOn, SECOND_ABOVE } from "./rule-on.ts";

/** What a form begins with: one point a yuan, a hundred are worth one yuan, for ever; nothing is on. */
const FIRST: PointRule = {
  earn: {
    on: false,
    points: 1,
    perCents: 100 as never,
    storeIds: [],
    storeMultiple: 100,
    weekdays: [],
    weekdayMultiple: 100,
    birthdayMultiple: 100,
    pendingDays: 0,
    dayCap: null,
    onRecharge: false,
  },
  spend: {
    on: false,
    points: 100,
    cents: 100 as never,
    stepPoints: 100,
    leastPoints: 0,
    mostRate: 50_000,
    mostCents: null,
    storeIds: [],
    weekdays: [],
  },
  expiry: NEVER,
  graceDays: 30,
  secondAbove: SECOND_ABOVE,
};

/** The merchant that a person of a merchant works for. @throws 404 for everybody else */
export function ownMerchant({ scope }: Pick<Ctx, "scope">): { readonly service_provider_id: string; readonly merchant_id: string } {
  if (!scope.provider || !scope.merchant) throw notFound("商户");
  return { service_provider_id: scope.provider, merchant_id: scope.merchant };
}
async function storesOf(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const { merchant_id } = ownMerchant(ctx);
  const { rows } = await sql<{ id: string; name: string }>`select s.id, s.short_name as name from stores s
    where s.merchant_id = ${merchant_id} and ${inScope(ctx.scope, "s", "merchant")} order by s.created_at, s.id`.execute(ctx.tx);
  return rows;
}

/** 积分规则 as it holds now, with every version before it. */
export const getPointRuleRoute = implement(getPointRule, async (ctx) => {
  const merchant = ownMerchant(ctx);
  const now = await ruleOn(ctx.tx, merchant, ctx.now);
  const { rows: history } = await sql<{ id: string; version: number; said: string; byName: string; createdAt: never }>`
    select r.id, r.version, r.said, r.by_name as "byName", r.created_at as "createdAt" from point_rules r
    where ${inScope(ctx.scope, "r", "merchant")} and r.merchant_id = ${merchant.merchant_id} order by r.version desc limit 100`.execute(
    ctx.tx,
  );
  return { version: now?.version ?? 0, rule: now?.rule ?? FIRST, stores: await storesOf(ctx), history };
});

/** 保存积分规则: a new version. Where points end otherwise from now on, old lots do too, with at least 30 days. */
export const savePointRuleRoute = implement(savePointRule, async (ctx, { version, rule }) => {
  const merchant = ownMerchant(ctx);
  const before = await ruleOn(ctx.tx, merchant, ctx.now);
  if ((before?.version ?? 0) !== version) throw conflict("规则已被别人修改，请重新打开后再改");
  const stores = await storesOf(ctx);
  for (const part of ["earn", "spend"] as const)
    if (rule[part].storeIds.some((id) => !stores.some((store) => store.id === id))) throw invalid(`rule.${part}.storeIds`, "门店不存在");
  const said = sayRule(rule, (id) => stores.find((store) => store.id === id)?.name ?? id);
  await ctx.tx
    .insertInto("point_rules")
    .values({
      ...merchant,
      id: ctx.services.ids.uuid(ctx.now_ms),
      version: version + 1,
      rule: JSON.stringify(rule),
      said,
      by_name: ctx.principal.name,
      created_at: ctx.now,
    })
    .execute();
  if (JSON.stringify(before?.rule.expiry ?? FIRST.expiry) !== JSON.stringify(rule.expiry)) {
    const today = shanghaiDay(ctx.now_ms);
    const days = await livingDays(ctx.tx, merchant);
    await endLots(
      ctx.tx,
      merchant,
      days.map((usable_from) => ({ usable_from, expires_on: expiresOn(rule.expiry, usable_from, today) })),
    );
  }
  ctx.note({
    targetKind: "point-rule",
    targetId: merchant.merchant_id,
    ...(before && { before: { 版本: version } }),
    after: { 版本: version + 1, 规则: said },
    provider: merchant.service_provider_id,
    merchant: merchant.merchant_id,
  });
  return { ok: true as const, version: version + 1 };
});
