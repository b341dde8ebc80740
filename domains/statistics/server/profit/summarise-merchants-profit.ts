import { implement } from "@zhangfang/server/calls/call.ts";
import { summariseMerchantsProfit } from "../../contract/merchants-profit.ts";
import { addressOf, drillsTo } from "./list-merchants-profit.ts";
import { profitGroups, profitOf } from "./merchants-profit.ts";

const NOTHING = {
  gross_cents: 0,
  discount_cents: 0,
  paid_cents: 0,
  refund_cents: 0,
  fee_cents: 0,
  shared_cents: 0,
  share_returned_cents: 0,
  settled_cents: null,
  profit_cents: 0,
};

/** 商户收益合计: over the whole filter. */
export const summariseMerchantsProfitRoute = implement(summariseMerchantsProfit, async (ctx, filter) => {
  const { rows } = await profitGroups(ctx.scope, filter, undefined).execute(ctx.tx);
  return { ...profitOf(rows[0] ?? NOTHING), span: { from: filter.from, to: filter.to }, drill: drillsTo(addressOf(filter)) };
});
