import { sql } from "kysely";
import { implement } from "@zhangfang/server/calls/call.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { assignMerchants } from "../../contract/index.ts";
import { merchantsWhere } from "../merchants/list/merchant-filter.ts";
import { decideAssignment, lockMerchants } from "./decide-assignment.ts";

/** 调整商户归属: all of them or none, of one provider, each with an audit row of its own; from today or from a day to come. */
export const assignMerchantsRoute = implement(assignMerchants, async (ctx, { ids, filter, from, ...wanted }) => {
  const asked = [...new Set(ids)];
  const where = filter ? await merchantsWhere(ctx.tx, ctx.scope, filter) : sql`m.id = any(${asked}::uuid[]) and ${inScope(ctx.scope, "m")}`;
  const merchants = await lockMerchants(ctx, where);
  if (filter === undefined && merchants.length !== asked.length) throw notFound("商户");
  const providers = new Set(merchants.map((merchant) => merchant.service_provider_id));
  if (providers.size > 1) throw invalid("ids", "所选商户属于不同的服务商，请分别调整");
  const [provider] = providers;
  if (provider === undefined) throw notFound("商户");
  const effectiveFrom = await decideAssignment(ctx, provider, merchants, wanted, from);
  ctx.note({ targetKind: "merchants", after: { count: merchants.length, ...wanted, effectiveFrom }, provider });
  return { count: merchants.length, effectiveFrom };
});
