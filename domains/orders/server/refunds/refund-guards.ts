import { sql } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { proveSecret, verifyPassword } from "../../../accounts/server/index.ts";

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
const WRONG = "退款密码不正确";
/**
 * At every refund that a person sends out from the back-office, also where one is sent again. Wrong ones are counted, recorded and slowed.
 * @throws 400 at `refundPassword` where the merchant has one and it is another, 429 after too many of them
 */
export async function checkRefundPassword(
  ctx: Parameters<typeof proveSecret>[0],
  tx: Transaction,
  merchant: Merchant,
  given: string | undefined,
): Promise<void> {
  const hash = (await settingsOf(tx, merchant).executeTakeFirst())?.refund_password_hash;
  if (!hash) return;
  if (!given) throw invalid("refundPassword", "请输入退款密码");
  const { service_provider_id: provider, merchant_id } = merchant;
  const note = { targetKind: "merchant", targetId: merchant_id, provider, merchant: merchant_id, after: { result: WRONG } };
  const secret = { name: `refund-password ${merchant_id}`, note };
  if (!(await proveSecret(ctx, tx, secret, () => verifyPassword(hash, given)))) throw invalid("refundPassword", WRONG);
}

/**
 * The rest of what the merchant lets go back in a day; all of its stores count, whichever of them the caller sees. A refund counts on the day on
 * which it was asked for, and on that on which it was sent again.
 */
async function leftOfDay(tx: Transaction, merchant: Merchant, limit: number, now_ms: number): Promise<number> {
  const begun = dayStart(shanghaiDay(now_ms));
  const counted = await asPlatform(tx, () =>
    sql<{ sum: number }>`select coalesce(sum(value_cents), 0)::bigint as sum from refunds
      where service_provider_id = ${merchant.service_provider_id} and merchant_id = ${merchant.merchant_id}
        and (created_at >= ${begun}::timestamptz or again_at >= ${begun}::timestamptz) and status in (0, 1, 2)`.execute(tx),
  );
  return Math.max(0, limit - (counted.rows[0]?.sum ?? 0));
}
/** Why a refund would be more than the merchant's limit for the day, in Shanghai; what failed or was turned down does not count. */
export async function overDailyLimit(
  tx: Transaction,
  merchant: Merchant,
  amount_cents: number,
  now_ms: number,
): Promise<string | undefined> {
  const limit = (await settingsOf(tx, merchant).executeTakeFirst())?.refund_daily_limit_cents ?? null;
  if (limit === null) return undefined;
  const left = await leftOfDay(tx, merchant, limit, now_ms);
  return amount_cents > left ? `超过商户当日退款限额 ¥${yuan(limit)}，今日还可退 ¥${yuan(left)}` : undefined;
}
/**
 * The same where the amount is reserved: holding the settings makes two refunds at once count one after the other.
 * @throws 400 at `amountCents`
 */
export async function checkDailyLimit(tx: Transaction, merchant: Merchant, amount_cents: number, now_ms: number): Promise<void> {
  const held = await settingsOf(tx, merchant).where("refund_daily_limit_cents", "is not", null).forUpdate().execute();
  if (held.length === 0) return;
  const refusal = await overDailyLimit(tx, merchant, amount_cents, now_ms);
  if (refusal !== undefined) throw invalid("amountCents", refusal);
}
