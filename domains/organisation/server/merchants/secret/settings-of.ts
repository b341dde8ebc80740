import type { Transaction } from "@zhangfang/server/database/db.ts";

/** The row of a merchant's WeChat Pay settings, seals unbroken. */
export const settingsOf = (tx: Transaction, merchant: { service_provider_id: string; id: string }) =>
  tx
    .selectFrom("channel_settings")
    .selectAll()
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.id)
    .where("channel", "=", 0)
    .executeTakeFirst();
