import { sql } from "kysely";
import { sqlState } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { authorisationStands, type PlatformAccount, platformAccountOf } from "../../../platforms/server/index.ts";
import type { AskedPlatform } from "../../contract/index.ts";
import type { OrderAnswer } from "../platforms/door.ts";
import { doorsOf } from "../platforms/open-doors.ts";
import { keepOrder, mapOrders, storePlatformOf } from "./keep-order.ts";
import { wantOrder } from "./want-order.ts";

const MOST = 200;
/** Seconds until it is asked again, by how often it was. */
const GAPS_S = [30, 60, 120, 300, 600, 1_800, 3_600, 3_600, 7_200, 14_400, 28_800] as const;
const GAPS = `{${GAPS_S.join(",")}}`;
/** A notice may come before the order can be read: that is asked about a few times. */
const MOST_NONE = 3;
/** What is refused or not answered is asked about for so long after it was told. */
const GIVEN_UP_AFTER = "7 days";
/** Of one account in one turn: a flood at one keeps no other's waiting. */
const MOST_OF_ONE = 20;
const PURGED_AT_ONCE = 5_000;

type Settled = OrderAnswer | { readonly outcome: "unknown"; readonly why: string };
const UNREAD: Settled = { outcome: "unknown", why: "平台没有应答，或应答读不懂" };

interface Due {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly id: string;
  readonly platform: AskedPlatform;
  readonly platform_order_id: string;
}
/** Every ten seconds: orders that a platform told of and that are not fetched. Each is taken by one process. */
export const fetchTakeaway = lookAfter<Due>({
  name: "fetch-takeaway-orders",
  every: 10,
  due: async (tx, now) => {
    const { rows } = await sql<Due>`select f.service_provider_id, f.merchant_id, f.id, a.platform, f.platform_order_id from (
        select w.*, row_number() over (partition by w.service_provider_id, w.account_id order by w.next_at) as turn from takeaway_fetches w where w.next_at <= ${now}) f
      join platform_accounts a on a.service_provider_id = f.service_provider_id and a.id = f.account_id
      where f.turn <= ${MOST_OF_ONE} order by f.turn, f.next_at limit ${MOST}`.execute(tx);
    return rows;
  },
  one: fetchOne,
});
const TENDED = { map: mapOrders, again: askAgain, keys: askWithNewKeys, purge } as const;
/**
 * Each minute: what came before its store was mapped; orders that have been running for long, for the news of their end may be lost; what was
 * refused before the keys were mended; and messages of more than a week ago go. Each by itself, so that one that fails stops no other.
 */
export const tendTakeaway = lookAfter<keyof typeof TENDED>({
  name: "tend-takeaway-orders",
  due: async () => Object.keys(TENDED) as (keyof typeof TENDED)[],
  one: (services, what) =>
    withScope(services.pool, platformScope(`tend-takeaway-orders: ${what}`), (tx) =>
      TENDED[what](tx, new Date(services.clock.now_ms()).toISOString()),
    ),
});
/** The messages' only use is to know a repeat. */
async function purge(tx: Transaction, now: string): Promise<void> {
  await sql`delete from takeaway_events e using (select service_provider_id, id from takeaway_events
      where heard_at < ${now}::timestamptz - interval '7 days' order by heard_at limit ${PURGED_AT_ONCE}) old
    where e.service_provider_id = old.service_provider_id and e.id = old.id`.execute(tx);
}
/** Refused before the account or its provider's application was changed. */
async function askWithNewKeys(tx: Transaction, now: string): Promise<void> {
  await sql`update takeaway_fetches f set wanted_at = ${now}, next_at = ${now}, tries = 0 from platform_accounts a
      left join platform_apps p on p.service_provider_id = a.service_provider_id and p.platform = a.platform
    where f.outcome = 'refused' and f.answered_at > ${now}::timestamptz - interval '30 days'
      and a.service_provider_id = f.service_provider_id and a.id = f.account_id and a.state = 'active'
      and greatest(a.updated_at, case a.app_of when 'provider' then p.updated_at end) > f.answered_at`.execute(tx);
}
/** Running for six hours and not asked about as long; a week after it was placed nobody asks any more. */
async function askAgain(tx: Transaction, now: string): Promise<void> {
  await sql`update takeaway_fetches f set wanted_at = ${now}, next_at = ${now}, tries = 0 from takeaway_orders o, platform_accounts a
    where f.next_at is null and f.answered_at < ${now}::timestamptz - interval '6 hours'
      and a.service_provider_id = f.service_provider_id and a.id = f.account_id and a.state = 'active'
      and o.service_provider_id = f.service_provider_id and o.merchant_id = f.merchant_id and o.platform = a.platform
      and o.platform_order_id = f.platform_order_id and o.status = 1
      and o.placed_at between ${now}::timestamptz - interval '7 days' and ${now}::timestamptz - interval '6 hours'`.execute(tx);
}

