import { sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { whyNo } from "../../../../channels/contract.ts";
import {
  bearsOut,
  hasOpenCall,
  type No,
  NOT_FOUND,
  payoutChannelOf,
  said,
  standingNo,
  type ChannelAccount,
  type Outcome,
  type Transfer,
} from "../../../../channels/server/index.ts";
import { openPayee } from "../payee.ts";
import { payoutAccountOf } from "../payout-settings.ts";
import { noteTransfer, settleTransfer } from "./settle-transfer.ts";
import { lockWithdrawal, moveWithdrawal, type Withdrawal } from "./settle-withdrawal.ts";
import { nextPayoutLook_ms } from "../withdrawal-rules.ts";

const SCOPE = platformScope("chase a withdrawal");
/** The query knows transfers of 30 days (get-transfer-bill-by-out-no, 4012716437); a day to spare. */
const QUERY_KNOWS_MS = 29 * 86_400_000;
type Step = "transfer" | "query" | "cancel";
interface Ref {
  readonly service_provider_id: string;
  readonly id: string;
}

/**
 * Takes a withdrawal that is 打款中 one step on: sends it where its number was never sent, else asks what became of it, and sends
 * it again only where the channel has never heard of the number. One number is one transfer at one merchant, so that this bears being
 * run twice at once and being cut off anywhere; no answer changes nothing.
 */
export async function chaseWithdrawal(services: Services, ref: Ref): Promise<void> {
  let step: Step | undefined = await withScope(services.pool, SCOPE, (tx) => firstStep(tx, ref));
  let no: No | undefined;
  for (let steps = 0; step !== undefined && steps < 3; steps++) {
    const begun = await withScope(services.pool, SCOPE, (tx) => begin(tx, services, ref, step!));
    if (!begun) return;
    const outcome = await ask(services, begun, step);
    const next = await withScope(services.pool, SCOPE, (tx) => take(tx, services, begun, step!, outcome, no));
    no = step === "transfer" && outcome.kind === "refused" ? outcome : undefined;
    step = next;
  }
}

async function firstStep(tx: Transaction, { service_provider_id, id: withdrawal_id }: Ref): Promise<Step> {
  const sent = await tx
    .selectFrom("payout_calls")
    .select("id")
    .where("service_provider_id", "=", service_provider_id)
    .where("withdrawal_id", "=", withdrawal_id)
    .where("operation", "=", "transfer")
    .limit(1)
    .executeTakeFirst();
  return sent ? "query" : "transfer";
}

interface Begun {
  readonly row: Withdrawal;
  readonly call: string;
  readonly account: ChannelAccount;
  readonly sceneId: string;
}
/** Writes down that the channel is about to be asked; the row is held while that is decided, and not while it is asked. */
async function begin(tx: Transaction, services: Services, ref: Ref, operation: Step): Promise<Begun | undefined> {
  const row = await lockWithdrawal(tx, ref);
  if (row?.status !== 2 || row.method !== "wechat") return undefined;
  const now_ms = services.clock.now_ms();
  const settings = await payoutAccountOf(tx, services, row.service_provider_id);
  const stopped = settings ? otherMerchant(services, row, settings.account.mchId) : "服务商还没有设置打款通道";
  await noteTransfer(tx, row, {
    next_query_at: new Date(now_ms + nextPayoutLook_ms(row.cancel_asked_at ?? row.decided_at ?? row.created_at, now_ms)).toISOString(),
    ...(stopped ? { failure: stopped } : { mch_id: settings!.account.mchId }),
  });
  if (!settings || stopped) return undefined;
  const call = services.ids.uuid(now_ms);
  await tx
    .insertInto("payout_calls")
    .values({
      service_provider_id: row.service_provider_id,
      id: call,
      withdrawal_id: row.id,
      operation,
      started_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return { row, call, ...settings };
}

/** Another merchant knows nothing of a number: asked there it would be sent, and paid, once more. */
function otherMerchant(services: Services, row: Withdrawal, mchId: string): string | undefined {
  if (row.mch_id === null || row.mch_id === mchId) return undefined;
  services.log.error({ withdrawal: row.id, from: row.mch_id, now: mchId }, "a transfer of another merchant number");
  return `这笔转账由商户号 ${row.mch_id} 发起，提现设置现为 ${mchId}，请改回原商户号`;
}

function ask(services: Services, { row, account, sceneId }: Begun, step: Step): Promise<Outcome<Transfer>> {
  const channel = payoutChannelOf(services);
  if (step === "query") return channel.queryTransfer(account, row.withdrawal_no);
  if (step === "cancel") return channel.cancelTransfer(account, row.withdrawal_no);
  // The payee is the one that was asked for, or nothing is sent.
  const { number, holder } = openPayee(services, row);
  return channel.transfer(account, {
    outBillNo: row.withdrawal_no,
    openId: number,
    payeeName: holder,
    amount_cents: row.net_cents,
    remark: "分润提现",
    sceneId,
    ...(account.apiV3Key && { notifyUrl: `${services.config.public_url}/notify/wechat-transfer/${row.service_provider_id}` }),
  });
}

/** Takes over what the channel said. @returns what has to be asked next, if anything */
async function take(
  tx: Transaction,
  services: Services,
  { row, call }: Begun,
  step: Step,
  outcome: Outcome<Transfer>,
  told: No | undefined,
): Promise<Step | undefined> {
  await endCall(tx, services, row, call, outcome);
  if (outcome.kind === "unknown") return undefined;
  if (outcome.kind === "ok") {
    const settled = await settleTransfer(tx, services, row, outcome.value);
    if (step !== "query" || settled !== "unchanged" || outcome.value.state !== "waiting") return undefined;
    // Whoever asked to take it back is heard once it is known to wait still.
    if (row.cancel_asked_at !== null) return "cancel";
    // What opens the payee's page comes with the sending alone: where that answer was lost, the same number is sent once more.
    return row.package_info === null && outcome.value.packageInfo === null ? "transfer" : undefined;
  }
  if (step === "cancel") {
    // The payee was quicker, or it is over: the next look tells. Somebody may ask again.
    await noteTransfer(tx, row, { cancel_asked_at: null, failure: `撤销没有成功：${whyNo(outcome)}` });
    return undefined;
  }
  const no = step === "query" ? (told ?? (await standingNo(tx, sendingOf(row, call)))) : undefined;
  if (step === "query" && outcome.code !== NOT_FOUND && outcome.code !== no?.code) return undefined;
  const held = await lockWithdrawal(tx, row);
  if (held?.status !== 2) return undefined;
  if (await channelKnew(tx, services, held)) {
    // Not found any more, or refused a second time: neither says what became of the first.
    services.log.error({ withdrawal: row.id, code: outcome.code }, "a transfer that the channel had is not answered for");
    const said = step === "query" ? "通道现在查不到" : `通道现在拒绝（${whyNo(outcome)}）`;
    // From now on it is for people: they look it up there and say how it ended.
    await noteTransfer(tx, held, {
      failure: `通道可能已受理这笔转账，${said}，不会重发，请到微信支付商户平台核对后登记结果`,
      unanswered_at: held.unanswered_at ?? new Date(services.clock.now_ms()).toISOString(),
    });
    return undefined;
  }
  // A no is believed only where the number is unknown then too.
  if (step === "transfer") return "query";
  // An earlier sending that nobody heard the end of may still arrive: given up early, its amount could be asked for under another number.
  if (!bearsOut(no, outcome) || (await hasOpenCall(tx, { ...sendingOf(row, call), paysTwice: true }))) return "transfer";
  await moveWithdrawal(tx, services, held, 4, { failure: `通道拒绝：${whyNo(no)}`, channel_state: no.code });
  return undefined;
}
/**
 * Whether the channel said that it has this transfer, or is asked too late to tell: it is then sent no more on its not finding it, and
 * not given up on a no.
 */
async function channelKnew(tx: Transaction, services: Services, row: Withdrawal): Promise<boolean> {
  if (row.channel_no !== null || row.channel_state !== null) return true;
  const known_since = new Date(services.clock.now_ms() - QUERY_KNOWS_MS).toISOString();
  const { rows } = await sql<{ knew: boolean }>`select coalesce(bool_or(c.outcome = 'ok')
      or max(c.started_at) filter (where c.operation = 'transfer') < ${known_since}::timestamptz, false) as knew
    from payout_calls c where c.service_provider_id = ${row.service_provider_id} and c.withdrawal_id = ${row.id}`.execute(tx);
  return rows[0]?.knew === true;
}

async function endCall(tx: Transaction, services: Services, row: Withdrawal, call: string, outcome: Outcome<unknown>): Promise<void> {
  await tx
    .updateTable("payout_calls")
    .set({ ended_at: new Date(services.clock.now_ms()).toISOString(), ...said(outcome) })
    .where("service_provider_id", "=", row.service_provider_id)
    .where("id", "=", call)
    .execute();
}
/** The sending of a withdrawal, and what asks about it. */
const sendingOf = ({ service_provider_id, id }: Withdrawal, call: string) => ({
  table: "payout_calls" as const,
  call: { service_provider_id, id: call },
  number: { withdrawal_id: id },
  operation: "transfer",
  query: "query",
});

/** Sends a withdrawal that was approved; enqueued in the transaction that approved it. */
export const sendWithdrawal = job({ name: "send-withdrawal", data: z.object({ service_provider_id: id, id }), run: chaseWithdrawal });

/** Every minute: transfers on their way whose time has come are asked about, so that a lost answer is found. */
export const queryWithdrawals = lookAfter({
  name: "query-withdrawals",
  due: (tx, now) =>
    tx
      .selectFrom("withdrawals")
      .select(["service_provider_id", "id"])
      .where("status", "=", 2)
      .where("next_query_at", "<=", now)
      .orderBy("next_query_at")
      .limit(200)
      .execute(),
  one: chaseWithdrawal,
});
