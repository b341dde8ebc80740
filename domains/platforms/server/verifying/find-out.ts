import { sql } from "kysely";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { ok, refused, type Verified } from "../platform/answers.ts";
import { endBack } from "../orders/end-back.ts";
import { reverse } from "./cancel.ts";
import { type Attempt, isTaken, setAttempt, settleAttempt } from "./settle.ts";

/** Whether no call is made about it any more: a person has to look in the platform's own app. */
export const needsPerson = ({ status, next_at }: Pick<Attempt, "status" | "next_at">): boolean =>
  (status === 3 || status === 4 || status === 5) && next_at === null;
interface Person {
  readonly id: string;
  readonly name: string;
}
const noLonger = () => conflict("这张券已经有结果，不用再核对", "voucher.settled");

/** What one person found. */
export interface Found {
  readonly used: boolean;
  readonly verifyId?: string | undefined;
}
/** What a use that people saw is known by: where nobody named its voucher, as the platform's days tell it, else by its number alone. */
async function seenAs(tx: Transaction, { service_provider_id, account_id, certificate_id }: Attempt, verifyId: string): Promise<Verified> {
  if (certificate_id !== "") return { verifyId, certificateId: certificate_id };
  const { rows } = await sql<{ certificate_id: string }>`select d.certificate_id from platform_day_uses d
    where d.service_provider_id = ${service_provider_id} and d.account_id = ${account_id} and d.verify_id = ${verifyId} limit 1`.execute(
    tx,
  );
  return { verifyId, certificateId: rows[0]?.certificate_id ?? verifyId };
}
/** A use counts once. @throws 409 where its number is told already */
async function mustBeNew(tx: Transaction, attempt: Attempt, verifyId: string): Promise<void> {
  const by = await isTaken(tx, attempt, await seenAs(tx, attempt, verifyId));
  if (by === "attempt") throw conflict("这个核销号已记在另一次核销上，请再看一眼", "voucher.number");
  if (by === "external") throw conflict("这个核销号是在平台端核的，已经入账。本店没有核掉它，请记没有核掉", "voucher.number");
}

/** 人工核对: what one person saw in the platform's own app. Nothing moves by it; another's finding is confirmed or given back first. @throws 400, 409 */
export async function noteFound(
  tx: Transaction,
  services: Services,
  attempt: Attempt,
  by: Person,
  { used, verifyId }: Found,
): Promise<void> {
  if (!needsPerson(attempt)) throw noLonger();
  if (attempt.found_used !== null && attempt.found_by !== by.id)
    throw conflict(`${attempt.found_by_name} 已核对，请确认或退回`, "voucher.found");
  if (used && attempt.status !== 5 && verifyId === undefined) throw invalid("verifyId", "请填写平台上的核销号");
  if (used && verifyId !== undefined) await mustBeNew(tx, attempt, verifyId);
  await setAttempt(tx, attempt, {
    found_used: used,
    found_verify_id: used ? (verifyId ?? attempt.verify_id) : null,
    found_by: by.id,
    found_by_name: by.name,
    found_at: new Date(services.clock.now_ms()).toISOString(),
  });
}
/** Another person's yes to what they saw settles it; a no asks for another look. @throws 409, also where the finding has changed meanwhile */
export async function decideFound(
  tx: Transaction,
  services: Services,
  attempt: Attempt,
  by: Person,
  { agree, used, verifyId }: Found & { readonly agree: boolean },
): Promise<void> {
  if (!needsPerson(attempt) || attempt.found_used === null) throw noLonger();
  if (attempt.found_by === by.id) throw conflict("要由另一人确认", "voucher.same-person");
  if (attempt.found_used !== used || (attempt.found_verify_id ?? "") !== (verifyId ?? ""))
    throw conflict("核对的内容已变，请重新看", "voucher.found-changed");
  const forget = { found_used: null, found_verify_id: null, found_by: null, found_by_name: "", found_at: null };
  if (!agree) return setAttempt(tx, attempt, forget);
  const now = new Date(services.clock.now_ms()).toISOString();
  if (attempt.status === 5) {
    if (!attempt.found_used) return reverse(tx, services, attempt, now);
    const cancel_message = `${attempt.found_by_name}、${by.name} 核对：没有撤销`;
    await setAttempt(tx, attempt, { status: 1, can_cancel: false, cancel_message, next_at: null });
    return endBack(tx, services, attempt, { state: 2, message: cancel_message });
  }
  if (attempt.found_used) await mustBeNew(tx, attempt, attempt.found_verify_id!);
  const answer = attempt.found_used
    ? ok(await seenAs(tx, attempt, attempt.found_verify_id!))
    : refused("checked", `${attempt.found_by_name}、${by.name} 核对：没有核销`);
  return settleAttempt(tx, services, attempt, { answer, sure: true });
}
