import { call } from "@zhangfang/web/api/api.ts";
import type { OrgLookup } from "@zhangfang/web/slots.ts";
import { listStores, listStoresOfMerchant } from "../contract/index.ts";

/** Stores by what somebody typed, within a merchant or a provider. Closed ones too: their orders are still looked for. */
export const findStores: OrgLookup = async ({ search, within: { serviceProviderId, merchantId }, ids }, signal) => {
  // Within a provider the answer is narrowed here, so that it has to be whole.
  const few = ids === undefined && (merchantId !== undefined || serviceProviderId === undefined);
  const keyword = { ...(search.trim() !== "" && { keyword: search.trim().slice(0, 32) }), ...(few && { size: 50 }) };
  const quiet = { signal, quiet: true };
  const all = merchantId
    ? await call(listStoresOfMerchant, { ...keyword, merchantsId: merchantId }, quiet)
    : (await call(listStores, { ...keyword, type: "all" }, quiet)).filter(
        (store) => !serviceProviderId || store.merchants.serviceProvider.id === serviceProviderId,
      );
  return all.filter(({ id }) => ids === undefined || ids.includes(id)).map(({ id, name }) => ({ id, name }));
};
