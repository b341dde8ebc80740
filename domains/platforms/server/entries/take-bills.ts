import { sql } from "kysely";
import { z } from "zod";
import { addDays, dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Platform } from "../../contract/index.ts";
import { type AccountOf, type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import type { LedgerLine, UseThere } from "../platform/answers.ts";
import { platformApi } from "../platform/open-platform.ts";
import { reverseThere } from "../verifying/ask-voucher.ts";
import { expectedFee } from "../verifying/settle.ts";
import { addPlatformEntries, type PlatformEntry } from "./add-entries.ts";

const BILLS = platformScope("take platforms' bills");
/** Day D comes at D+1, and again at D+3 and D+8 for what was late. */
const AGAIN = [1, 3, 8] as const;
/** A day that did not come whole comes each night for so long: a try that the platform holds is asked about for a week, and then people look. */
const UNTIL = 15;
const MOST_PAGES = 2_000;
const ROWS_AT_ONCE = 1_000;
/** The platform's clock and ours. */
const SKEW_MS = 60_000;

/** 02:10: what platforms have on record of uses and of settlements, for the days that are due. */
export const takeBills = job({
  name: "take-platform-bills",
  data: z.object({}),
  every: "10 2 * * *",
  concurrency: 1,
  lease_s: 3_600,
  retryLimit: 2,
  run: async (services) => {
    const rows = await withScope(services.pool, BILLS, (tx) =>
      tx
        .selectFrom("platform_accounts")
        .select(["id", "service_provider_id", "merchant_id", "platform"])
        .where("platform", "=", "dy")
        .where("state", "=", "active")
        .execute(),
    );
    // One account that cannot be opened, or whose day fails, is not the others' fault.
    for (const { id, ...of } of rows)
      await takeDays(services, { ...of, platform: of.platform as Platform }).catch((error: unknown) =>
        services.log.error({ err: error, account: id }, "a platform's bill comes again tomorrow"),
      );
  },
});
async function takeDays(services: Services, of: AccountOf): Promise<void> {
  const today = shanghaiDay(services.clock.now_ms());
  const due = await withScope(services.pool, BILLS, async (tx) => {
    const account = await platformAccountOf(tx, services, of);
    const { rows } = await sql<{ day: string }>`select b.day::text as day from platform_bill_days b
      where b.service_provider_id = ${of.service_provider_id} and b.account_id = ${account?.id ?? null} and not b.whole
        and b.day >= ${addDays(today, -UNTIL)}`.execute(tx);
    const days = new Set([...AGAIN.map((days) => addDays(today, -days)), ...rows.map(({ day }) => day)]);
    return account && { account, days };
  });
  if (!due) return;
  for (const day of due.days)
    await takeDay(services, due.account, day).catch(async (error: unknown) => {
      services.log.error({ err: error, account: due.account.id, day }, "a platform's day comes again tomorrow");
      await noteDay(services, due.account, day, { missing: ["没有取完，出错了"], came: false, unread: 0 });
    });
}

/**
 * Takes one day of an account: uses that were made at the platform without us become facts, and lines of its bill. How far it came is kept.
 * @returns whether both came whole
 */
export async function takeDay(services: Services, account: PlatformAccount, day: string): Promise<boolean> {
  const api = platformApi(services, account);
  const from_s = Date.parse(dayStart(day)) / 1_000;
  const places: Places = new Map();
  // As it was before the asking: what is reversed here meanwhile is not held against it.
  const record = { uses: new Map<string, UseThere>(), clear: true, asked_at: new Date(services.clock.now_ms()).toISOString() };
  const uses = await allPages(
    "核销记录",
    (cursor) => api.verifications({ from_s, to_s: from_s + 86_399, cursor }),
    async (told) => {
      const some = await asOurs(services, account, told);
      const good = some.filter(usable);
      for (const use of good) record.uses.set(keyOf(use), use);
      record.clear &&= good.length === some.length;
      return addUses(services, account, some);
    },
  );
  const lines = await allPages(
    "账单",
    (cursor) => api.ledger({ day, cursor }),
    async (some) => addLines(services, account, { day, places }, await asOurs(services, account, some)),
  );
  const missing = [...uses.missing, ...lines.missing];
  // A record that did not come whole leaves the one before; where there is none, it is kept once nothing better is to be expected.
  const late = shanghaiDay(services.clock.now_ms()) >= addDays(day, AGAIN.at(-1)!);
  const told =
    uses.came && (record.clear || (late && !(await hasRecord(services, account, day))))
      ? { uses: [...record.uses.values()], asked_at: record.asked_at }
      : undefined;
  await noteDay(services, account, day, { missing, came: uses.came && lines.came, unread: uses.unread + lines.unread }, told);
  return missing.length === 0;
}
async function hasRecord(services: Services, { service_provider_id, id }: PlatformAccount, day: string): Promise<boolean> {
  const row = await withScope(services.pool, BILLS, (tx) =>
    tx
      .selectFrom("platform_bill_days")
      .select("uses_taken_at")
      .where("service_provider_id", "=", service_provider_id)
      .where("account_id", "=", id)
      .where("day", "=", day)
      .executeTakeFirst(),
  );
  return (row?.uses_taken_at ?? null) !== null;
}
/** The platform's record of a day's uses, as it was at a moment. */
interface Told {
  readonly uses: readonly UseThere[];
  readonly asked_at: string;
}
async function noteDay(
  services: Services,
  account: PlatformAccount,
  day: string,
  { missing, came, unread }: Pages,
  told?: Told,
): Promise<void> {
  const set = {
    came,
    unread,
    whole: missing.length === 0,
    why: missing.join("；").slice(0, 400),
    taken_at: new Date(services.clock.now_ms()).toISOString(),
    ...(told && { uses_taken_at: told.asked_at, cleared_at: null }),
  };
  if (!set.whole) services.log.warn({ account: account.id, day, why: set.why }, "a platform's day did not come whole");
  const { service_provider_id, merchant_id, id } = account;
  await withScope(services.pool, BILLS, async (tx) => {
    // Two that take the same day wait for each other at its row. That its bill came whole is said last: from then on all its uses wait for the end.
    await tx
      .insertInto("platform_bill_days")
      .values({ service_provider_id, merchant_id, account_id: id, day, ...set, whole: false })
      .onConflict((twice) =>
        twice.columns(["service_provider_id", "account_id", "day"]).doUpdateSet((row) => ({ whole: row.ref("platform_bill_days.whole") })),
      )
      .execute();
    if (told) await keepDayUses(tx, account, day, told.uses);
    await tx
      .updateTable("platform_bill_days")
      .set(set)
      .where("service_provider_id", "=", service_provider_id)
      .where("account_id", "=", id)
      .where("day", "=", day)
      .execute();
  });
}
/** The day's record of uses instead of the one before. */
async function keepDayUses(tx: Transaction, account: PlatformAccount, day: string, uses: readonly UseThere[]): Promise<void> {
  const { service_provider_id, merchant_id, id: account_id } = account;
  await tx
    .deleteFrom("platform_day_uses")
    .where("service_provider_id", "=", service_provider_id)
    .where("account_id", "=", account_id)
    .where("day", "=", day)
    .execute();
  for (let from = 0; from < uses.length; from += ROWS_AT_ONCE)
    await tx
      .insertInto("platform_day_uses")
      .values(
        uses.slice(from, from + ROWS_AT_ONCE).map((use) => ({
          service_provider_id,
          account_id,
          merchant_id,
          day,
          certificate_id: use.certificateId,
          verify_id: use.verifyId,
          platform_store_id: use.poiId,
          goods_id: use.goodsId,
          face_cents: use.face_cents,
          pay_cents: use.pay_cents,
          merchant_ticket_cents: use.merchant_ticket_cents,
          platform_ticket_cents: use.platform_ticket_cents,
          used_at: use.at,
          reversed: use.reversed,
          reversed_at: use.reversed ? use.reversedAt : null,
        })),
      )
      .execute();
}
/**
 * What the platform tells of uses of ours, under the certificate that ours have: one that people settled before anybody had named its voucher is
 * kept under its number alone (docs/platforms.md, D3), which names one use within an account (D11).
 */
async function asOurs<T extends Pick<LedgerLine, "certificateId" | "verifyId">>(
  services: Services,
  account: PlatformAccount,
  all: readonly T[],
): Promise<readonly T[]> {
  const { rows } = await withScope(services.pool, BILLS, (tx) =>
    sql<{ verify_id: string }>`select a.verify_id from voucher_verifications a where a.service_provider_id = ${account.service_provider_id}
      and a.account_id = ${account.id} and a.status in (1, 5, 6) and a.verify_id = any(${all.map(({ verifyId }) => verifyId)}::text[])
      and a.certificate_id = a.verify_id`.execute(tx),
  );
  const ours = new Set(rows.map(({ verify_id }) => verify_id));
  return all.map((one) => (ours.has(one.verifyId) ? { ...one, certificateId: one.verifyId } : one));
}
type Read<T> = (
  cursor: string,
) => Promise<{ readonly kind: string; readonly value?: { readonly items: readonly T[]; readonly next: string | null } }>;
interface Pages {
  /** Every page was answered. */
  readonly came: boolean;
  /** In words: pages that did not come, and what `take` could not read or left for later. */
  readonly missing: readonly string[];
  /** Rows that `take` could not read. */
  readonly unread: number;
}
interface Taken {
  /** In words: what was left for later. */
  readonly left: readonly string[];
  readonly unread: number;
}
async function allPages<T>(name: string, read: Read<T>, take: (items: readonly T[]) => Promise<Taken>): Promise<Pages> {
  const missing: string[] = [];
  let unread = 0;
  let cursor = "";
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await read(cursor);
    if (answer.kind !== "ok" || !answer.value) return { came: false, missing: [...missing, `${name}第 ${page + 1} 页没有取到`], unread };
    const taken = await take(answer.value.items);
    const words = [...(taken.unread > 0 ? [`${taken.unread} 条读不懂`] : []), ...taken.left];
    missing.push(...words.map((what) => `${name}第 ${page + 1} 页：${what}`));
    unread += taken.unread;
    if (answer.value.next === null) return { came: true, missing, unread };
    cursor = answer.value.next;
  }
  return { came: false, missing: [...missing, `${name}太长，没有取完`], unread };
}
const NEVER_MS = 0;
/** What the table takes: a row that is without its numbers, or before any time, would throw away its whole page. */
const readable = (one: { readonly certificateId: string; readonly verifyId: string; readonly at: string }): boolean =>
  one.certificateId !== "" && one.certificateId.length <= 64 && one.verifyId.length <= 64 && Date.parse(one.at) > NEVER_MS;
