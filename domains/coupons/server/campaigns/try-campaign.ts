import { sql } from "kysely";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { type Line, type Offer, price } from "../../../pricing/server/index.ts";
import { type CouponTerms, needsGoods, sayTerms, tryCampaign } from "../../contract/index.ts";
import { isOpen, offerOf, placesOf, valueOf } from "../rules/term-rules.ts";
import { checkTerms } from "./check-terms.ts";
import { mustSeeMerchants } from "./cover-merchants.ts";

const DAYS_MS = 30 * 86_400_000;
const MOST = 5_000;
const STEPS = 20;

interface Sale {
  readonly id: string;
  readonly store_id: string;
  readonly at: string;
  readonly gross_cents: number;
  readonly member_cents: number;
  readonly lines: readonly Line[] | null;
}
/** Paid orders of the last 30 days, the newest first, with their lines where they were priced. */
async function readSales({ tx, scope, now_ms }: Ctx, merchants: readonly string[]): Promise<Sale[]> {
  const since = new Date(now_ms - DAYS_MS).toISOString();
  const among = merchants.length === 0 ? sql`` : sql`and o.merchant_id = any(${[...merchants]}::uuid[])`;
  const { rows } = await sql<Sale>`select o.id, o.store_id, o.paid_at as at, o.gross_cents, o.member_cents, l.lines from (
      select o.* from pay_orders o where ${inScope(scope, "o")} ${among} and o.status in (2, 3) and o.purpose = 0 and o.paid_at is not null and o.created_at >= ${since}
      order by o.created_at desc, o.id desc limit ${MOST + 1}) o
    left join lateral (select jsonb_agg(jsonb_build_object('place', l.place, 'name', l.name, 'units', l.units, 'unit_cents', l.unit_cents, 'tags', l.tags,
        'goods_no', coalesce(l.goods_no, ''), 'no_discount', l.no_discount, 'freight', l.freight) order by l.place) as lines
      from order_lines l where l.service_provider_id = o.service_provider_id and l.order_id = o.id) l on true
    order by o.created_at desc, o.id desc`.execute(tx);
  return rows;
}
const linesOf = ({ lines, gross_cents }: Sale): readonly Line[] => lines ?? [{ place: 1, name: "", units: 1, unit_cents: gross_cents }];
const TRIED = "tried";
/** What the members' prices took off that order comes off first, as it did. */
const memberOff = (off_cents: number): Offer => ({
  source: "member",
  ref: "member",
  name: "会员优惠",
  priority: 0,
  min_cents: 0,
  rule: { kind: "off", off_cents },
  provider_rate: 0,
  without: [],
});

/** What the terms would have done with one order: what came off, or that the threshold was close. */
function tryOn(terms: CouponTerms, sale: Sale): { off_cents: number; near: boolean } {
  const lines = linesOf(sale);
  if (!isOpen(terms, sale.at) || (terms.storeIds.length > 0 && !terms.storeIds.includes(sale.store_id)))
    return { off_cents: 0, near: false };
  const coupon = offerOf({ no: TRIED, name: "", campaign_id: "", version: 1, valid_to: sale.at, terms, provider_percent: 0 }, lines);
  const offers = sale.member_cents > 0 ? [coupon, memberOff(sale.member_cents)] : [coupon];
  const { parts, refused } = price({ version: 1, at: sale.at, lines, offers }, { chosen: [TRIED], leave: [], points: 0, stored_cents: 0 });
  const why = refused.find(({ ref }) => ref === TRIED);
  const near = why?.code === "below" && (why.short_cents ?? 0) * 5 <= (why.need_cents ?? 0);
  return { off_cents: parts.find(({ ref }) => ref === TRIED)?.off_cents ?? 0, near };
}

/** 试跑: as if every order that could have used one had. */
export const tryCampaignRoute = implement(tryCampaign, async (ctx, { terms, merchantIds }) => {
  const { provider, merchant = null } = ctx.scope;
  if (!provider) throw notFound("商户");
  await mustSeeMerchants(ctx, merchantIds);
  const names = await checkTerms(ctx, { service_provider_id: provider, merchant_id: merchant }, terms, merchantIds);
  const found = await readSales(ctx, merchantIds);
  const sales = found.slice(0, MOST);
  const tried = sales.map((sale) => tryOn(terms, sale));
  const most = sales.reduce((high, { gross_cents }) => Math.max(high, gross_cents), 0);
  const steps = Array.from({ length: STEPS }, () => 0);
  for (const { gross_cents } of sales) steps[Math.min(STEPS - 1, Math.floor((gross_cents * STEPS) / Math.max(1, most)))]! += 1;
  return {
    orders: sales.length,
    withGoods: needsGoods(terms.kind) ? sales.filter((sale) => (placesOf(terms, linesOf(sale)) ?? []).length > 0).length : sales.length,
    uses: tried.filter(({ off_cents }) => off_cents > 0).length,
    costCents: tried.reduce((sum, { off_cents }) => sum + off_cents, 0) as never,
    near: tried.filter(({ near }) => near).length,
    steps,
    mostCents: most as never,
    said: sayTerms(terms, names),
    valueCents: valueOf(terms) as never,
    whole: found.length <= MOST,
  };
});
