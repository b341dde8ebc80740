import { implement } from "@zhangfang/server/calls/call.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { getCustomerAddress } from "../../contract/index.ts";

/** 会员页地址. */
export const getCustomerAddressRoute = implement(getCustomerAddress, async ({ tx, scope, services }) => {
  const { provider, merchant } = scope;
  if (provider === undefined || merchant === undefined) return { merchantName: "", url: null, stores: [] };
  const url = `${services.config.public_url}/m/${merchant}`;
  const own = await tx
    .selectFrom("merchants")
    .select("short_name")
    .where("service_provider_id", "=", provider)
    .where("id", "=", merchant)
    .executeTakeFirst();
  const stores = await tx
    .selectFrom("stores as s")
    .select(["s.id", "s.short_name as name"])
    .where("s.service_provider_id", "=", provider)
    .where("s.merchant_id", "=", merchant)
    .where("s.state", "=", "active")
    .where(inScope(scope, "s"))
    .orderBy("s.created_at")
    .limit(200)
    .execute();
  return { merchantName: own?.short_name ?? "", url, stores: stores.map((one) => ({ ...one, url: `${url}?s=${one.id}` })) };
});
