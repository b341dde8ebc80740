import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import { domain, tie, tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Breach } from "@zhangfang/server/book.ts";
import { emptyTables } from "@zhangfang/server/testing/empty-tables.ts";
import type { Contributor, PricedOrder, Used } from "../contributor.ts";
import type { Offer } from "../rules/facts.ts";

const TABLES = `
  create table test_coupons (ref text primary key, off_cents bigint not null, min_cents bigint not null default 0, provider_rate int not null default 0,
    state text not null default 'free' check (state in ('free', 'held', 'used')), order_id uuid, check ((state = 'free') = (order_id is null)));
  create table test_points (merchant_id uuid primary key, given bigint not null, points bigint not null check (points >= 0));
  create table test_points_moves (order_id uuid not null, what text not null, points bigint not null, primary key (order_id, what));
  grant all on test_coupons, test_points, test_points_moves to zhangfang_app`;

type Owner = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>;

/** Makes the tables of what a test takes off orders, coupons that are used once and points of each merchant, and has them asked. */
export async function plantTestOffers(services: Services, owner: Owner): Promise<void> {
  await owner(TABLES);
  tie(services, [...tiedTo(services), domain({ contributors: [coupons, points] })]);
}
/** Nothing is used any more: so many points for a merchant, and coupons with these names. */
export async function resetTestOffers(owner: Owner, merchant_id: string, all_points: number, refs: readonly string[]): Promise<void> {
  await emptyTables(owner, "test_coupons, test_points, test_points_moves");
  await owner("insert into test_points (merchant_id, given, points) values ($1, $2, $2)", [merchant_id, all_points]);
  await owner("insert into test_coupons (ref, off_cents, provider_rate) select ref, 57, 70000 from unnest($1::text[]) ref", [refs]);
}
/** What does not fit between the offers' own tables and the orders: coupons held or used by nobody, points lost or made. */
export async function verifyTestOffers(owner: Owner): Promise<Breach[]> {
  const rows = await owner<{ rule: string; example: string }>(`
    select 'a coupon is where its order is' as rule, c.ref as example from test_coupons c left join (
      select p.ref, p.order_id, case o.status when 0 then 'held' else 'used' end as state from price_parts p
      join pay_orders o on o.service_provider_id = p.service_provider_id and o.id = p.order_id where p.source = 'coupon' and o.status in (0, 2)) x on x.ref = c.ref
    where (c.state, c.order_id) is distinct from (coalesce(x.state, 'free'), x.order_id)
    union all select 'points neither appear nor disappear', t.merchant_id::text from test_points t
    where t.points <> t.given - (select coalesce(sum(p.points), 0) from price_parts p join pay_orders o on o.service_provider_id = p.service_provider_id and o.id = p.order_id
        where p.source = 'points' and p.merchant_id = t.merchant_id and o.status <> 1)
      + (select coalesce(sum(b.points), 0) from price_backs b join refunds r on r.service_provider_id = b.service_provider_id and r.id = b.refund_id
        where b.source = 'points' and b.merchant_id = t.merchant_id and r.status = 2)`);
  return rows.map(({ rule, example }) => ({ rule, count: 1, example }));
}

const named = (used: readonly Used[]): readonly string[] => used.map(({ ref }) => ref);
const base = { priority: 0, min_cents: 0, provider_rate: 0, without: [] } as const;

/** A coupon is one row: free, held by an open order, used by a paid one. */
const coupons: Contributor = {
  source: "coupon",
  async offers(tx, _services, { coupons: read, quoted = [] }) {
    const asked = [...(read === "best" ? [] : read), ...quoted];
    if (asked.length === 0) return [];
    const { rows } = await sql<{ ref: string; off_cents: number; min_cents: number; provider_rate: number }>`
      select ref, off_cents, min_cents, provider_rate from test_coupons where ref = any(${asked}) and state = 'free'`.execute(tx);
    return rows.map(({ off_cents, ...row }): Offer => ({
      ...base,
      ...row,
      source: "coupon",
      name: `券 ${row.ref}`,
      rule: { kind: "off", off_cents },
    }));
  },
  async hold(tx, _services, order, used) {
    const held =
      await sql`update test_coupons set state = 'held', order_id = ${order.id} where ref = any(${named(used)}) and state = 'free'`.execute(
        tx,
      );
    if (Number(held.numAffectedRows) !== used.length) throw conflict("优惠券已被使用", "coupon.gone");
  },
  async take(tx, _services, order, used) {
    const { rows } = await sql<{ ref: string }>`update test_coupons set state = 'used', order_id = ${order.id}
      where ref = any(${named(used)}) and (state = 'free' or order_id = ${order.id}) returning ref`.execute(tx);
    return named(used).filter((ref) => !rows.some((row) => row.ref === ref));
  },
  async release(tx, _services, order) {
    await sql`update test_coupons set state = 'free', order_id = null where order_id = ${order.id} and state = 'held'`.execute(tx);
  },
  async giveBack(tx, _services, order, _refund_id, backs) {
    if (backs.some(({ whole }) => whole))
      await sql`update test_coupons set state = 'free', order_id = null where order_id = ${order.id} and state = 'used'`.execute(tx);
  },
};

/** Points are a number for each merchant; a move happens once for an order and what it is. */
const points: Contributor = {
  source: "points",
  async offers(tx, _services, { merchant_id }) {
    const { rows } = await sql<{
      points: number;
    }>`select points from test_points where merchant_id = ${merchant_id}`.execute(tx);
    return rows.map(({ points: balance }): Offer => ({
      ...base,
      source: "points",
      ref: "points",
      name: "积分",
      rule: { kind: "points", balance, least_points: 0, step_points: 100, step_cents: 100, most_rate: 50_000 },
    }));
  },
  async hold(tx, _services, order, [used]) {
    if (!(await move(tx, order, "hold", -(used?.points ?? 0)))) throw conflict("积分不足", "points.gone");
  },
  async take(tx, _services, order, [used]) {
    const { rows } = await sql`select from test_points_moves where order_id = ${order.id} and what = 'release'`.execute(tx);
    return rows.length === 0 || (await move(tx, order, "again", -(used?.points ?? 0))) ? [] : ["points"];
  },
  release: async (tx, _services, order, [used]) => void (await move(tx, order, "release", used?.points ?? 0)),
  giveBack: async (tx, _services, order, refund_id, [back]) => void (await move(tx, order, refund_id, back?.points_back ?? 0)),
};
/** @returns false where there are too few */
async function move(tx: Transaction, { id, merchant_id }: PricedOrder, what: string, by: number): Promise<boolean> {
  const known = await sql`select from test_points_moves where order_id = ${id} and what = ${what}`.execute(tx);
  if (known.rows.length > 0) return true;
  const changed =
    await sql`update test_points set points = points + ${by} where merchant_id = ${merchant_id} and points + ${by} >= 0`.execute(tx);
  if (Number(changed.numAffectedRows) !== 1) return false;
  await sql`insert into test_points_moves (order_id, what, points) values (${id}, ${what}, ${by})`.execute(tx);
  return true;
}
