import { sql } from "kysely";
import { addDays, dayStart } from "@zhangfang/contract/time.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { storeVouchers, type StoreVouchers } from "../../../group-buy/server/index.ts";
import { storeTakings, type StoreTakings } from "../../../statistics/server/index.ts";
import { usedRows } from "../../../stored-value/server/index.ts";
import { storeTakeaway, type StoreTakeaway } from "../../../takeaway/server/index.ts";
import type { StoreDayFigures, StoreDayLine } from "../../contract/index.ts";

/** A store whose day is read. */
export interface StoreRef {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
}
/** Shanghai days, both ends included. */
export interface Span {
  readonly from: string;
  readonly to: string;
}
export interface InvoicedRow {
  readonly store_id: string;
  readonly day: string;
  readonly count: number;
  readonly cents: number;
  readonly red_count: number;
  readonly red_cents: number;
  readonly stuck: number;
  readonly red_stuck: number;
}
export const uuids = (ids: readonly string[]): string => `{${[...new Set(ids)].join(",")}}`;
/** The merchants of some stores as rows `m` with provider and id. */
export const merchantsOf = (stores: readonly StoreRef[]) => {
  const merchants = [...new Map(stores.map((one) => [one.merchant_id, one])).values()];
  return sql`unnest(${uuidsAsTheyAre(merchants.map((one) => one.service_provider_id))}::uuid[], ${uuidsAsTheyAre(merchants.map((one) => one.merchant_id))}::uuid[]) as m(provider, merchant)`;
};
const uuidsAsTheyAre = (ids: readonly string[]): string => `{${ids.join(",")}}`;
export const daysOf = ({ from, to }: Span) => sql`daterange(${from}::date, ${to}::date, '[]')`;

/**
 * The figures of stores on days, each by the door of the room that knows them, so that they are what those rooms' own screens say.
 * Six statements, however many stores and days.
 * @returns the figures of one store's day; `invoiced`: what was invoiced, by store and day
 */
export async function readFigures(
  tx: Transaction,
  scope: Scope,
  stores: readonly StoreRef[],
  span: Span,
): Promise<{ of: (storeId: string, day: string) => StoreDayFigures; invoiced: readonly InvoicedRow[] }> {
  const storeIds = stores.map((one) => one.store_id);
  const of = { merchantIds: [...new Set(stores.map((one) => one.merchant_id))], storeIds, ...span };
  const takings = await storeTakings(tx, scope, of);
  const vouchers = await storeVouchers(tx, scope, of);
  const takeaway = await storeTakeaway(tx, scope, of);
  const { rows: covered } = await sql<{ key: string; cents: number }>`
    select concat_ws('/', o.store_id, (o.paid_at at time zone 'Asia/Shanghai')::date, o.channel || '-' || o.tool) as key, sum(o.voucher_cents)::bigint as cents
    from pay_orders o where ${inScope(scope, "o")} and o.store_id = any(${uuids(storeIds)}::uuid[]) and o.voucher_cents > 0
      and o.paid_at >= ${dayStart(span.from)}::timestamptz and o.paid_at < ${dayStart(addDays(span.to, 1))}::timestamptz group by 1`.execute(
    tx,
  );
  const vouchersIn = new Map(covered.map(({ key, cents }) => [key, cents]));
  const { rows: used } = await sql<{ storeId: string; day: string; cents: number; gift_cents: number }>`
    select t.store_id as "storeId", t.day, sum(t.cents)::bigint as cents, sum(t.gift_cents)::bigint as gift_cents from (${usedRows(scope)}) t
    where t.merchant_id = any(${uuids(of.merchantIds)}::uuid[]) and t.store_id = any(${uuids(storeIds)}::uuid[])
      and t.day between ${span.from}::date and ${span.to}::date group by 1, 2`.execute(tx);
  const { rows: invoiced } = await sql<InvoicedRow>`
    select i.* from ${merchantsOf(stores)} cross join lateral app.invoiced_of(m.provider, m.merchant, ${uuids(storeIds)}::uuid[], ${daysOf(span)}) i`.execute(
    tx,
  );
  const by = <R extends { readonly storeId: string; readonly day: string }>(rows: readonly R[]) =>
    Map.groupBy(rows, ({ storeId, day }) => `${storeId}/${day}`);
  const [own, voucher, away, stored] = [by(takings), by(vouchers), by(takeaway), by(used)];
  const read = (storeId: string, day: string): StoreDayFigures => {
    const key = `${storeId}/${day}`;
    const mine = own.get(key) ?? [];
    const spent = stored.get(key)?.[0];
    const written = invoiced.find((row) => row.store_id === storeId && row.day === day);
    return {
      lines: [
        ...mine.map((row) => ownLine(row, vouchersIn.get(`${key}/${row.channel}-${row.tool}`) ?? 0)),
        ...(voucher.get(key) ?? []).map(voucherLine),
        ...(away.get(key) ?? []).map(takeawayLine),
      ],
      stored: { principalCents: spent?.cents ?? 0, giftCents: spent?.gift_cents ?? 0 },
      rechargeCents: mine.reduce((sum, row) => sum + row.rechargeCents - row.rechargeBackCents, 0),
      invoices: {
        count: written?.count ?? 0,
        cents: written?.cents ?? 0,
        redCount: written?.red_count ?? 0,
        redCents: written?.red_cents ?? 0,
      },
    };
  };
  return { of: read, invoiced };
}

/** What was paid here. A platform's voucher that covers a part of an order is no 商家优惠: it stands among the vouchers. @param voucherCents of its orders */
const ownLine = (row: StoreTakings, voucherCents: number): StoreDayLine => ({
  band: "own",
  key: `${row.channel}-${row.tool}`,
  count: row.payCount,
  paidCents: row.paidCents,
  shopOffCents: row.discountCents - voucherCents,
  subsidyCents: 0,
  feeCents: row.feeCents - row.refundFeeCents,
  backCount: row.refundCount,
  backCents: row.refundCents,
  incomeCents: row.netCents,
  settled: true,
  settledCents: row.netCents,
  odd: 0,
});
/** Settled where every use of the day stands in a bill, but those that were taken back the same day. */
const voucherLine = (row: StoreVouchers): StoreDayLine => ({
  band: "voucher",
  key: row.platform,
  count: row.used,
  paidCents: row.usedPayCents,
  shopOffCents: row.merchantTicketCents,
  subsidyCents: row.platformTicketCents,
  feeCents: row.feeCents,
  backCount: row.reversed,
  backCents: row.reversedPayCents,
  incomeCents: row.incomeCents,
  settled: row.billed > 0 && row.waiting === 0,
  settledCents: row.settledCents,
  odd: row.uneven,
});
const takeawayLine = (row: StoreTakeaway): StoreDayLine => ({
  band: "takeaway",
  key: row.platform,
  count: row.orders,
  paidCents: row.paidCents,
  shopOffCents: row.shopOffCents,
  subsidyCents: row.platformOffCents,
  feeCents: row.feeCents,
  backCount: row.refunded,
  backCents: row.refundCents,
  incomeCents: row.netCents,
  settled: false,
  settledCents: 0,
  odd: row.odd,
});
