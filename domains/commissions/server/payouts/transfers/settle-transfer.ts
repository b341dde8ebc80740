import type { Updateable } from "kysely";
import { yuan } from "@zhangfang/contract/money.ts";
import type { DB, Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { CONFIRM_WITHIN_MS, type Transfer } from "../../../../channels/server/index.ts";
import { withdrawalStatus, type WithdrawalStatus } from "../../../contract/index.ts";
import { lockWithdrawal, moveWithdrawal, type Withdrawal } from "./settle-withdrawal.ts";
import { failureText } from "../withdrawal-rules.ts";

type Ref = Pick<Withdrawal, "service_provider_id" | "id">;

/**
 * The only way 打款中 of a transfer becomes 已到账 or 打款失败, whoever brings the news and however often. Word of another amount,
 * or of success after the amount was given back, is no news of this one: it stays where it is and somebody has to look.
 */
export async function settleTransfer(
  tx: Transaction,
  services: Services,
  ref: Ref,
  news: Transfer,
): Promise<"settled" | "unchanged" | "mismatch"> {
  const row = await lockWithdrawal(tx, ref);
  if (!row || news.outBillNo !== row.withdrawal_no || (row.status === 3 && row.recorded_by_name === null)) return "unchanged";
  const misfit = misfitOf(row, news);
  if (misfit !== undefined) {
    services.log.error({ withdrawal: row.id, status: row.status, news }, "a transfer that does not fit its withdrawal");
    await noteTransfer(tx, row, { failure: misfit, ...(news.transferNo && { channel_no: news.transferNo }) });
    return "mismatch";
  }
  if (row.status !== 2) return "unchanged";
  // The channel answers for it: nobody has to look it up any more.
  const said = { channel_state: news.channelState, unanswered_at: null, ...(news.transferNo && { channel_no: news.transferNo }) };
  if (news.state === "success") {
    await moveWithdrawal(tx, services, row, 3, { ...said, failure: null, ...(news.updatedAt && { finished_at: news.updatedAt }) });
    return "settled";
  }
  if (news.state === "failed" || news.state === "cancelled") {
    await moveWithdrawal(tx, services, row, 4, { ...said, failure: failureText(news.failReason, news.state) });
    return "settled";
  }
  const confirm_by = news.createdAt && new Date(Date.parse(news.createdAt) + CONFIRM_WITHIN_MS).toISOString();
  await noteTransfer(tx, row, {
    ...said,
    failure: null,
    ...(news.packageInfo && { package_info: news.packageInfo }),
    ...(confirm_by && { confirm_by }),
  });
  return "unchanged";
}

/** What is wrong with word of a transfer, for people to look at; undefined where nothing is. */
function misfitOf(row: Withdrawal, news: Transfer): string | undefined {
  if (row.status === 3)
    return news.state === "failed" || news.state === "cancelled"
      ? `通道称转账没有成功，而此提现已由 ${row.recorded_by_name} 登记为已到账，请核对`
      : undefined;
  if (row.status !== 2)
    return news.state === "success"
      ? `通道称转账已到账，而此提现为“${withdrawalStatus.label(row.status as WithdrawalStatus)}”，请核对`
      : undefined;
  if (news.amount_cents !== null && news.amount_cents !== row.net_cents)
    return `通道金额 ¥${yuan(news.amount_cents)}，应为 ¥${yuan(row.net_cents)}，请核对`;
  return undefined;
}

/** Writes down what was heard of a withdrawal that is still where it was when it was read. */
export const noteTransfer = (tx: Transaction, row: Withdrawal, set: Updateable<DB["withdrawals"]>) =>
  tx
    .updateTable("withdrawals")
    .set(set)
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", row.id)
    .where("status", "=", row.status)
    .execute();
