import type { z } from "zod";
import type { quotas } from "../../contract/index.ts";

/** Quotas as the table has them. */
export const quotaColumns = (given: z.output<typeof quotas>) => ({
  merchant_quota: given.merchants,
  store_quota: given.stores,
  device_quota: given.devices,
  account_quota: given.accounts,
});
