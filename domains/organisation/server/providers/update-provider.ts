import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import { updateProvider } from "../../contract/index.ts";
import { maskAnyPhone } from "../merchants/list/merchant-columns.ts";
import { changeProvider, findProvider } from "./find-provider.ts";
import { quotaColumns } from "./quota-columns.ts";

/** 修改服务商: facts and quotas. What there is already beyond a new quota stays; nothing more is added. */
export const updateProviderRoute = implement(updateProvider, async (ctx, { id, version, quotas, ...given }) => {
  const before = await findProvider(ctx.tx, ctx.scope, id);
  const values = {
    name: given.name,
    short_name: given.shortName,
    contact_name: given.contactName ?? before.contact_name,
    contact_phone: given.contactPhone ?? before.contact_phone,
    fee_rate: given.feeRate,
    agent_ratio_limit: given.agentRatioLimit ?? before.agent_ratio_limit,
    ...quotaColumns(quotas),
  };
  await changeProvider(ctx.tx, id, version, values);
  // The days before today keep the rate that held on them, whenever their fees are shared.
  if (values.fee_rate !== before.fee_rate)
    await ctx.tx
      .insertInto("provider_rates")
      .values({ service_provider_id: id, before_day: shanghaiDay(ctx.now_ms), rate: before.fee_rate })
      .execute();
  const told = (row: typeof values) => ({
    name: row.name,
    shortName: row.short_name,
    contactPhone: row.contact_phone && maskAnyPhone(row.contact_phone),
    feeRate: row.fee_rate,
    agentRatioLimit: row.agent_ratio_limit,
    quotas: { merchants: row.merchant_quota, stores: row.store_quota, devices: row.device_quota, accounts: row.account_quota },
  });
  ctx.note({ targetKind: "provider", targetId: id, before: told(before), after: told(values), provider: id });
  return { ok: true as const };
});
