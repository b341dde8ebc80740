import { sql } from "kysely";
import { conflict, notFound } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Platform } from "../../contract/index.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import { type Answer, NO_CALL, ok, unknown } from "../platform/answers.ts";
import { noCancel, platformApi } from "../platform/open-platform.ts";
import { endBack } from "../orders/end-back.ts";
import { withPatience } from "./patience.ts";
import { addFact, askAt, type Attempt, type AttemptRef, holdAttempt, setAttempt, VERIFY, type VoucherRow } from "./settle.ts";
import { tellPeople } from "./tell-people.ts";
import { openCode } from "./tickets.ts";
import { standsThere } from "./uses-there.ts";

/** The last minute is closed: a call that comes a second too late at the platform would only be refused. */
const LAST_MS = 60_000;
const CALL_MS = 60_000;

/** Who takes a use back, and why. */
export interface Canceller {
  readonly by_name: string;
  readonly user_id: string | null;
  readonly cashier_id: string | null;
  readonly device_id: string | null;
  readonly reason: string;
}
/**
 * 撤销核销: within the platform's limit, once. Written down, then called, then settled; an answer that is lost is asked for by a job.
 * @param seen which attempts the caller may take back, inside the transaction
 * @throws 404, 409 with why not
 */
export async function cancelVerification(
  services: Services,
  ref: AttemptRef,
  by: Canceller,
  seen: (attempt: Attempt) => boolean,
  note: (tx: Transaction, attempt: Attempt) => Promise<void>,
): Promise<void> {
  const begun = await withScope(services.pool, VERIFY, async (tx) => {
    const attempt = await holdAttempt(tx, ref);
    if (!attempt || !seen(attempt)) throw notFound("核销");
    // The same again, while it is under way or done.
    if (attempt.status === 5 || attempt.status === 6) return undefined;
    if (attempt.status !== 1) throw conflict("只有核销成功的才能撤销", "voucher.state");
    const order_no = await livingOrder(tx, attempt);
    if (order_no !== undefined) throw conflict(`在订单 ${order_no} 里，请在退款里处理`, "voucher.in-order");
    const cancel = await beginCancel(tx, services, attempt, by);
    if (typeof cancel === "string") throw conflict(cancel, mayAsk(services, attempt) ? "voucher.late" : "voucher.no-cancel");
    await note(tx, attempt);
    return cancel;
  });
  if (!begun) return;
  const done = endCancel(services, begun.attempt, begun.account).catch((error: unknown) =>
    services.log.error({ err: error, attempt: ref.id }, "a reversal is settled later"),
  );
  await withPatience(done);
}
/** The number of the order that a use pays for, as long as that is not closed or given back. */
async function livingOrder(tx: Transaction, { service_provider_id, order_id }: Attempt): Promise<string | undefined> {
  if (order_id === null) return undefined;
  const { rows } = await sql<{ order_no: string }>`select o.order_no from pay_orders o
    where o.service_provider_id = ${service_provider_id} and o.id = ${order_id} and o.status in (0, 2)`.execute(tx);
  return rows[0]?.order_no;
}
/** Until when a use is taken back here; nothing where nobody knows. */
export const cancelEnd = ({ cancel_until }: Pick<Attempt, "cancel_until">): string | null =>
  cancel_until && new Date(Date.parse(cancel_until) - LAST_MS).toISOString();
/** Whether its platform may be asked at all. */
const mayAsk = (services: Services, { platform, can_cancel }: Pick<Attempt, "platform" | "can_cancel">): boolean =>
  can_cancel && noCancel(services, platform) === undefined;
