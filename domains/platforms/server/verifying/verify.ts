import { sql } from "kysely";
import { shanghaiDay, shanghaiTime } from "@zhangfang/contract/time.ts";
import { conflict, invalid, Refusal } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import { ALREADY, type Answer, refused, type Verified, type VerifyAsk, type VoucherThere } from "../platform/answers.ts";
import { platformApi } from "../platform/open-platform.ts";
import { wasTakenBack } from "./ask-voucher.ts";
import { withPatience } from "./patience.ts";
import { expectedFee, settleAttempt, type Settling, VERIFY } from "./settle.ts";
import { openTicket, type Place, type PrepareTicket, readTicket, sealAsk, sealCode, voucherHash } from "./tickets.ts";

/** Longer than a call lasts: whoever died in between is found by then. */
const CALL_MS = 60_000;
/** An answer that comes later than this is asked for the time of its use. */
const LATE_MS = 5_000;

/** Who uses a voucher, and where. */
export interface Clerk extends Place {
  readonly by_name: string;
  readonly user_id: string | null;
  readonly cashier_id: string | null;
  readonly device_id: string | null;
  readonly ip: string;
}
export interface VerifyWish {
  readonly requestId: string;
  readonly ticket: string;
  readonly count: number;
}
/** Written in the transaction of the attempts, before anything goes out. */
type Note = (
  tx: Transaction,
  about: { readonly ids: readonly string[]; readonly platform: string; readonly title: string },
) => Promise<void>;

/**
 * 核销: attempts are written down and committed, then the platform is called, then its answer is settled. The same request again makes no call.
 * @returns the attempts, settled or not: an answer that did not come is asked for by a job
 * @throws 409 where somebody else is at this voucher, or it was used here
 */
export async function verifyVouchers(services: Services, clerk: Clerk, wish: VerifyWish, note: Note): Promise<readonly string[]> {
  const begun = await beginAgain();
  if (begun.account === undefined) return begun.ids;
  const { account, asked, ids, batch_id, started_at } = begun;
  // What fails from here on is found by the job that asks.
  const done = verifyAt(services, account, asked, { about: batch_id, started_at })
    .then((each) => settleBatch(services, clerk, ids, each))
    .catch((error: unknown) => services.log.error({ err: error, batch: batch_id }, "a use is settled later"));
  await withPatience(done);
  return ids;

  /** Where the platform showed it free after its use here, somebody took that back in its own app. */
  async function beginAgain(): Promise<Begun> {
    try {
      return await withScope(services.pool, VERIFY, (tx) => begin(tx, services, clerk, wish, note));
    } catch (error) {
      if (!(error instanceof UsedHere) || !(await wasTakenBack(services, { ...clerk, id: error.attempt }))) throw error;
      return beginAgain();
    }
  }
}

/** What was used elsewhere, with its time. */
export const elsewhere = (usedAt: string): Answer<never> => refused(ALREADY, `已在别处核销，${shanghaiTime(usedAt).slice(5, 16)}`);
/** One answer for each code of a call, with the time of the use where it may not be that of the call. */
export async function verifyAt(
  services: Services,
  account: PlatformAccount,
  asked: VerifyAsk,
  { about, started_at }: { readonly about: string; readonly started_at: string },
): Promise<readonly Settling[]> {
  const api = platformApi(services, account);
  const answer = await api.verify(asked, about);
  const each = answer.kind === "ok" ? answer.value : asked.encryptedCodes.map((): Answer<Verified> => answer);
  const now_ms = services.clock.now_ms();
  const late = now_ms - Date.parse(started_at) > LATE_MS || shanghaiDay(now_ms) !== shanghaiDay(started_at);
  const settling: Settling[] = [];
  // One question after another, and none after one that was not answered: a call of twenty takes no more of what everybody shares.
  let asks = true;
  for (const [place, one] of each.entries()) {
    let there: VoucherThere | undefined;
    if (asks && (one.kind === "ok" ? late : one.kind === "refused" && one.code === ALREADY)) {
      const told = await api.query(asked.encryptedCodes[place]!, about).catch(() => undefined);
      there = told?.kind === "ok" ? told.value : undefined;
      asks = there !== undefined;
    }
    const usedAt = there?.usedAt ?? null;
    if (usedAt === null || (one.kind === "ok" && there?.verifyId !== one.value.verifyId)) settling.push({ answer: one });
    else settling.push(one.kind === "ok" ? { answer: one, verified_at: usedAt } : { answer: elsewhere(usedAt) });
  }
  return settling;
}
/** Settles the attempts of a call; they lock in one order. */
const settleBatch = (
  services: Services,
  { service_provider_id }: Pick<Place, "service_provider_id">,
  ids: readonly string[],
  answers: readonly Settling[],
) =>
  withScope(services.pool, VERIFY, async (tx) => {
    const each = ids.map((id, place) => ({ id, settling: answers[place]! })).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const { id, settling } of each) await settleAttempt(tx, services, { service_provider_id, id }, settling);
  });

