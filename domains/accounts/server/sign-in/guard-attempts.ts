import { sql } from "kysely";
import { sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { takeTurns } from "./take-turns.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Failures of an account from one network before it is locked there: 1 minute, then doubling up to 15. */
const LOCK_AFTER = 5;
const LOCK_MAX_MS = 15 * MINUTE_MS;
/** Failures of an account from all networks it has never signed in from, in an hour. A known network is not touched by these. */
const UNKNOWN_AN_HOUR = 12;
/** Failures from one network over all accounts that have never signed in there, in an hour. */
const NETWORK_AN_HOUR = 100;
const CAPTCHA_AFTER = 3;

/** Who tries, from where. */
export interface Attempt {
  readonly login: string;
  readonly network: string;
  /** Whether the account has signed in from this network before. */
  readonly known: boolean;
}
interface Failures {
  readonly count: number;
  readonly first_at: string;
  readonly locked_until: string | null;
}

const tag = (login: string) => sha256(login.toLowerCase()).toString("base64url");
const pairKey = ({ login, network }: Attempt) => `a:${tag(login)}|${network}`;
const unknownKey = ({ login }: Attempt) => `u:${tag(login)}`;
const networkKey = ({ network }: Attempt) => `n:${network}`;

/**
 * Whether an attempt may go on to the hash. The same for accounts that exist and that don't.
 * @returns whether a captcha is asked for, and the failures of the account from this network @throws 429 with Retry-After while it is locked
 */
export async function checkAttempt(tx: Transaction, attempt: Attempt, now_ms: number): Promise<{ captcha: boolean; failures: number }> {
  const rows = await tx
    .selectFrom("login_failures")
    .selectAll()
    .where("key", "in", [pairKey(attempt), unknownKey(attempt), networkKey(attempt)])
    .execute();
  const of = (key: string): Failures | undefined => rows.find((row) => row.key === key);
  const pair = of(pairKey(attempt));
  const windowEnd = (row: Failures | undefined, limit: number) => (row && row.count >= limit ? Date.parse(row.first_at) + HOUR_MS : 0);
  const until = Math.max(
    pair?.locked_until ? Date.parse(pair.locked_until) : 0,
    attempt.known ? 0 : windowEnd(of(unknownKey(attempt)), UNKNOWN_AN_HOUR),
    attempt.known ? 0 : windowEnd(of(networkKey(attempt)), NETWORK_AN_HOUR),
  );
  if (until > now_ms) {
    const minutes = Math.ceil((until - now_ms) / MINUTE_MS);
    throw new Refusal(429, "login.locked", `尝试次数过多，请 ${minutes} 分钟后再试`, undefined, {
      "retry-after": String(Math.ceil((until - now_ms) / 1000)),
    });
  }
  const failures = pair?.count ?? 0;
  return { captcha: failures >= CAPTCHA_AFTER || (!attempt.known && (of(unknownKey(attempt))?.count ?? 0) >= CAPTCHA_AFTER), failures };
}

/** Counts a failure. @returns whether the next attempt needs a captcha */
export async function countFailure(tx: Transaction, attempt: Attempt, now_ms: number): Promise<{ captcha: boolean }> {
  const now = new Date(now_ms).toISOString();
  const pair = await sql<{ count: number }>`
    insert into login_failures as f (key, count, first_at, last_at) values (${pairKey(attempt)}, 1, ${now}, ${now})
    on conflict (key) do update set count = f.count + 1, last_at = excluded.last_at, locked_until = case when f.count + 1 >= ${LOCK_AFTER}
      then excluded.last_at + least(${LOCK_MAX_MS}::bigint, ${MINUTE_MS}::bigint << least(f.count + 1 - ${LOCK_AFTER}, 10)) * interval '1 millisecond' end
    returning count`.execute(tx);
  const inAnHour = async (key: string) => {
    const counted = await sql<{ count: number }>`
      insert into login_failures as f (key, count, first_at, last_at) values (${key}, 1, ${now}, ${now})
      on conflict (key) do update set
        count = case when f.first_at <= excluded.last_at - interval '1 hour' then 1 else f.count + 1 end,
        first_at = case when f.first_at <= excluded.last_at - interval '1 hour' then excluded.last_at else f.first_at end, last_at = excluded.last_at
      returning count`.execute(tx);
    return counted.rows[0]?.count ?? 0;
  };
  const unknown = attempt.known ? 0 : await inAnHour(unknownKey(attempt));
  if (!attempt.known) await inAnHour(networkKey(attempt));
  return { captcha: (pair.rows[0]?.count ?? 0) >= CAPTCHA_AFTER || unknown >= CAPTCHA_AFTER };
}

/** Forgets the failures of an account from this network and remembers the network as known. */
export async function countSuccess(tx: Transaction, attempt: Attempt, userId: string, now_ms: number): Promise<void> {
  const now = new Date(now_ms).toISOString();
  await tx.deleteFrom("login_failures").where("key", "=", pairKey(attempt)).execute();
  await tx
    .insertInto("login_networks")
    .values({ user_id: userId, network: attempt.network, last_at: now })
    .onConflict((conflicting) => conflicting.columns(["user_id", "network"]).doUpdateSet({ last_at: now }))
    .execute();
}

/** Lifts every lock of an account; for a reset by somebody above. */
export async function forgetFailures(tx: Transaction, login: string): Promise<void> {
  await tx
    .deleteFrom("login_failures")
    .where((where) => where.or([where("key", "like", `a:${tag(login)}|%`), where("key", "=", `u:${tag(login)}`)]))
    .execute();
}

/** The counts of wrong ones that were found in this process, until they are written. One that fails is made before the next look. */
const owed = new Map<string, (() => Promise<unknown>)[]>();
export const owe = (whose: string, write: () => Promise<unknown>): void => void owed.set(whose, [...(owed.get(whose) ?? []), write]);
export const owes = (whose: string): boolean => owed.has(whose);
/** Counts what is owed, each once. @throws where it cannot: it stays owed */
export const settle = (whose: string): Promise<void> =>
  takeTurns(`owed ${whose}`, async () => {
    for (let writes = owed.get(whose); writes?.[0]; writes = owed.get(whose)) {
      await writes[0]();
      owed.set(whose, owed.get(whose)!.slice(1));
    }
    owed.delete(whose);
  });
/** Counts what some others owe, so that nothing is kept for names that nobody tries again. */
export async function settleOthers(): Promise<void> {
  for (const whose of [...owed.keys()].slice(0, 20)) await settle(whose).catch(() => {});
}
