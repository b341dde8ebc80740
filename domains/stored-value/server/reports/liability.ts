import { type RawBuilder, sql } from "kysely";
import { addDays, shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ParsedOf } from "@zhangfang/contract/endpoint.ts";
import { share } from "@zhangfang/contract/money.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { firstFence, type Scope } from "@zhangfang/server/database/scope.ts";
import { all, is } from "@zhangfang/server/lists/conditions.ts";
import { valueOwed, valueSums } from "../../../value-book/server/index.ts";
import { getLiability } from "../../contract/index.ts";

/** A merchant's own sums, or those of the stores in sight: a store sees what it sold and what it spent. */
export function sumsInSight({ level, provider, merchant, stores }: Scope, alias: string, columns = ["sold_store_id"]): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  if (!firstFence.on || level === "PLATFORM" || level === "ADMIN") return sql<boolean>`true`;
  return all([
    sql`${column("service_provider_id")} = ${provider}`,
    level !== "SP" && sql`${column("merchant_id")} = ${merchant}`,
    stores &&
      sql.join(
        columns.map((name) => sql`${column(name)} = any(${`{${stores.join(",")}}`}::uuid[])`),
        sql` or `,
      ),
  ]);
}
/** Months of sale by age on a day: within half a year, within a year, older. */
const ages = (on: string) => {
  const back = (months: number): string => {
    const [year = 0, month = 1] = on.split("-").map(Number);
    const at = year * 12 + month - 1 - months;
    return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}-01`;
  };
  return { half: back(5), year: back(11) };
};
interface StoreRow {
  readonly id: string;
  readonly name: string;
  readonly principalCents: number;
  readonly giftCents: number;
  readonly halfYearCents: number;
  readonly yearCents: number;
  readonly olderCents: number;
}
/** What is owed at the end of a day by the store that sold it, and by age. */
export async function liabilityOf(tx: Transaction, where: RawBuilder<boolean>, on: string): Promise<StoreRow[]> {
  const { half, year } = ages(on);
  const { rows } = await sql<StoreRow>`select x.*, coalesce(s.short_name, '') as name from (
      select d.service_provider_id, d.sold_store_id as id, sum(d.principal_cents)::bigint as "principalCents", sum(d.gift_cents)::bigint as "giftCents",
        coalesce(sum(d.principal_cents) filter (where d.sold_month >= ${half}::date), 0)::bigint as "halfYearCents",
        coalesce(sum(d.principal_cents) filter (where d.sold_month < ${half}::date and d.sold_month >= ${year}::date), 0)::bigint as "yearCents",
        coalesce(sum(d.principal_cents) filter (where d.sold_month < ${year}::date), 0)::bigint as "olderCents"
      from (${valueOwed(on)}) d where ${where} and d.day <= ${on}::date group by 1, 2) x
    left join stores s on s.service_provider_id = x.service_provider_id and s.id = x.id
    order by x."principalCents" desc, x.id`.execute(tx);
  return rows;
}
const sumOf = <R>(rows: readonly R[], of: (row: R) => number): number => rows.reduce((sum, row) => sum + of(row), 0);

/** The same for the screen of the rules: one merchant, now. */
export async function owedNow(tx: Transaction, merchant: { service_provider_id: string; merchant_id: string }, today: string) {
  const mine = all([is("d.service_provider_id", merchant.service_provider_id), is("d.merchant_id", merchant.merchant_id)]);
  const rows = await liabilityOf(tx, mine, today);
  const { rows: people } = await sql<{ count: number }>`select count(distinct a.owner_id)::int as count from value_accounts a
    where a.service_provider_id = ${merchant.service_provider_id} and a.merchant_id = ${merchant.merchant_id}
      and a.kind in ('principal', 'principal-held') and a.balance > 0`.execute(tx);
  return {
    principalCents: sumOf(rows, (row) => row.principalCents),
    giftCents: sumOf(rows, (row) => row.giftCents),
    members: people[0]?.count ?? 0,
    byAge: [sumOf(rows, (row) => row.halfYearCents), sumOf(rows, (row) => row.yearCents), sumOf(rows, (row) => row.olderCents)],
  };
}
/** The last day of the quarter before a day's. */
export function quarterBefore(on: string): string {
  const [year = 0, month = 1] = on.split("-").map(Number);
  const first = Math.floor((month - 1) / 3) * 3 + 1;
  return addDays(`${year}-${String(first).padStart(2, "0")}-01`, -1);
}

type Asked = Pick<ParsedOf<typeof getLiability>, "serviceProviderId" | "merchantId" | "storeId">;
const soldIn = (scope: Scope, { serviceProviderId, merchantId, storeId }: Asked): RawBuilder<boolean> =>
  all([
    sumsInSight(scope, "d"),
    is("d.service_provider_id", serviceProviderId),
    is("d.merchant_id", merchantId),
    is("d.sold_store_id", storeId),
  ]);
/** The stores that still owe something at the end of a day, for screen and file. */
export const owingStores = async (tx: Transaction, scope: Scope, asked: Asked, on: string): Promise<StoreRow[]> =>
  (await liabilityOf(tx, soldIn(scope, asked), on)).filter((row) => row.principalCents !== 0 || row.giftCents !== 0);

/** 储值负债 at the end of a day: made of the sums of days, and so what the book says. */
export const getLiabilityRoute = implement(getLiability, async (ctx, { on = shanghaiDay(ctx.now_ms), ...asked }) => {
  const where = soldIn(ctx.scope, asked);
  const stores = await owingStores(ctx.tx, ctx.scope, asked, on);
  const from = `${on.slice(0, 7)}-01`;
  const { rows: flows } = await sql<{ before: boolean; cause: string; cents: number }>`select d.day < ${from}::date as before, d.cause,
      sum(d.principal_cents)::bigint as cents from (${valueOwed(on)}) d where ${where} and d.day <= ${on}::date group by 1, 2`.execute(
    ctx.tx,
  );
  const flow = (...causes: readonly string[]) => sumOf(flows, (row) => (!row.before && causes.includes(row.cause) ? row.cents : 0));
  const quarterEnd = quarterBefore(on);
  const quarterCents = sumOf(await liabilityOf(ctx.tx, where, quarterEnd), (row) => row.principalCents);
  const closing = sumOf(stores, (row) => row.principalCents);
  return {
    on,
    principalCents: closing as never,
    giftCents: sumOf(stores, (row) => row.giftCents) as never,
    stores: stores as never,
    byAge: [
      sumOf(stores, (row) => row.halfYearCents),
      sumOf(stores, (row) => row.yearCents),
      sumOf(stores, (row) => row.olderCents),
    ] as never,
    flow: {
      openingCents: sumOf(flows, (row) => (row.before ? row.cents : 0)),
      soldCents: flow("recharge"),
      importedCents: flow("opening"),
      earnedCents: flow("stored-take", "stored-back"),
      refundedCents: flow("card-refund", "closed-back"),
      adjustedCents: flow("stored-adjust", "stored-transfer", "gift", "birthday"),
      closingCents: closing,
    } as never,
    quarterEnd,
    quarterCents: quarterCents as never,
    deposits: [20, 30, 40].map((percent) => ({ percent, cents: share(quarterCents, percent * 1_000) as never })),
  };
});

// The rows' own fence shows a store what it sold and what it took alike: of each kind only those of stores in sight are its own.
const ofStoresInSight = ({ stores }: Scope, column: string): RawBuilder<boolean> =>
  stores === undefined
    ? sql<boolean>`true`
    : sql<boolean>`${sql.ref(column)} in (select s.id from stores s where s.service_provider_id = d.service_provider_id)`;
/**
 * What is owed in sight by who sold it, as rows by day that add up to what is owed at the end of any day from `from` on.
 * @example sql`select sum(cents) from (${owedRows(scope, from)}) t where t.day <= …`
 */
export const owedRows = (scope: Scope, from: string): RawBuilder<unknown> =>
  sql`select d.service_provider_id, d.merchant_id, d.sold_store_id as store_id, d.day, d.principal_cents as cents from (${valueOwed(from)}) d
    where ${sumsInSight(scope, "d")} and ${ofStoresInSight(scope, "d.sold_store_id")}`;
/** Principal, and gift beside it, that orders used at the stores in sight less what came back, as rows by day. */
export const usedRows = (scope: Scope): RawBuilder<unknown> =>
  sql`select d.service_provider_id, d.merchant_id, d.at_store_id as store_id, d.day, -d.principal_cents as cents, -d.gift_cents as gift_cents from (${valueSums}) d
    where ${sumsInSight(scope, "d", ["at_store_id"])} and ${ofStoresInSight(scope, "d.at_store_id")} and d.cause in ('stored-take', 'stored-back')`;
