import { sql } from "kysely";
import { derivedKey } from "@zhangfang/server/config.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { invalid, type Refusal } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { PriceAsk } from "../../../pricing/server/index.ts";
import { COUPON_CODE_MS, couponCode, stepOf } from "../rules/number-rules.ts";

export const codeKey = ({ config }: Pick<Services, "config">): Buffer => derivedKey(config.secret, "coupon-code");
/** How long a till may ask the price again with a code that it read. */
const READ_MS = 10 * 60_000;
const MINUTE_MS = 60_000;
/** Wrong codes in a minute (marketing.md 11): of a store, and of one coupon. */
const MOST = [30, 5] as const;

interface Reading {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  /** The store and the number that the code names. */
  readonly keys: readonly [store: string, no: string];
  readonly minute: string;
}
async function isShut(tx: Transaction, { service_provider_id, merchant_id, keys, minute }: Reading): Promise<boolean> {
  const { rows } = await sql<{ key: string; count: number }>`select f.key, f.count from coupon_code_faults f
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
 * whoever asks for a price holds a connection, and would wait for a second one. Several processes look at so many each.
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
/** It was right: nothing against the store or the coupon. */
function forgetTry({ pool }: Services, at: Reading): void {
  const own = tries.get(pool);
  if (own?.minute !== at.minute) return;
  for (const place of placesOf(at)) own.counts.set(place, Math.max(0, (own.counts.get(place) ?? 0) - 1));
}
const SCOPE = platformScope("a wrong coupon code");
/** A wrong one is told to the other processes, once whoever asked has given their connection back: nobody waits for it. */
function tellWrong(services: Services, { service_provider_id, merchant_id, keys, minute }: Reading): void {
  const told = withScope(services.pool, SCOPE, (tx) =>
    sql`insert into coupon_code_faults as f (service_provider_id, merchant_id, key, minute, count)
      select ${service_provider_id}, ${merchant_id}, k, ${minute}, 1 from unnest(${[...keys]}::text[]) k order by k
      on conflict (service_provider_id, merchant_id, key, minute) do update set count = f.count + 1`.execute(tx),
  );
  told.catch((error: unknown) => services.log.warn({ error }, "a wrong coupon code was not counted for the other processes"));
}

/** A code is read once; the store that read it may price with it, or look at it, again for ten minutes. @throws 400 at `field` */
export async function readCode(
  tx: Transaction,
  services: Services,
  { service_provider_id, merchant_id, store_id }: Pick<PriceAsk, "service_provider_id" | "merchant_id" | "store_id">,
  code: string,
  field = "coupons",
): Promise<void> {
  const now_ms = services.clock.now_ms();
  const now = stepOf(now_ms);
  const no = code.slice(2, 12);
  const at: Reading = {
    service_provider_id,
    merchant_id,
    keys: [store_id, no],
    minute: new Date(now_ms - (now_ms % MINUTE_MS)).toISOString(),
  };
  // Where it is shut already, a try at this store counts against no coupon.
  if ((await isShut(tx, at)) || !countTry(services, at)) throw invalid(field, "读错的券码太多，请一分钟后再试");
  const wrong = (): Refusal => {
    tellWrong(services, at);
    return invalid(field, "券码无效或已过期，请顾客刷新后再扫");
  };
  const back = Math.ceil(READ_MS / COUPON_CODE_MS);
  const step = Array.from({ length: back + 1 }, (_none, at) => now - at).find(
    (one) => couponCode(codeKey(services), service_provider_id, no, one) === code,
  );
  if (step === undefined) throw wrong();
  if (step >= now - 1)
    await sql`insert into coupon_codes (service_provider_id, merchant_id, coupon_id, step, store_id, at)
      select c.service_provider_id, c.merchant_id, c.id, ${step}, ${store_id}, ${new Date(now_ms).toISOString()} from coupons c
      where c.service_provider_id = ${service_provider_id} and c.merchant_id = ${merchant_id} and c.no = ${no} on conflict do nothing`.execute(
      tx,
    );
  const { rows } =
    await sql`select 1 from coupon_codes r join coupons c on c.service_provider_id = r.service_provider_id and c.id = r.coupon_id
    where r.service_provider_id = ${service_provider_id} and c.no = ${no} and r.step = ${step} and r.store_id = ${store_id}
      and r.at > ${new Date(now_ms - READ_MS).toISOString()}`.execute(tx);
  if (rows.length === 0) throw wrong();
  forgetTry(services, at);
}
