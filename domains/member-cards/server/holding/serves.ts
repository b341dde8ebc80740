import { sql, type RawBuilder } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import { askAsPlatform, type Transaction } from "@zhangfang/server/database/db.ts";

/** That the card of a row serves a store: everywhere, by the store, or by an area that the store is in. */
export const servesStore = (
  alias: string,
  store: string | RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(${sql.ref(`${alias}.everywhere`)}
  or exists (select 1 from card_places p where p.service_provider_id = ${sql.ref(`${alias}.service_provider_id`)} and p.card_id = ${sql.ref(`${alias}.id`)}
    and (p.kind = 'store' and p.place_id = ${store} or p.kind = 'area' and p.place_id in (select z.area_id from area_stores z
      where z.service_provider_id = ${sql.ref(`${alias}.service_provider_id`)} and z.store_id = ${store}))))`;

interface At {
  readonly service_provider_id: string;
  readonly store_id: string;
  readonly at: string;
}
/**
 * Whether a member has what a level is worth at a store: with no card there is none to bind them to a place; else one of their cards has
 * to serve it and not be over. Points and balance are the member's and ask nobody.
 */
export async function cardServesAt(tx: Transaction, { service_provider_id, store_id, at }: At, member_id: string): Promise<boolean> {
  // Cards that were opened elsewhere are out of a till's sight and count all the same.
  const [cards] = await askAsPlatform(
    tx,
    sql<{ held: number; good: number }>`select count(*)::int as held, count(*) filter (where c.status in (2, 3, 4)
        and coalesce(c.ends_on >= ${shanghaiDay(at)}::date, true) and ${servesStore("c", sql`${store_id}::uuid`)})::int as good
      from card_holders h join member_cards c on c.service_provider_id = h.service_provider_id and c.id = h.card_id
      where h.service_provider_id = ${service_provider_id} and h.member_id in (select f.id from members f
        where f.service_provider_id = ${service_provider_id} and (f.id = ${member_id} or f.merged_into = ${member_id}))`,
  );
  const { held = 0, good = 0 } = cards ?? {};
  return held === 0 || good > 0;
}