const worthy = (use: UseThere): boolean =>
  [use.face_cents, use.pay_cents, use.merchant_ticket_cents, use.platform_ticket_cents].every((cents) => cents >= 0);
const usable = (use: UseThere): boolean => readable(use) && use.verifyId !== "" && worthy(use);
/** By a platform's store and a moment: the own store that it was mapped to on that day. */
async function mapped({
  services,
  account,
}: {
  readonly services: Services;
  readonly account: PlatformAccount;
}): Promise<(poi: string, at: string) => string | undefined> {
  const { rows } = await withScope(services.pool, BILLS, (tx) =>
    sql<{
      poi: string;
      from: string;
      store: string | null;
    }>`select o.platform_store_id as poi, o.from_day::text as "from", o.store_id as store from other_store_spans o
      where o.service_provider_id = ${account.service_provider_id} and o.merchant_id = ${account.merchant_id} and o.platform = ${account.platform}
      order by o.from_day desc`.execute(tx),
  );
  // As text '-infinity' comes before each day.
  return (poi, at) => rows.find((span) => span.poi === poi && span.from <= shanghaiDay(at))?.store ?? undefined;
}
const head = (account: PlatformAccount, store_id: string | undefined) => ({
  service_provider_id: account.service_provider_id,
  merchant_id: account.merchant_id,
  store_id: store_id ?? null,
  platform: account.platform,
  account_id: account.id,
});
async function addUses(services: Services, account: PlatformAccount, all: readonly UseThere[]): Promise<Taken> {
  const uses = all.filter(usable);
  const storeAt = await mapped({ services, account });
  const left = await withScope(services.pool, BILLS, async (tx) => {
    // Ours, and those of which nobody here knows yet: they become ours, or come with the next look at this day.
    const certificates = uses.map(({ certificateId }) => certificateId);
    const { rows } = await sql<{ key: string }>`select e.certificate_id || ':' || e.verify_id as key from platform_entries e
      where e.service_provider_id = ${account.service_provider_id} and e.merchant_id = ${account.merchant_id} and e.platform = ${account.platform}
        and e.kind = 'verify' and e.certificate_id = any(${certificates}::text[])
      union all select a.certificate_id from voucher_verifications a where a.service_provider_id = ${account.service_provider_id}
        and a.account_id = ${account.id} and a.status in (0, 3, 4) and a.certificate_id = any(${certificates}::text[])`.execute(tx);
    const open = await nameless(tx, account);
    const ours = new Set(rows.map(({ key }) => key));
    const fresh = uses.filter((use) => !ours.has(keyOf(use)));
    const outside = fresh.filter(
      (use) => !ours.has(use.certificateId) && !open.some(({ poi_id, from_ms }) => use.poiId === poi_id && Date.parse(use.at) >= from_ms),
    );
    const now = new Date(services.clock.now_ms()).toISOString();
    const entries = outside.flatMap((use): PlatformEntry[] => {
      const fact = {
        ...head(account, storeAt(use.poiId, use.at)),
        ...(use.goods_kind !== undefined && { goods_kind: use.goods_kind }),
        certificate_id: use.certificateId,
        verify_id: use.verifyId,
        platform_order_no: use.orderNo,
        platform_store_id: use.poiId,
        goods_id: use.goodsId,
        title: use.title,
        by_name: "平台商家端",
        face_cents: use.face_cents,
        pay_cents: use.pay_cents,
        merchant_ticket_cents: use.merchant_ticket_cents,
        platform_ticket_cents: use.platform_ticket_cents,
        expected_fee_cents: expectedFee(use.pay_cents, account.takeRate),
        happened_at: use.at,
      };
      // Taken back after midnight counts for that day: where the platform does not say when, for the day on which it was seen.
      const back = { ...fact, kind: "reverse" as const, happened_at: use.reversedAt ?? now };
      return [{ ...fact, kind: "external" }, ...(use.reversed ? [back] : [])];
    });
    await addPlatformEntries(tx, services, entries);
    return fresh.length - outside.length;
  });
  const open = left + (await takeBackOurs(services, account, uses));
  return { left: open > 0 ? [`${open} 条等本店的结果`] : [], unread: all.length - uses.length };
}
/** Ours that somebody took back there, each in a transaction of its own, for each holds its order. @returns how many a till has in hand just now */
async function takeBackOurs(services: Services, account: PlatformAccount, uses: readonly UseThere[]): Promise<number> {
  const back = new Map(uses.filter(({ reversed }) => reversed).map(({ verifyId, reversedAt }) => [verifyId, reversedAt]));
  const { rows } = await withScope(services.pool, BILLS, (tx) =>
    sql<{
      id: string;
      verify_id: string;
    }>`select a.id, a.verify_id from voucher_verifications a where a.service_provider_id = ${account.service_provider_id}
      and a.account_id = ${account.id} and a.status = 1 and a.verify_id = any(${[...back.keys()]}::text[]) order by a.id`.execute(tx),
  );
  let open = 0;
  for (const { id, verify_id } of rows) {
    const ref = { service_provider_id: account.service_provider_id, id };
    const done = withScope(services.pool, BILLS, (tx) => reverseThere(tx, services, ref, back.get(verify_id) ?? null));
    await done.catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      open++;
    });
  }
  return open;
}
/** Tries without a result whose voucher the platform has not named: any use at their store since may be theirs. */
async function nameless(
  tx: Transaction,
  account: PlatformAccount,
): Promise<readonly { readonly poi_id: string; readonly from_ms: number }[]> {
  const { rows } = await sql<{ poi_id: string; started_at: string }>`select a.poi_id, a.started_at from voucher_verifications a
    where a.service_provider_id = ${account.service_provider_id} and a.account_id = ${account.id} and a.status in (0, 3, 4)
      and a.certificate_id = ''`.execute(tx);
  return rows.map(({ poi_id, started_at }) => ({ poi_id, from_ms: Date.parse(started_at) - SKEW_MS }));
}
/** What stands in the table of a use's lines: by their numbers, how many without one, and the next free part. */
interface Lines {
  readonly numbers: Set<string>;
  blank: number;
  next: number;
}
type Places = Map<string, Lines>;
const keyOf = ({ certificateId, verifyId }: Pick<LedgerLine, "certificateId" | "verifyId">): string => `${certificateId}:${verifyId}`;
async function loadPlaces(tx: Transaction, account: PlatformAccount, places: Places, lines: readonly LedgerLine[]): Promise<void> {
  const fresh = lines.filter((line) => !places.has(keyOf(line)));
  for (const line of fresh) places.set(keyOf(line), { numbers: new Set(), blank: 0, next: 0 });
  const { rows } = await sql<{
    key: string;
    line_no: string;
    part: number;
  }>`select e.certificate_id || ':' || e.verify_id as key, e.line_no, e.part
    from platform_entries e where e.service_provider_id = ${account.service_provider_id} and e.merchant_id = ${account.merchant_id}
      and e.platform = ${account.platform} and e.kind = 'ledger'
      and e.certificate_id = any(${fresh.map(({ certificateId }) => certificateId)}::text[])`.execute(tx);
  const keys = new Set(fresh.map(keyOf));
  for (const { key, line_no, part } of rows.filter((row) => keys.has(row.key))) {
    const there = places.get(key)!;
    if (line_no === "") there.blank += 1;
    else there.numbers.add(line_no);
    there.next = Math.max(there.next, part + 1);
  }
}
/** 通兑券 has several lines under one verify_id, on any page and in any order: one that has a number is known by it, another by being one more. */
async function addLines(
  services: Services,
  account: PlatformAccount,
  { day, places }: { readonly day: string; readonly places: Places },
  all: readonly LedgerLine[],
): Promise<Taken> {
  const lines = all.filter((line) => readable(line) && line.lineNo.length <= 64);
  const storeAt = await mapped({ services, account });
  await withScope(services.pool, BILLS, async (tx) => {
    await loadPlaces(tx, account, places, lines);
    const entries = lines.flatMap((line): PlatformEntry[] => {
      const there = places.get(keyOf(line))!;
      const { certificateId, verifyId, poiId, orderNo, at, lineNo, ...cents } = line;
      if (there.numbers.has(lineNo)) return [];
      if (lineNo !== "") there.numbers.add(lineNo);
      // One that was taken in without a number is this one.
      if (there.blank > 0) {
        there.blank -= 1;
        return [];
      }
      const ids = { certificate_id: certificateId, verify_id: verifyId, part: there.next++, line_no: lineNo };
      const about = { platform_order_no: orderNo, platform_store_id: poiId, ...cents, happened_at: at, day };
      return [{ ...head(account, storeAt(poiId, at)), kind: "ledger", ...ids, ...about }];
    });
    await addPlatformEntries(tx, services, entries);
  });
  return { left: [], unread: all.length - lines.length };
}
