import { sql } from "kysely";
import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { MovedPart } from "../stored-rules.ts";

interface Which {
  readonly service_provider_id: string;
  readonly lot_id: string;
}
/** The lot and those that it came from, as `up (id, from_lot, depth)`. */
const up = ({ service_provider_id, lot_id }: Which) => sql`up (id, from_lot, depth) as (
    select l.id, l.from_lot, 0 from value_lots l where l.service_provider_id = ${service_provider_id} and l.id = ${lot_id}
    union all select p.id, p.from_lot, up.depth + 1 from value_lots p join up on p.id = up.from_lot where p.service_provider_id = ${service_provider_id})`;

/** A lot and those that it came from, the one that was sold first. */
export async function partsDownTo(tx: Transaction, which: Which): Promise<readonly MovedPart[]> {
  const { rows } = await sql<MovedPart>`with recursive ${up(which)}
    select l.principal_cents, l.gift_cents, l.cut_principal_cents - c.principal - m.principal as corrected_principal_cents,
      l.cut_gift_cents - c.gift - m.gift as corrected_gift_cents, b.cents as moved_before_cents
    from up join value_lots l on l.service_provider_id = ${which.service_provider_id} and l.id = up.id
    cross join lateral (select coalesce(sum(c.held_principal_cents), 0)::bigint as principal, coalesce(sum(c.held_gift_cents), 0)::bigint as gift
      from card_refunds c where c.service_provider_id = l.service_provider_id and c.lot_id = l.id and c.status = 2) c
    cross join lateral (select coalesce(sum(o.principal_cents), 0)::bigint as principal, coalesce(sum(o.gift_cents), 0)::bigint as gift
      from value_lots o where o.service_provider_id = l.service_provider_id and o.from_lot = l.id) m
    cross join lateral (select coalesce(sum(o.principal_cents + o.gift_cents), 0)::bigint as cents from value_lots o
      where o.service_provider_id = l.service_provider_id and o.from_lot = l.from_lot and (o.created_at, o.id) < (l.created_at, l.id)) b
    order by up.depth desc`.execute(tx);
  return rows;
}

/** The recharge that a lot was sold with, at whoever's hands it is now. */
export interface Bought {
  readonly id: string;
  readonly lot_id: string;
  /** Who bought it, as they are now. */
  readonly member_id: string;
  readonly member_no: string;
  readonly order_id: string | null;
  readonly whole_cents: number;
  readonly points: number;
  readonly coupons: boolean;
}
/** Past the fence of stores: who bought it may be in nobody's sight. @returns nothing where no recharge of ours brought it */
export async function boughtWith(tx: Transaction, which: Which): Promise<Bought | undefined> {
  const { rows } = await asPlatform(tx, () =>
    sql<Bought>`with recursive ${up(which)}
      select r.id, r.lot_id, m.id as member_id, m.no as member_no, r.order_id, r.principal_cents + r.gift_cents as whole_cents, r.points,
        r.coupon_campaign_id is not null as coupons
      from up join recharges r on r.service_provider_id = ${which.service_provider_id} and r.lot_id = up.id
      join members f on f.service_provider_id = r.service_provider_id and f.id = r.member_id
      join members m on m.service_provider_id = f.service_provider_id and m.id = coalesce(f.merged_into, f.id)`.execute(tx),
  );
  return rows[0];
}

/** What of a recharge is paid back at whoever's hands. */
interface GoneOf {
  /** Of the points that it gave. */
  readonly points: number;
  /** Of its principal and gift, as they were moved: what of them was spent before counts with it. Not what its buyer kept. */
  readonly moved_cents: number;
}
/** @param lot_id counts as paid back */
export async function goneOf(tx: Transaction, { service_provider_id, lot_id }: Which, root: string): Promise<GoneOf> {
  const { rows } = await sql<GoneOf>`with recursive down (id, cents) as (
      select l.id, 0::bigint from value_lots l where l.service_provider_id = ${service_provider_id} and l.id = ${root}
      union all select o.id, o.principal_cents + o.gift_cents from value_lots o join down on o.from_lot = down.id where o.service_provider_id = ${service_provider_id})
    select coalesce(sum(c.points), 0)::bigint as points,
      coalesce(sum(d.cents - m.cents) filter (where d.id <> ${root} and (d.id = ${lot_id} or c.n > 0)), 0)::bigint as moved_cents
    from down d cross join lateral (select coalesce(sum(x.points), 0)::bigint as points, count(*) as n from card_refunds x
      where x.service_provider_id = ${service_provider_id} and x.lot_id = d.id and x.status = 2) c
    cross join lateral (select coalesce(sum(o.principal_cents + o.gift_cents), 0)::bigint as cents from value_lots o
      where o.service_provider_id = ${service_provider_id} and o.from_lot = d.id) m`.execute(tx);
  return rows[0]!;
}
/** What of the points that a recharge gave goes back with one of its lots: its buyer's own takes all that are not back yet. */
export const giftPointsBack = ({ lot_id: root, whole_cents, points }: Bought, lot_id: string, gone: GoneOf): number =>
  Math.max(0, (root === lot_id ? points : Number((BigInt(points) * BigInt(gone.moved_cents)) / BigInt(whole_cents))) - gone.points);
