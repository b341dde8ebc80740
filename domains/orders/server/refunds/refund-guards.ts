import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { invalid } from "@zhangfang/server/errors.ts";
import { verifyPassword } from "../../../accounts/server/index.ts";

interface Merchant {
  readonly service_provider_id: string;
  readonly merchant_id: string;
}
const settingsOf = (tx: Transaction, { service_provider_id, merchant_id }: Merchant) =>
  tx
    .selectFrom("merchant_settings")
    .select(["refund_password_hash", "refund_daily_limit_cents"])
    .where("service_provider_id", "=", service_provider_id)
    .where("merchant_id", "=", merchant_id);

/** Whether a refund from the back-office asks for the merchant's refund password. */
export async function needsRefundPassword(tx: Transaction, merchant: Merchant): Promise<boolean> {
  return Boolean((await settingsOf(tx, merchant).executeTakeFirst())?.refund_password_hash);
}
/** @throws 400 at `refundPassword` where the merchant has one and it is another */
export async function checkRefundPassword(tx: Transaction, merchant: Merchant, given: string | undefined): Promise<void> {
  const hash = (await settingsOf(tx, merchant).executeTakeFirst())?.refund_password_hash;
  if (!hash) return;
  if (!given) throw invalid("refundPassword", "请输入退款密码");
  if (!(await verifyPassword(hash, given))) throw invalid("refundPassword", "退款密码不正确");
}

/**
 * Whether a refund stays within the merchant's limit for the day, in Shanghai. Holding the settings makes two refunds at once
 * count one after the other; what failed or was turned down does not count.
 * @throws 400 at `amountCents`
 */
export async function checkDailyLimit(tx: Transaction, merchant: Merchant, amount_cents: number, now_ms: number): Promise<void> {
  const limit = (await settingsOf(tx, merchant).executeTakeFirst())?.refund_daily_limit_cents ?? null;
  if (limit === null) return;
  await settingsOf(tx, merchant).forUpdate().execute();
  // All stores of the merchant count, whichever of them the caller sees.
  const { rows } = await sql<{ scope: string }>`select current_setting('app.scope') as scope`.execute(tx);
  await sql`select set_config('app.scope', 'PLATFORM||||||||', true)`.execute(tx);
  const counted = await sql<{ sum: number }>`select coalesce(sum(amount_cents), 0)::bigint as sum from refunds
    where service_provider_id = ${merchant.service_provider_id} and merchant_id = ${merchant.merchant_id}
      and created_at >= ${dayStart(shanghaiDay(now_ms))}::timestamptz and status in (0, 1, 2)`.execute(tx);
  await sql`select set_config('app.scope', ${rows[0]!.scope}, true)`.execute(tx);
  const left = Math.max(0, limit - (counted.rows[0]?.sum ?? 0));
  if (amount_cents > left) throw invalid("amountCents", `超过商户当日退款限额 ¥${yuan(limit)}，今日还可退 ¥${yuan(left)}`);
}