/** Why a use is not taken back any more; undefined where it may be. */
export function cancelRefusal(services: Services, attempt: Attempt): string | undefined {
  const { platform, can_cancel, cancel_message } = attempt;
  const end = cancelEnd(attempt);
  const never = noCancel(services, platform);
  if (never !== undefined) return never;
  if (!can_cancel) return cancel_message || "平台不让撤销这次核销，请顾客在平台申请售后";
  if (end !== null && services.clock.now_ms() < Date.parse(end)) return undefined;
  // The hour is 抖音's; of 快手 it is ours.
  return platform === "ks" ? "核销已近一小时，这里不再撤销，请在快手商家端撤销" : "核销已近一小时，平台不再撤销，请顾客在平台申请售后";
}
/** Writes down that a use is to be taken back; whoever asked calls when that is committed. @returns why not, in words */
export async function beginCancel(
  tx: Transaction,
  services: Services,
  attempt: Attempt,
  by: Canceller,
): Promise<{ readonly attempt: Attempt; readonly account: PlatformAccount } | string> {
  const now_ms = services.clock.now_ms();
  const refusal = cancelRefusal(services, attempt);
  if (refusal !== undefined) return refusal;
  const account = await platformAccountOf(tx, services, { ...attempt, platform: attempt.platform as Platform });
  if (!account) return "平台账户没有密钥，不能撤销";
  const set = {
    status: 5,
    cancel_at: new Date(now_ms).toISOString(),
    cancel_by_name: by.by_name,
    cancel_user_id: by.user_id,
    cancel_cashier_id: by.cashier_id,
    cancel_device_id: by.device_id,
    cancel_reason: by.reason,
    cancel_message: "",
    tries: 0,
    unheard: false,
    next_at: new Date(now_ms + CALL_MS).toISOString(),
  };
  await setAttempt(tx, attempt, set);
  return { attempt: { ...attempt, ...set }, account };
}
/** Calls for a cancel that is written down, and settles it. One whose answer was lost is sent again, which is the same. */
export async function endCancel(services: Services, attempt: Attempt, account: PlatformAccount): Promise<void> {
  const { id, verify_id, certificate_id } = attempt;
  const answer = await platformApi(services, account).cancel({ verifyId: verify_id!, certificateId: certificate_id }, id);
  await settleCancel(services, attempt, answer.kind === "refused" ? await afterNo(services, account, attempt, answer) : { answer });
}
interface CancelEnd {
  readonly answer: Answer<true>;
  /** Whether it may be tried again within the hour. */
  readonly mayTry?: boolean;
}
/** A no may mean that it was taken back already, here or there: the platform's record of uses decides, as far as it says anything. */
async function afterNo(
  services: Services,
  account: PlatformAccount,
  attempt: Attempt,
  no: Extract<Answer<true>, { kind: "refused" }>,
): Promise<CancelEnd> {
  // It has no such call: nothing went out.
  if (no.code === NO_CALL && !attempt.unheard) return { answer: no };
  const there = await standsThere(platformApi(services, account), attempt);
  if (there.kind === "ok" && there.value.reversed) return { answer: ok(true as const) };
  if (there.kind !== "ok" && attempt.unheard)
    return { answer: unknown(there.kind === "refused" ? "平台没有应答撤销，请在平台商家端核对" : there.reason) };
  return { answer: no, mayTry: await mayCancel(services, account, attempt) };
}
/** What the platform says of taking it back; where it says nothing the no was a passing one. */
async function mayCancel(services: Services, account: PlatformAccount, attempt: Attempt): Promise<boolean> {
  const code = await withScope(services.pool, VERIFY, async (tx) => {
    const voucher = await tx
      .selectFrom("platform_vouchers")
      .select(["service_provider_id", "voucher_hash", "code_sealed"])
      .where("service_provider_id", "=", attempt.service_provider_id)
      .where("id", "=", attempt.voucher_id)
      .executeTakeFirst();
    return voucher?.code_sealed && openCode(services, voucher, voucher.code_sealed);
  });
  const there = code ? await platformApi(services, account).query(code, attempt.id) : undefined;
  return there?.kind !== "ok" || there.value.verifyId !== attempt.verify_id || there.value.canCancel;
}

async function settleCancel(
  services: Services,
  { service_provider_id, id }: AttemptRef,
  { answer, mayTry = false }: CancelEnd,
): Promise<void> {
  await withScope(services.pool, VERIFY, async (tx) => {
    const attempt = await holdAttempt(tx, { service_provider_id, id });
    if (attempt?.status !== 5) return;
    const now = new Date(services.clock.now_ms()).toISOString();
    if (answer.kind === "ok") return reverse(tx, services, attempt, now);
    if (answer.kind === "refused") {
      const cancel_message = answer.message.slice(0, 120);
      await setAttempt(tx, attempt, { status: 1, can_cancel: mayTry, cancel_message, next_at: null });
      return endBack(tx, services, attempt, { state: 2, message: cancel_message });
    }
    const tries = attempt.tries + 1;
    const next_at = askAt(services, tries);
    await setAttempt(tx, attempt, { tries, unheard: true, cancel_message: answer.reason.slice(0, 120), next_at });
    if (next_at === null) await tellPeople(tx, services, attempt);
  });
}
/** It is free again: attempt, voucher and fact in one transaction. */
export async function reverse(tx: Transaction, services: Services, attempt: Attempt, now: string): Promise<void> {
  const { service_provider_id, voucher_id } = attempt;
  await setAttempt(tx, attempt, { status: 6, reversed_at: now, next_at: null, cancel_message: "" });
  const { rows } = await sql<VoucherRow>`update platform_vouchers v set used = greatest(v.used - 1, 0), updated_at = ${now},
      status = case when v.status = 1 then 2 else v.status end
    where v.service_provider_id = ${service_provider_id} and v.id = ${voucher_id}
    returning v.goods_id, v.title, v.goods_kind, v.face_cents, v.pay_cents, v.merchant_ticket_cents, v.platform_ticket_cents`.execute(tx);
  const by = {
    by_name: attempt.cancel_by_name,
    user_id: attempt.cancel_user_id,
    cashier_id: attempt.cancel_cashier_id,
    device_id: attempt.cancel_device_id,
  };
  await addFact(tx, services, attempt, rows[0]!, "reverse", now, by);
  await endBack(tx, services, attempt, { state: 1, message: "" });
}
