import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Platform } from "../../contract/index.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import { ALREADY, NO_CALL, ok, type PlatformApi, refused, unknown, type VoucherThere } from "../platform/answers.ts";
import { platformApi } from "../platform/open-platform.ts";
import { endCancel } from "./cancel.ts";
import { type Attempt, type AttemptRef, holdAttempt, isOpen, setAttempt, settleAttempt, type Settling, VERIFY } from "./settle.ts";
import { tellPeople } from "./tell-people.ts";
import { openAsk } from "./tickets.ts";
import { secondsOf, SKEW_S, usesThere } from "./uses-there.ts";
import { elsewhere, verifyAt } from "./verify.ts";

const MOST = 100;
/** Nobody else takes it up meanwhile. */
const TAKEN_MS = 60_000;
/** How long a call may go out again: of a card as long as the platform surely knows it again, of the rest as long as its guest waits. */
const [SAME_MS, WAITS_MS] = [60_000, 10 * 60_000];

/** Every five seconds: attempts of which nobody knows yet, by the platform's own pace. */
export const askAttempts = lookAfter<AttemptRef>({
  name: "ask-vouchers",
  every: 5,
  due: async (tx, now) => {
    const { rows } = await sql<AttemptRef>`select v.service_provider_id, v.id from voucher_verifications v where v.next_at <= ${now}
      order by v.next_at limit ${MOST}`.execute(tx);
    return rows;
  },
  one: askAttempt,
});

/** What is known of an attempt before anybody is asked. */
interface Known {
  readonly attempt: Attempt;
  readonly account: PlatformAccount;
  readonly times: number;
  /** Numbers of uses of this voucher that other attempts have. */
  readonly taken: readonly (string | null)[];
  /** Whether its call may go out again: it names every voucher of its batch, and one whose attempt ended must not be used by it. */
  readonly mayRepeat: boolean;
}
/** Asks about one attempt, if it is due: what is unknown is queried, what is free is sent again as it was. */
export async function askAttempt(services: Services, ref: AttemptRef): Promise<void> {
  const known = await withScope(services.pool, VERIFY, (tx) => takeUp(tx, services, ref));
  if (!known) return;
  if (known.attempt.status === 5) return endCancel(services, known.attempt, known.account);
  const { person, ...settling } = await look(services, known);
  await withScope(services.pool, VERIFY, async (tx) => {
    await settleAttempt(tx, services, ref, settling);
    const now = await holdAttempt(tx, ref);
    if (person === true && (now?.status === 3 || now?.status === 4)) await leaveToPeople(tx, services, now);
  });
}
async function takeUp(tx: Transaction, services: Services, ref: AttemptRef): Promise<Known | undefined> {
  const found = await holdAttempt(tx, ref);
  const now_ms = services.clock.now_ms();
  if (!found || found.next_at === null || Date.parse(found.next_at) > now_ms || !(isOpen(found) || found.status === 5)) return undefined;
  // Whoever sent its call may have died, and the call may have arrived.
  const begun = found.status === 0 ? { status: 3, unheard: true } : found.status === 5 ? { unheard: true } : {};
  await setAttempt(tx, found, { ...begun, next_at: new Date(now_ms + TAKEN_MS).toISOString() });
  const attempt = { ...found, ...begun };
  const account = await openAccount(tx, services, attempt);
  // Nothing to ask with.
  if (!account || (attempt.status !== 5 && attempt.ask_sealed === null)) {
    await leaveToPeople(tx, services, attempt);
    return undefined;
  }
  const { rows } = await sql<{ times: number; taken: (string | null)[]; open: boolean }>`select v.times,
      array(select a.verify_id from voucher_verifications a where a.service_provider_id = v.service_provider_id and a.voucher_id = v.id
        and a.status in (1, 5, 6)) as taken,
      not exists (select from voucher_verifications b where b.service_provider_id = v.service_provider_id
        and b.merchant_id = v.merchant_id and b.batch_id = ${attempt.batch_id} and b.status not in (0, 3, 4)) as open
    from platform_vouchers v where v.service_provider_id = ${attempt.service_provider_id} and v.id = ${attempt.voucher_id}`.execute(tx);
  const { times, taken, open } = rows[0]!;
  return { attempt, account, times, taken, mayRepeat: open };
}
/** @returns nothing as well where its keys can't be opened: people look, and everybody else's turn comes */
async function openAccount(tx: Transaction, services: Services, attempt: Attempt): Promise<PlatformAccount | undefined> {
  try {
    return await platformAccountOf(tx, services, { ...attempt, platform: attempt.platform as Platform });
  } catch (error) {
    services.log.error({ err: error, attempt: attempt.id }, "an account can't be opened");
    return undefined;
  }
}
async function leaveToPeople(tx: Transaction, services: Services, attempt: Attempt): Promise<void> {
  await setAttempt(tx, attempt, { next_at: null });
  await tellPeople(tx, services, attempt);
}
interface Looked extends Settling {
  /** No call can tell: people look. */
  readonly person?: boolean;
}
const nobodyKnows = (reason: string, code: string, person = false): Looked => ({ answer: unknown(reason, code), person });
async function look(services: Services, known: Known): Promise<Looked> {
  const { attempt, account, times } = known;
  const api = platformApi(services, account);
  const asked = readAsk(services, attempt);
  if (!asked) return nobodyKnows("记下的请求打不开", attempt.code, true);
  const there = await api.query(asked.encryptedCodes[attempt.place]!, attempt.id);
  const canAsk = there.kind !== "refused" || there.code !== NO_CALL;
  if (there.kind === "ok") {
    const told = await byRecord(services, api, known, there.value);
    if (told) return told;
    // Free, and not on record either.
    if (attempt.status === 4) return { answer: { kind: "held", reason: attempt.message } };
  } else if (canAsk) return nobodyKnows(there.kind === "unknown" ? there.reason : "平台没有说这张券怎样了", attempt.code);
  const late = services.clock.now_ms() - Date.parse(attempt.started_at) > (times > 1 ? SAME_MS : WAITS_MS);
  if (attempt.status === 4 || !known.mayRepeat || late) return nobodyKnows("平台没有说这一次核了没有", attempt.code, !canAsk);
  const again = (await verifyAt(services, account, asked, { about: attempt.batch_id, started_at: attempt.started_at }))[attempt.place]!;
  // Used, and nothing says by whom.
  const untold = again.answer.kind === "refused" && again.answer.code === ALREADY && !canAsk;
  return { ...again, person: untold };
}
function readAsk(services: Services, attempt: Attempt) {
  try {
    return openAsk(services, attempt, attempt.ask_sealed!);
  } catch (error) {
    services.log.error({ err: error, attempt: attempt.id }, "an attempt's call can't be opened");
    return undefined;
  }
}
/**
 * What the platform's record of uses says where the voucher is not simply free: ours is a use at our store since this attempt began that no
 * other attempt has; used elsewhere only where its time or another store is on record. A record that shows nothing yet is no answer.
 * @returns nothing where the voucher is free and the record shows no use of ours
 */
