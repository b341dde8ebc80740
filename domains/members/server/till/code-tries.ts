import { sql } from "kysely";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Place } from "../tickets.ts";

const MINUTE_MS = 60_000;
const WORDS = { coupon: "券码", member: "会员码", times: "次卡号" } as const;

/** What wrong codes count for, and how many there may be in a minute. */
type Limit = readonly [key: string, most: number];
/**
 * Thirty of a store and five of the one number that they name (marketing.md 11). A member's number is shut at the store where it was guessed,
 * so that nobody there shuts them out elsewhere, and at all of the merchant's after thirty. A times card's number names nothing but itself, and
 * vouchers of platforms are looked at as such before they are theirs: thirty of one person, so that colleagues go on, and three hundred of a store.
 */
function limitsOf(code: CodeTry, store_id: string): readonly Limit[] {
  if (code.kind === "times")
    return [
      [`times:${store_id}`, 300],
      [`times:${store_id}:${code.by}`, 30],
    ];
  const { kind, no } = code;
  const store: Limit = [`${kind}:${store_id}`, 30];
  if (kind === "coupon") return [store, [`coupon:${no}`, 5]];
  return [store, [`member:${store_id}:${no}`, 5], [`member:${no}`, 30]];
}
interface Reading {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly limits: readonly Limit[];
  readonly minute: string;
}
const keysOf = ({ limits }: Reading): string[] => limits.map(([key]) => key);
async function isShut(tx: Transaction, at: Reading): Promise<boolean> {
  const { service_provider_id, merchant_id, minute } = at;
  const { rows } = await sql<{ key: string; count: number }>`select f.key, f.count from code_faults f
    where f.service_provider_id = ${service_provider_id} and f.merchant_id = ${merchant_id} and f.minute = ${minute} and f.key = any(${keysOf(at)}::text[])`.execute(
    tx,
  );
  return at.limits.some(([key, most]) => rows.some((row) => row.key === key && row.count >= most));
}
/** Tries of a minute in this process. */
interface Tries {
  readonly minute: string;
  readonly counts: Map<string, number>;
}
const tries = new WeakMap<Services["pool"], Tries>();
const placeOf = ({ service_provider_id, merchant_id }: Reading, key: string): string => `${service_provider_id}:${merchant_id}:${key}`;
/**
 * A try counts before it is looked at, so that however many come at once, no more are looked at than may be wrong. It is kept in this process:
 * whoever reads a code holds a connection, and would wait for a second one. Several processes look at so many each.
 * @returns whether it may be looked at
 */
function countTry({ pool }: Services, at: Reading): boolean {
  const known = tries.get(pool);
  const own = known?.minute === at.minute ? known : { minute: at.minute, counts: new Map<string, number>() };
  tries.set(pool, own);
  const countOf = (key: string): number => own.counts.get(placeOf(at, key)) ?? 0;
  if (at.limits.some(([key, most]) => countOf(key) >= most)) return false;
  for (const key of keysOf(at)) own.counts.set(placeOf(at, key), countOf(key) + 1);
  return true;
}
/** It was right: nothing against store or number. */
function forgetTry({ pool }: Services, at: Reading): void {
  const own = tries.get(pool);
  if (own?.minute !== at.minute) return;
  for (const place of keysOf(at).map((key) => placeOf(at, key))) own.counts.set(place, Math.max(0, (own.counts.get(place) ?? 0) - 1));
}
const SCOPE = platformScope("a wrong code");
/** A wrong one is told to the other processes, once whoever asked has given their connection back: nobody waits for it. */
function tellWrong(services: Services, at: Reading): void {
  const { service_provider_id, merchant_id, minute } = at;
  const told = withScope(services.pool, SCOPE, (tx) =>
    sql`insert into code_faults as f (service_provider_id, merchant_id, key, minute, count)
      select ${service_provider_id}, ${merchant_id}, k, ${minute}, 1 from unnest(${keysOf(at)}::text[]) k order by k
      on conflict (service_provider_id, merchant_id, key, minute) do update set count = f.count + 1`.execute(tx),
  );
  told.catch((error: unknown) => services.log.warn({ error }, "a wrong code was not counted for the other processes"));
}

/** A code that somebody reads or types at a store. */
export type CodeTry = Tried & ({ readonly kind: "coupon" | "member" } | { readonly kind: "times"; /** Who looks. */ readonly by: string });
interface Tried {
  /** The number that it names. */
  readonly no: string;
  readonly field: string;
  /** What serves in its place, in words, where it is shut. */
  readonly instead?: string;
}
function shut({ kind, field, instead }: CodeTry): Refusal {
  const said = `读错的${WORDS[kind]}太多，请${instead === undefined ? "" : `改用${instead}，或`}一分钟后再试`;
  return new Refusal(400, `${kind}.shut`, said, { [field]: said });
}
/**
 * Looks at a code as often as wrong ones may be.
 * @param look what finds behind the code, or nothing where it is wrong
 * @returns what was found; undefined where it is wrong, and that counts
 * @throws 400 at `field` where it is shut for this minute, with a code of its kind: `times.shut`
 */
export async function tryCode<T>(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id }: Place,
  code: CodeTry,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const now_ms = services.clock.now_ms();
  const at: Reading = {
    service_provider_id,
    merchant_id,
    limits: limitsOf(code, store_id),
    minute: new Date(now_ms - (now_ms % MINUTE_MS)).toISOString(),
  };
  // Where it is shut already, a try at this store counts against no number.
  if ((await isShut(tx, at)) || !countTry(services, at)) throw shut(code);
  // Nobody knows whether it was right: a look that fails counts against nothing.
  const found = await look().catch((error: unknown) => {
    forgetTry(services, at);
    throw error;
  });
  if (found === undefined) tellWrong(services, at);
  else forgetTry(services, at);
  return found;
}
