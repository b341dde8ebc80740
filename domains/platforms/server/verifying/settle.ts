import { sql } from "kysely";
import { RATE_ONE } from "@zhangfang/contract/money.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { lockOrder } from "../../../orders/server/index.ts";
import type { GoodsKind, Platform } from "../../contract/index.ts";
import { addPlatformEntries } from "../entries/add-entries.ts";
import type { Answer, Verified } from "../platform/answers.ts";
import { tellPeople } from "./tell-people.ts";

export const VERIFY = platformScope("use a voucher");
/** What a platform is expected to take. */
export const expectedFee = (pay_cents: number, take_rate: number): number => Math.round((pay_cents * take_rate) / RATE_ONE);
/** How long a use may be taken back: 抖音 one hour; of 快手 no document says it, and the platform has the last word at both. */
const CANCEL_MS = 3_600_000;
const HELD_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;
/** Five times after five seconds, then after forty; after the fourteenth people look. */
const QUICK = 5;
const MOST = 14;

export interface AttemptRef {
  readonly service_provider_id: string;
  readonly id: string;
}
/** An attempt, held until the end of the transaction; the order that it stands in first, as everybody does who holds both. */
export async function holdAttempt(tx: Transaction, { service_provider_id, id }: AttemptRef) {
  const named = await tx
    .selectFrom("voucher_verifications")
    .select("order_id")
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirst();
  if (named?.order_id) await lockOrder(tx, { service_provider_id, id: named.order_id });
  const held = await tx
    .selectFrom("voucher_verifications")
    .selectAll()
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  // A till put it into a bill in between.
  if (held && held.order_id !== null && held.order_id !== named?.order_id)
    throw conflict("这张券刚放进一笔订单，请再试一次", "voucher.in-order");
  return held;
}
export type Attempt = NonNullable<Awaited<ReturnType<typeof holdAttempt>>>;
/** Whoever does not know yet. */
export const isOpen = ({ status }: Pick<Attempt, "status">): boolean => status === 0 || status === 3 || status === 4;

const gone = (): Error => new Error("an attempt moved under its lock");
export async function setAttempt(tx: Transaction, { service_provider_id, id, status }: Attempt, set: object): Promise<void> {
  const done = await tx
    .updateTable("voucher_verifications")
    .set(set)
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .where("status", "=", status)
    .executeTakeFirst();
  mustChange(done, gone);
}
/** When it is asked again; nothing once people have to look. */
export const askAt = (services: Services, tries: number): string | null =>
  tries > MOST ? null : new Date(services.clock.now_ms() + (tries <= QUICK ? 5_000 : 40_000)).toISOString();

/** What an attempt is settled by. */
export interface Settling {
  readonly answer: Answer<Verified>;
  /** When it was used, where the platform says so. */
  readonly verified_at?: string;
  /** A no that holds after a call whose end nobody heard: the platform's record says it, or two people. */
  readonly sure?: boolean;
}
/**
 * Settles an attempt by an answer about it: the attempt, its voucher and the fact in one transaction. What is settled already stays. A use
 * whose time nobody says counts from when its call was sent: it was no earlier, and the platform's hour ends no earlier.
 */
export async function settleAttempt(tx: Transaction, services: Services, ref: AttemptRef, settling: Settling): Promise<void> {
  const attempt = await holdAttempt(tx, ref);
  if (!attempt || !isOpen(attempt)) return;
  const { answer, verified_at, sure = false } = settling;
  switch (answer.kind) {
    case "ok":
      // The platform named a use that is another attempt's, or was told as made without us: whose this one is nobody knows.
      return (await isTaken(tx, attempt, answer.value))
        ? again(tx, services, attempt, "", "平台给的核销号已经记过")
        : succeed(tx, services, attempt, answer.value, verified_at ?? attempt.started_at);
    case "held": {
      const held_until = attempt.held_until ?? new Date(services.clock.now_ms() + HELD_MS).toISOString();
      const message = answer.reason.slice(0, 120);
      // One of which nothing was heard stays unknown: the check may have been begun by its lost call.
      return hold(tx, services, attempt, { ...(attempt.status === 0 && { status: 4 }), held_until, message });
    }
    case "refused":
      // A call of this attempt ended without a word: a no to another one says nothing about it.
      if (attempt.unheard && !sure) return again(tx, services, attempt, answer.code, answer.message);
      return setAttempt(tx, attempt, {
        status: 2,
        settled_at: new Date(services.clock.now_ms()).toISOString(),
        next_at: null,
        ask_sealed: null,
        code: answer.code.slice(0, 32),
        message: answer.message.slice(0, 120),
      });
    case "unknown":
      return again(tx, services, attempt, answer.code ?? "", answer.reason);
  }
}
/** Whose a number of a use is already: another attempt's, or a fact's that was made at the platform without us. @returns nothing of a new one */
export async function isTaken(
  tx: Transaction,
  { service_provider_id, merchant_id, platform, account_id, id }: Attempt,
  { verifyId, certificateId }: Verified,
): Promise<"attempt" | "external" | undefined> {
  const { rows } = await sql<{ by: "attempt" | "external" }>`select 'attempt' as by from voucher_verifications v
      where v.service_provider_id = ${service_provider_id} and v.account_id = ${account_id} and v.verify_id = ${verifyId}
        and v.status in (1, 5, 6) and v.id <> ${id}
    union all select 'external' from platform_entries e where e.service_provider_id = ${service_provider_id} and e.merchant_id = ${merchant_id}
      and e.platform = ${platform} and e.kind = 'external' and e.verify_id = ${verifyId}
      and (e.certificate_id = ${certificateId} or ${certificateId === verifyId}::boolean and e.account_id = ${account_id})`.execute(tx);
  return rows[0]?.by;
}
/** The platform checks it: asked each hour until its days are over, then people look. */
async function hold(
  tx: Transaction,
  services: Services,
  attempt: Attempt,
  set: { readonly held_until: string | null; readonly message?: string },
): Promise<void> {
  const next = new Date(services.clock.now_ms() + HOUR_MS).toISOString();
  const next_at = set.held_until === null || next > set.held_until ? null : next;
  await setAttempt(tx, attempt, { ...set, next_at });
  if (next_at === null) await tellPeople(tx, services, attempt);
}
/** Nobody knows: it is asked again. */
async function again(tx: Transaction, services: Services, attempt: Attempt, code: string, message: string): Promise<void> {
  if (attempt.status === 4) return hold(tx, services, attempt, { held_until: attempt.held_until });
  const tries = attempt.tries + 1;
  const next_at = askAt(services, tries);
  await setAttempt(tx, attempt, {
    ...(attempt.status === 0 && { status: 3 }),
    tries,
    unheard: true,
    next_at,
    code: code.slice(0, 32),
    message: message.slice(0, 120),
  });
  if (next_at === null) await tellPeople(tx, services, attempt);
}

