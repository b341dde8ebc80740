import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { getMerchantInfo } from "../../contract/index.ts";
import { merchantsInScope } from "./fences.ts";

/** The caller's own merchant, for a merchant's and a store's people; above them there is no one merchant, hence null. */
export const getMerchantInfoRoute = implement(getMerchantInfo, async (ctx) => {
  if (ctx.scope.merchant === undefined) return null;
  const found = await sql<NonNullable<OutputOf<typeof getMerchantInfo>>>`
    select m.id, m.name, m.short_name as "shortName", m.number, m.state, json_build_object('id', p.id, 'name', p.short_name) as "serviceProvider",
      m.trade, m.province, m.city, m.address, m.service_phone as "servicePhone", m.logo_url as "logoUrl", m.fee_rate as "feeRate", m.refund_approval_above_cents as "refundApprovalAbove"
    from merchants m join service_providers p on p.id = m.service_provider_id
    where m.service_provider_id = ${ctx.scope.provider ?? null} and m.id = ${ctx.scope.merchant} and ${merchantsInScope(ctx.scope)}`.execute(
    ctx.tx,
  );
  return found.rows[0] ?? null;
});