async function fetchOne(services: Services, due: Due): Promise<void> {
  const scope = platformScope("fetch a takeaway order");
  // Written down and committed before the call: whoever dies in it is followed by another after the gap.
  const taken = await withScope(services.pool, scope, async (tx) => {
    const wanted = await take(tx, services, due);
    return wanted === undefined ? undefined : { wanted, account: await platformAccountOf(tx, services, due) };
  });
  if (!taken) return;
  const { account, wanted } = taken;
  const door = doorsOf(services)[due.platform];
  const answer = account?.active ? await ask(account) : ({ outcome: "refused", why: "平台账号没有启用，或没有填密钥" } as const);
  const shared = account?.appOf === "provider" && door.boundTo === "application";
  try {
    await withScope(services.pool, scope, async (tx) => settle(tx, services, due, wanted, await keep(tx, services, due, answer, shared)));
  } catch (error) {
    // What no table takes will not be taken the next time either: it is settled as unread, and asked for again by its gaps alone.
    if (!sqlState(error)?.startsWith("23")) throw error;
    services.log.warn({ err: error, platform: due.platform }, "a takeaway order cannot be kept");
    await withScope(services.pool, scope, (tx) => settle(tx, services, due, wanted, UNREAD));
  }

  async function ask(by: PlatformAccount): Promise<Settled> {
    try {
      return await door.order(by, due.platform_order_id);
    } catch (error) {
      services.log.warn({ err: error, platform: due.platform }, "a takeaway order was not answered");
      return UNREAD;
    }
  }
}
/**
 * Keeps the order that was answered. Where all merchants of a provider ask by one application, which tells of every shop's orders, the answered
 * shop says whose it is: another merchant's is asked for under that one's account, and one that nobody or several have is kept by none.
 * @returns how the asking ended
 */
async function keep(tx: Transaction, services: Services, due: Due, answer: Settled, shared: boolean): Promise<Settled> {
  if (answer.outcome !== "ok") return answer;
  const { service_provider_id, merchant_id, platform } = due;
  if (shared) {
    const owner = await ownerOf(tx, due, answer.order.platform_store_id);
    if (owner === undefined) return { outcome: "refused", why: "门店不知是谁的：请在其他门店里登记它，且只由一个商户登记" };
    if (owner.merchant_id !== merchant_id) {
      if (owner.account_id !== null) {
        const about = { service_provider_id, merchant_id: owner.merchant_id, account_id: owner.account_id };
        await wantOrder(tx, services, about, due.platform_order_id);
      }
      return { outcome: "none", why: "不是本商户门店的订单" };
    }
  }
  await keepOrder(tx, services, { service_provider_id, merchant_id, platform }, { ...answer.order, source: "platform" });
  return answer;
}
/** The one merchant of a provider that has a platform's shop among 其他门店, and its account that asks by the provider's application. */
async function ownerOf(tx: Transaction, { service_provider_id, platform }: Due, shop: string) {
  const { rows } = await sql<{ merchant_id: string; account_id: string | null }>`
    select s.merchant_id, a.id as account_id from other_stores s
    left join platform_accounts a on a.service_provider_id = s.service_provider_id and a.merchant_id = s.merchant_id and a.platform = ${platform}
      and a.app_of = 'provider' and a.state = 'active'
    where s.service_provider_id = ${service_provider_id} and s.platform = ${storePlatformOf(platform)!} and s.platform_store_id = ${shop}
    limit 2`.execute(tx);
  return rows.length === 1 ? rows[0] : undefined;
}

/** Takes a fetch that is due. @returns when it was told of last; nothing where somebody else has it */
async function take(tx: Transaction, services: Services, { service_provider_id, id }: Due): Promise<string | undefined> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const { rows } = await sql<{ wanted_at: string }>`
    update takeaway_fetches set asked_at = ${now}, tries = tries + 1,
      next_at = ${now}::timestamptz + (${GAPS}::int[])[least(tries + 1, ${GAPS_S.length})] * interval '1 second'
    where service_provider_id = ${service_provider_id} and id = ${id} and next_at <= ${now}
    returning wanted_at`.execute(tx);
  return rows[0]?.wanted_at;
}

/** Says that nothing is to be done any more, unless the platform told of the order again meanwhile or it is asked about further. */
async function settle(tx: Transaction, services: Services, due: Due, wanted: string, answer: Settled): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const over =
    answer.outcome === "ok"
      ? sql`true`
      : answer.outcome === "none"
        ? sql`tries >= ${MOST_NONE}`
        : sql`wanted_at < ${now}::timestamptz - ${GIVEN_UP_AFTER}::interval`;
  const settled = await sql<{
    account_id: string;
    asked_at: string;
  }>`update takeaway_fetches f set answered_at = ${now}, outcome = ${answer.outcome},
      why = ${"why" in answer ? answer.why.slice(0, 200) : ""},
      next_at = case when wanted_at = ${wanted}::timestamptz and ${over} then null else next_at end
    where service_provider_id = ${due.service_provider_id} and id = ${due.id} returning account_id, asked_at`.execute(tx);
  const [asked] = settled.rows;
  if (!asked) throw new Error("a takeaway fetch is gone");
  // Its platform answers: the authorisation that was said to have ended stands.
  if (answer.outcome === "ok") await authorisationStands(tx, { ...due, account_id: asked.account_id }, asked.asked_at);
}