/** It was used here, by this attempt. */
class UsedHere extends Refusal {
  readonly attempt: string;
  constructor(attempt: string, message: string) {
    super(409, "voucher.used", message);
    this.attempt = attempt;
  }
}
type Begun =
  | { readonly ids: readonly string[]; readonly account?: undefined }
  | {
      readonly ids: readonly string[];
      readonly account: PlatformAccount;
      readonly asked: VerifyAsk;
      readonly batch_id: string;
      readonly started_at: string;
    };
async function begin(tx: Transaction, services: Services, clerk: Clerk, wish: VerifyWish, note: Note): Promise<Begun> {
  const { requestId, ticket, count } = wish;
  const known = await sameRequest(tx, services, clerk, wish);
  if (known) return { ids: known };
  const opened = openTicket(services, clerk, ticket);
  const account = await platformAccountOf(tx, services, { ...clerk, platform: opened.platform });
  if (!account?.active || account.id !== opened.account_id) throw conflict("平台账户已变动，请重新扫", "voucher.stale");
  const vouchers = opened.vouchers.slice(0, count);
  if (vouchers.length < count) throw invalid("count", `这一单只有 ${opened.vouchers.length} 张可核销`);
  if (vouchers.some(({ times }) => times > 1) && count > 1) throw invalid("count", "次卡一次核一次");
  const asked: VerifyAsk = {
    verifyToken: opened.verifyToken,
    poiId: opened.poi_id,
    orderNo: opened.orderNo,
    encryptedCodes: vouchers.map(({ encryptedCode }) => encryptedCode),
  };
  const started_at = new Date(services.clock.now_ms()).toISOString();
  const ids: string[] = [];
  for (const [place, voucher] of vouchers.entries()) {
    const voucher_id = await putVoucher(tx, services, clerk, opened, place);
    const id = await putAttempt(tx, services, clerk, { opened, account, asked, place, requestId, voucher_id, started_at });
    if (id === undefined) {
      // The same request, at once with this one.
      const same = place === 0 && (await sameRequest(tx, services, clerk, wish));
      if (same) return { ids: same };
      throw await whyNot(tx, clerk, opened, { voucher_id, place });
    }
    ids.push(id);
    if (place === 0) await note(tx, { ids, platform: opened.platform, title: voucher.title });
  }
  return { ids, account, asked, batch_id: opened.id, started_at };
}
/** The attempts of this very request, where it came before. @throws 409 where its number was used for anything else */
async function sameRequest(
  tx: Transaction,
  services: Services,
  clerk: Clerk,
  { requestId, ticket, count }: VerifyWish,
): Promise<readonly string[] | undefined> {
  const { rows } = await sql<{ id: string; batch_id: string }>`select v.id, v.batch_id from voucher_verifications v
    where v.service_provider_id = ${clerk.service_provider_id} and v.merchant_id = ${clerk.merchant_id} and v.request_id = ${requestId}
    order by v.place`.execute(tx);
  if (rows.length === 0) return undefined;
  const batch_id = readTicket(services, clerk, ticket)?.id;
  if (rows.length !== count || rows.some((row) => row.batch_id !== batch_id)) throw conflict("请求号已被使用", "request.reused");
  return rows.map(({ id }) => id);
}
async function putVoucher(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id }: Clerk,
  opened: PrepareTicket,
  place: number,
) {
  const voucher = opened.vouchers[place]!;
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const voucher_hash = voucherHash(services, opened.account_id, voucher);
  const code_sealed = sealCode(services, { service_provider_id, voucher_hash }, voucher.encryptedCode);
  const seen = {
    code_sealed,
    title: voucher.title || "团购券",
    ends_at: voucher.ends_at,
    times: voucher.times,
    used: voucher.used,
    updated_at: now,
  };
  const asked_at = new Date(opened.at_ms).toISOString();
  const row = await tx
    .insertInto("platform_vouchers")
    .values({
      service_provider_id,
      id: services.ids.uuid(now_ms),
      merchant_id,
      store_id,
      account_id: opened.account_id,
      platform: opened.platform,
      voucher_hash,
      tail: opened.tail,
      certificate_id: voucher.certificateId,
      goods_id: voucher.goodsId,
      goods_kind: voucher.goods_kind,
      face_cents: voucher.face_cents,
      pay_cents: voucher.pay_cents,
      merchant_ticket_cents: voucher.merchant_ticket_cents,
      platform_ticket_cents: voucher.platform_ticket_cents,
      created_at: now,
      ...seen,
    })
    .onConflict((twice) =>
      twice.columns(["service_provider_id", "account_id", "voucher_hash"]).doUpdateSet({
        ...seen,
        // What happened here after it was looked up is newer than what it said.
        used: sql`least(case when platform_vouchers.updated_at >= ${asked_at} then platform_vouchers.used else ${voucher.used} end, ${voucher.times})`,
        // The platform shows it: it was prolonged.
        status: sql`case when platform_vouchers.status = 3 then 0 else platform_vouchers.status end`,
      }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}
interface Put {
  readonly opened: PrepareTicket;
  readonly account: PlatformAccount;
  readonly asked: VerifyAsk;
  readonly place: number;
  readonly requestId: string;
  readonly voucher_id: string;
  readonly started_at: string;
}
/**
 * The living row of a use is unique: the second till is told before any call. Of a card the first use that has none; its voucher's row is held,
 * so no other till counts at the same time.
 * @returns nothing where there is one already, or the request was here before
 */
async function putAttempt(
  tx: Transaction,
  services: Services,
  clerk: Clerk,
  { opened, account, asked, place, requestId, voucher_id, started_at }: Put,
): Promise<string | undefined> {
  const voucher = opened.vouchers[place]!;
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const { service_provider_id } = clerk;
  if (voucher.times > 1 && (await openUses(tx, service_provider_id, voucher_id)) > 0) return undefined;
  const done = await tx
    .insertInto("voucher_verifications")
    .values({
      ...clerk,
      id,
      account_id: opened.account_id,
      platform: opened.platform,
      voucher_id,
      voucher_hash: voucherHash(services, opened.account_id, voucher),
      nth: sql<number>`(select coalesce(min(n), 1) from generate_series(1, ${voucher.times}::int) n where not exists (
        select from voucher_verifications v where v.service_provider_id = ${service_provider_id} and v.voucher_id = ${voucher_id}
          and v.nth = n and v.status in (0, 1, 3, 4, 5)))`,
      batch_id: opened.id,
      place,
      request_id: requestId,
      poi_id: opened.poi_id,
      platform_order_no: opened.orderNo,
      certificate_id: voucher.certificateId,
      ask_sealed: sealAsk(services, { service_provider_id, id }, asked),
      ...voucher.use,
      expected_fee_cents: expectedFee(voucher.use.pay_cents, account.takeRate),
      started_at,
      next_at: new Date(now_ms + CALL_MS).toISOString(),
    })
    .onConflict((twice) => twice.doNothing())
    .executeTakeFirst();
  return done.numInsertedOrUpdatedRows === 1n ? id : undefined;
}
/** Attempts of a voucher of which nobody knows yet. */
async function openUses(tx: Transaction, service_provider_id: string, voucher_id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from voucher_verifications v
    where v.service_provider_id = ${service_provider_id} and v.voucher_id = ${voucher_id} and v.status in (0, 3, 4)`.execute(tx);
  return rows[0]!.n;
}
/** Why a voucher can't be used now: somebody is at it, or it was used here. */
async function whyNot(
  tx: Transaction,
  { service_provider_id }: Clerk,
  opened: PrepareTicket,
  { voucher_id, place }: Pick<Put, "voucher_id" | "place">,
): Promise<Refusal> {
  const { rows } = await sql<{
    id: string;
    status: number;
    at: string;
    settled_at: string | null;
    store: string;
  }>`select v.id, v.status, coalesce(v.verified_at, v.started_at) as at, v.settled_at, s.short_name as store
    from voucher_verifications v join stores s on s.service_provider_id = v.service_provider_id and s.id = v.store_id
    where v.service_provider_id = ${service_provider_id} and v.voucher_id = ${voucher_id} and v.status in (0, 1, 3, 4, 5)
    order by v.status in (0, 3, 4) desc, v.started_at desc limit 1`.execute(tx);
  const [other] = rows;
  if (!other) return conflict("这次查券已经用过，请重新扫", "voucher.stale");
  const when = `${shanghaiTime(other.at).slice(5, 16)} ${other.store}`;
  if (other.status !== 1 && other.status !== 5) return conflict(`这张券还没有结果（${when}），请等结果，别再扫`, "voucher.open");
  const since = other.status === 1 && opened.vouchers[place]!.times === 1 && other.settled_at !== null;
  const used = `已核销过，${when}`;
  return since && Date.parse(other.settled_at!) <= opened.at_ms ? new UsedHere(other.id, used) : conflict(used, "voucher.used");
}