async function byRecord(
  services: Services,
  api: PlatformApi,
  { attempt, times, taken }: Known,
  there: VoucherThere,
): Promise<Settling | undefined> {
  const { status, usedAt } = there;
  if (status === "free" && times === 1) return undefined;
  const certificate = there.certificateId || attempt.certificate_id;
  const from_s = secondsOf(attempt.started_at) - SKEW_S;
  if (status === "used" && usedAt !== null && secondsOf(usedAt) < from_s) return { answer: elsewhere(usedAt), sure: true };
  const span =
    times === 1 && usedAt !== null
      ? { from_s: Math.max(from_s, secondsOf(usedAt) - SKEW_S), to_s: secondsOf(usedAt) + SKEW_S }
      : { from_s, to_s: Math.floor(services.clock.now_ms() / 1_000) + SKEW_S, poiId: attempt.poi_id };
  const uses = await usesThere(api, span);
  if (uses.kind !== "ok" || certificate === "") return { answer: unknown("平台没有给核销记录", attempt.code) };
  const since = uses.value.filter((use) => use.certificateId === certificate && !use.reversed && secondsOf(use.at) >= from_s);
  const ours = since.find(({ poiId, verifyId }) => poiId === attempt.poi_id && !taken.includes(verifyId));
  if (ours) return { answer: ok({ verifyId: ours.verifyId, certificateId: certificate }), verified_at: ours.at };
  const theirs = since.find(({ poiId }) => poiId !== "" && poiId !== attempt.poi_id);
  if (times === 1 && theirs) return { answer: elsewhere(theirs.at), sure: true };
  if (status === "used") return { answer: unknown("平台的核销记录里还没有这一次", attempt.code) };
  return status === "free" ? undefined : { answer: refused(status, status === "refunded" ? "券已退款" : "券已过期"), sure: true };
}
