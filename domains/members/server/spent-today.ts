import { sql } from "kysely";
import { dayStart, shanghaiDay } from "@zhangfang/contract/time.ts";
import { askAsPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { waitForHolder } from "../../value-book/server/index.ts";
import { familyOf, type MemberRef } from "./member-facts.ts";

/** Above these a PIN is asked for: once, and a day. */
const PIN_ONCE_CENTS = 20_000;
const PIN_DAY_CENTS = 100_000;

/** Nobody else spends of this member until the end of the transaction, so that the day's sum holds. */
export const holdDay = async (tx: Transaction, { service_provider_id, merchant_id, id: member_id }: MemberRef): Promise<void> =>
  void (await waitForHolder(tx, { service_provider_id, merchant_id, member_id }));

/**
 * Whether a PIN is asked for of a member who spends so much stored value now, however well they are known: paid with, sent to others and
 * used of times cards. It holds where the day is held.
 * @param order_id what is placed already and not to be counted
 */
export async function asksPin(
  tx: Transaction,
  services: Services,
  member: MemberRef,
  stored_cents: number,
  order_id?: string,
): Promise<boolean> {
  if (stored_cents === 0 || stored_cents > PIN_ONCE_CENTS) return stored_cents > 0;
  return (await spentToday(tx, services, member, order_id)) + stored_cents > PIN_DAY_CENTS;
}

/** What a member spent today, with everybody who was merged into them; what is open, and what nobody has taken yet, is counted. */
async function spentToday(
  tx: Transaction,
  services: Services,
  { service_provider_id: provider, id }: MemberRef,
  order_id: string | undefined,
): Promise<number> {
  const since = sql`${dayStart(shanghaiDay(services.clock.now_ms()))}::timestamptz`;
  const family = familyOf(provider, id);
  // Of all stores: a till sees the orders of its own alone.
  const [spent] = await askAsPlatform(
    tx,
    sql<{ cents: number }>`select coalesce(sum(x.cents), 0)::bigint as cents from (
      select o.principal_cents + o.gift_cents as cents from pay_orders o
        where o.service_provider_id = ${provider} and o.member_id in ${family} and o.created_at >= ${since} and o.status in (0, 2, 3)
          and o.id is distinct from ${order_id ?? null}::uuid
      union all select o.principal_cents + o.gift_cents from transfer_offers o
        where o.service_provider_id = ${provider} and o.member_id in ${family} and o.created_at >= ${since} and o.status in (0, 1)
      union all select t.principal_cents + t.gift_cents from value_transfers t
        where t.service_provider_id = ${provider} and t.member_id in ${family} and t.created_at >= ${since}
          and not exists (select from transfer_offers o where o.service_provider_id = t.service_provider_id and o.id = t.id)
      union all select u.value_cents from times_uses u
        where u.service_provider_id = ${provider} and u.member_id in ${family} and u.at >= ${since} and u.reversed_at is null) x`,
  );
  return spent?.cents ?? 0;
}