async function succeed(tx: Transaction, services: Services, attempt: Attempt, { verifyId, certificateId }: Verified, verified_at: string) {
  const { service_provider_id, voucher_id } = attempt;
  const now = new Date(services.clock.now_ms()).toISOString();
  await setAttempt(tx, attempt, {
    status: 1,
    verify_id: verifyId,
    certificate_id: certificateId,
    verified_at,
    settled_at: now,
    cancel_until: new Date(Date.parse(verified_at) + CANCEL_MS).toISOString(),
    next_at: null,
    ask_sealed: null,
    code: "",
    message: "",
  });
  const { rows } =
    await sql<VoucherRow>`update platform_vouchers v set used = least(v.used + 1, v.times), certificate_id = ${certificateId},
      status = case when v.status in (0, 2, 3) and v.used + 1 >= v.times then 1 else v.status end, store_id = ${attempt.store_id},
      updated_at = ${now}
    where v.service_provider_id = ${service_provider_id} and v.id = ${voucher_id}
    returning v.goods_id, v.title, v.goods_kind, v.face_cents, v.pay_cents, v.merchant_ticket_cents, v.platform_ticket_cents`.execute(tx);
  await addFact(tx, services, { ...attempt, verify_id: verifyId, certificate_id: certificateId }, rows[0]!, "verify", verified_at, attempt);
}
export interface VoucherRow {
  readonly goods_id: string;
  readonly title: string;
  readonly goods_kind: number;
  readonly face_cents: number;
  readonly pay_cents: number;
  readonly merchant_ticket_cents: number;
  readonly platform_ticket_cents: number;
}
interface By {
  readonly by_name: string;
  readonly user_id: string | null;
  readonly cashier_id: string | null;
  readonly device_id: string | null;
}
/** Whether the platform's day has told of this use already, while nobody here knew of it: it counts once, as it was told. */
async function isExternal(tx: Transaction, attempt: Attempt): Promise<boolean> {
  const { rows } = await sql`select 1 from platform_entries e where e.service_provider_id = ${attempt.service_provider_id}
    and e.merchant_id = ${attempt.merchant_id} and e.platform = ${attempt.platform} and e.kind = 'external'
    and e.certificate_id = ${attempt.certificate_id} and e.verify_id = ${attempt.verify_id}`.execute(tx);
  return rows.length > 0;
}
/** The fact of a use or of its reversal. @throws where it is there already: no act may end without its fact */
export async function addFact(
  tx: Transaction,
  services: Services,
  attempt: Attempt,
  voucher: VoucherRow,
  kind: "verify" | "reverse",
  happened_at: string,
  { by_name, user_id, cashier_id, device_id }: By,
): Promise<void> {
  const added = await addPlatformEntries(tx, services, [
    {
      service_provider_id: attempt.service_provider_id,
      merchant_id: attempt.merchant_id,
      store_id: attempt.store_id,
      platform: attempt.platform as Platform,
      account_id: attempt.account_id,
      kind,
      certificate_id: attempt.certificate_id,
      verify_id: attempt.verify_id!,
      attempt_id: attempt.id,
      platform_order_no: attempt.platform_order_no,
      platform_store_id: attempt.poi_id,
      by_name,
      ...(user_id !== null && { user_id }),
      ...(cashier_id !== null && { cashier_id }),
      ...(device_id !== null && { device_id }),
      ...voucher,
      // What this use is worth: a card of several uses is worth more than one of them.
      face_cents: attempt.face_cents,
      pay_cents: attempt.pay_cents,
      merchant_ticket_cents: attempt.merchant_ticket_cents,
      platform_ticket_cents: attempt.platform_ticket_cents,
      goods_kind: voucher.goods_kind as GoodsKind,
      expected_fee_cents: attempt.expected_fee_cents,
      happened_at,
    },
  ]);
  if (added.length !== 1 && !(kind === "verify" && (await isExternal(tx, attempt))))
    throw new Error(`attempt ${attempt.id}: its ${kind} is a fact already`);
}
