import type { Transaction } from "@zhangfang/server/database/db.ts";

/** The row of a merchant's account at a channel, seals unbroken. */
export const accountRow = (tx: Transaction, merchant: { service_provider_id: string; id: string }, channel: number) =>
  tx
    .selectFrom("channel_accounts")
    .selectAll()
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.id)
    .where("channel", "=", channel)
    .executeTakeFirst();
