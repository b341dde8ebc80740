import { sql } from "kysely";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Place } from "../tickets.ts";

const MINUTE_MS = 60_000;
/** Wrong codes in a minute (marketing.md 11): of a store, and of the one number that they name. */
const MOST = [30, 5] as const;
const WORDS = { coupon: "券码", member: "会员码", times: "次卡号" } as const;

interface Reading {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  /** The store and the number that the code names. */
  readonly keys: readonly [store: string, no: string];
  readonly minute: string;
}
async function isShut(tx: Transaction, { service_provider_id, merchant_id, keys, minute }: Reading): Promise<boolean> {
  const { rows } = await sql<{ key: string; count: number }>`select f.key, f.count from code_faults f
    where f.service_provider_id = ${service_provider_id} and f.merchant_id = ${merchant_id} and f.minute = ${minute} and f.key = any(${[...keys]}::text[])`.execute(
    tx,
  );
  return rows.some(({ key, count }) => count >= (key === keys[0] ? MOST[0] : MOST[1]));
}
/** Tries of a minute in this process. */
interface Tries {
  readonly minute: string;
  readonly counts: Map<string, number>;
}
const tries = new WeakMap<Services["pool"], Tries>();
const placesOf = ({ service_provider_id, merchant_id, keys }: Reading): string[] =>
  keys.map((key) => `${service_provider_id}:${merchant_id}:${key}`);
/**
 * A try counts before it is looked at, so that however many come at once, no more are looked at than may be wrong. It is kept in this process:
 * whoever reads a code holds a connection, and would wait for a second one. Several processes look at so many each.
 * @returns whether it may be looked at
 */
function countTry({ pool }: Services, at: Reading): boolean {
  const known = tries.get(pool);
  const own = known?.minute === at.minute ? known : { minute: at.minute, counts: new Map<string, number>() };
  tries.set(pool, own);
  const places = placesOf(at);
  if (places.some((place, n) => (own.counts.get(place) ?? 0) >= MOST[n]!)) return false;
  for (const place of places) own.counts.set(place, (own.counts.get(place) ?? 0) + 1);
  return true;
}
/** It was right: nothing against the store or the number. */
function forgetTry({ pool }: Services, at: Reading): void {
  const own = tries.get(pool);
  if (own?.minute !== at.minute) return;
  for (const place of placesOf(at)) own.counts.set(place, Math.max(0, (own.counts.get(place) ?? 0) - 1));
}
const SCOPE = platformScope("a wrong code");
/** A wrong one is told to the other processes, once whoever asked has given their connection back: nobody waits for it. */
function tellWrong(services: Services, { service_provider_id, merchant_id, keys, minute }: Reading): void {
  const told = withScope(services.pool, SCOPE, (tx) =>
    sql`insert into code_faults as f (service_provider_id, merchant_id, key, minute, count)
      select ${service_provider_id}, ${merchant_id}, k, ${minute}, 1 from unnest(${[...keys]}::text[]) k order by k
      on conflict (service_provider_id, merchant_id, key, minute) do update set count = f.count + 1`.execute(tx),
  );
  told.catch((error: unknown) => services.log.warn({ error }, "a wrong code was not counted for the other processes"));
}

/** A code that somebody reads or types at a store. */
export interface CodeTry {
  readonly kind: keyof typeof WORDS;
  /** The number that it names. */
  readonly no: string;
  readonly field: string;
}
/**
 * Looks at a code as often as wrong ones may be: thirty a minute at a store, five that name one number.
 * @param look what finds behind the code, or nothing where it is wrong
 * @returns what was found; undefined where it is wrong, and that counts
 * @throws 400 at `field` where it is shut for this minute
 */
export async function tryCode<T>(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id }: Place,
  { kind, no, field }: CodeTry,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const now_ms = services.clock.now_ms();
  const at: Reading = {
    service_provider_id,
    merchant_id,
    keys: [`${kind}:${store_id}`, `${kind}:${no}`],
    minute: new Date(now_ms - (now_ms % MINUTE_MS)).toISOString(),
  };
  // Where it is shut already, a try at this store counts against no number.
  if ((await isShut(tx, at)) || !countTry(services, at)) throw invalid(field, `读错的${WORDS[kind]}太多，请一分钟后再试`);
  const found = await look();
  if (found === undefined) tellWrong(services, at);
  else forgetTry(services, at);
  return found;
}
