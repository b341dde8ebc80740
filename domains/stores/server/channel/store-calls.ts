import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { ChannelAccount, Outcome } from "../../../channels/server/index.ts";
import { wechatAccountOf } from "../../../organisation/server/index.ts";

type Operation = "open-store" | "find-store" | "register-guide" | "update-guide" | "find-guide";
/** A call to the channel that was written down before it was made. */
interface OpenCall {
  readonly service_provider_id: string;
  readonly id: string;
}
/** Whom a call is about. */
interface About {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly guide_row_id?: string;
}

/** Writes down that the channel is about to be asked. */
export async function beginStoreCall(tx: Transaction, services: Services, about: About, operation: Operation): Promise<OpenCall> {
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("store_calls")
    .values({ ...about, id, operation, started_at: new Date(now_ms).toISOString() })
    .execute();
  return { service_provider_id: about.service_provider_id, id };
}
/** Writes down how it ended. */
export async function endStoreCall(tx: Transaction, services: Services, call: OpenCall, outcome: Outcome<unknown>): Promise<void> {
  await tx
    .updateTable("store_calls")
    .set({
      outcome: outcome.kind,
      ended_at: new Date(services.clock.now_ms()).toISOString(),
      ...(outcome.kind === "refused" && { code: outcome.code }),
      message: wordsOf(outcome),
    })
    .where("service_provider_id", "=", call.service_provider_id)
    .where("id", "=", call.id)
    .execute();
}
/** What the channel said, where it did not say yes. */
export const wordsOf = (outcome: Outcome<unknown>): string | null =>
  outcome.kind === "ok" ? null : (outcome.kind === "refused" ? `${outcome.code}：${outcome.message}` : outcome.reason).slice(0, 200);

/** What signs for a merchant at the channel. @throws 409 where it has no keys yet */
export async function accountOf(
  tx: Transaction,
  services: Services,
  merchant: { service_provider_id: string; merchant_id: string },
): Promise<ChannelAccount> {
  const row = await tx
    .selectFrom("channel_settings")
    .selectAll()
    .where("service_provider_id", "=", merchant.service_provider_id)
    .where("merchant_id", "=", merchant.merchant_id)
    .where("channel", "=", 0)
    .where("state", "=", "active")
    .executeTakeFirst();
  if (!row) throw conflict("商户还没有设置微信支付密钥，请先在商户管理的 APIv3密钥 里设置");
  return wechatAccountOf(services, row);
}
