import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";

interface Card {
  readonly service_provider_id: string;
  readonly id: string;
}
/** WeChat is to know a card as it is now. Sent by a round of its own, so that a dead WeChat holds nothing up. */
export async function touchWxCard(tx: Transaction, { service_provider_id, id }: Card, now: string): Promise<void> {
  await sql`update wx_cards set rev = rev + 1, sync = case sync when 3 then 3 else 0 end, tries = 0, next_at = ${now}
    where service_provider_id = ${service_provider_id} and card_id = ${id} and status < 4`.execute(tx);
}
/** The same for all who hold it. */
export async function touchWxHolders(tx: Transaction, { service_provider_id, id }: Card, now: string): Promise<void> {
  await sql`update wx_holders set rev = rev + 1, sync = case sync when 3 then 3 else 0 end, tries = 0, next_at = ${now}
    where service_provider_id = ${service_provider_id} and card_id = ${id} and status < 5`.execute(tx);
}
/** A holding is told where its card is at WeChat. */
export async function tellWxHolder(
  tx: Transaction,
  holding: {
    readonly service_provider_id: string;
    readonly merchant_id: string;
    readonly store_id: string;
    readonly card_id: string;
    readonly member_id: string;
    readonly holder_id: string;
  },
  now: string,
): Promise<void> {
  const { service_provider_id, merchant_id, store_id, card_id, member_id, holder_id } = holding;
  await sql`insert into wx_holders (service_provider_id, holder_id, merchant_id, store_id, card_id, member_id, next_at)
    select w.service_provider_id, ${holder_id}, ${merchant_id}, ${store_id}, w.card_id, ${member_id}, ${now} from wx_cards w
    where w.service_provider_id = ${service_provider_id} and w.card_id = ${card_id} and w.status < 4
    on conflict (service_provider_id, holder_id) do nothing`.execute(tx);
}

const balanceOf = (
  kinds: RawBuilder<unknown>,
) => sql`coalesce((select sum(a.balance) from value_accounts a where a.service_provider_id = x.service_provider_id
  and a.merchant_id = x.merchant_id and a.owner_id = x.member_id and a.kind in (${kinds})), 0)::bigint`;
/** What a holder's row is to show, by our book now. The row is called `x`. */
export const POINTS = balanceOf(sql`'points'`);
export const STORED = balanceOf(sql`'principal', 'gift'`);
/** 2 EFFECTIVE while card and member are well; 3 with the card's end, 4 with a freeze, 5 once the member has left. */
export const WANTED = sql`(select case when m.status >= 4 then 5 when c.status = 5 then 3 when m.status > 1 then 4 else 2 end from member_cards c, members m
  where c.service_provider_id = x.service_provider_id and c.id = x.card_id and m.service_provider_id = x.service_provider_id and m.id = x.member_id)::smallint`;
