import { sql, type RawBuilder } from "kysely";
import { shanghaiDay } from "@zhangfang/contract/time.ts";
import type { ParsedOf, RowOf } from "@zhangfang/contract/endpoint.ts";
import { implement } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { all, during, is, onDays } from "@zhangfang/server/lists/conditions.ts";
import { listPage, type Listed } from "@zhangfang/server/lists/list-page.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";
import { valueSums } from "../../../value-book/server/index.ts";
import { memberSought, withMembers } from "../../../members/server/index.ts";
import { getStatements, listMoves, summariseConsumption, summariseMoves } from "../../contract/index.ts";
import { sumsInSight } from "./liability.ts";

export type MoveLine = RowOf<typeof listMoves>;
type Filter = ParsedOf<typeof summariseMoves>;
const BOTH = ["at_store_id", "sold_store_id"];
const CAUSES = {
  consumption: ["stored-take", "stored-back"],
  transfer: ["stored-transfer"],
  change: undefined,
  birthday: ["birthday"],
} as const;

const COUNTED = sql`value_moves v join members m on m.service_provider_id = v.service_provider_id and m.id = v.member_id
  left join pay_orders o on o.service_provider_id = v.service_provider_id and o.id = v.order_id`;
/** Its stores by name, as far as they are in sight: of another it is told that it was another. */
const fromOf = (scope: Scope) => sql`${COUNTED}
  left join stores s on s.service_provider_id = v.service_provider_id and s.id = v.at_store_id and ${inScope(scope, "s")}
  left join stores b on b.service_provider_id = v.service_provider_id and b.id = v.sold_store_id and ${inScope(scope, "b")}`;
/** What a member holds after a move, of lots and what is set aside: everything that moved until then. A store does not see all of it. */
const after = (column: "principal_cents" | "gift_cents") => sql`(select sum(w.${sql.ref(column)})::bigint from value_moves w
  where w.service_provider_id = v.service_provider_id and w.member_id = v.member_id and w.seq <= v.seq)`;
const columnsOf = ({
  stores,
}: Scope) => sql`v.id, v.at, v.cause, v.member_id as "memberId", m.no as "memberNo", coalesce(s.short_name, '其他门店') as "storeName", coalesce(b.short_name, '其他门店') as "soldStoreName",
  o.order_no as "orderNo", v.principal_cents as "principalCents", v.gift_cents as "giftCents",
  ${stores ? sql`null::bigint` : after("principal_cents")} as "afterCents", ${stores ? sql`null::bigint` : after("gift_cents")} as "giftAfterCents"`;

function movesWhere(
  services: Services | undefined,
  scope: Scope,
  { serviceProviderId, merchantId, storeId, soldStoreId, report, keyword, from, to }: Filter,
): RawBuilder<boolean> {
  const causes = CAUSES[report];
  return all([
    sumsInSight(scope, "v", BOTH),
    is("v.service_provider_id", serviceProviderId),
    is("v.merchant_id", merchantId),
    is("v.at_store_id", storeId),
    is("v.sold_store_id", soldStoreId),
    causes && sql`v.cause = any(${`{${causes.join(",")}}`}::text[])`,
    keyword && sql`${memberSought(services, scope, keyword)} or o.order_no = ${keyword}`,
    during({ from, to }, "v.at"),
  ]);
}
/** The moves of a filter, for screen and file. */
export const movesListed = (scope: Scope, filter: Filter, _tx: Transaction, services?: Services): Listed => ({
  columns: columnsOf(scope),
  from: fromOf(scope),
  counted: COUNTED,
  where: movesWhere(services, scope, filter),
  order: "v.at",
});
/** 储值消费 and its kin. */
export const listMovesRoute = implement(listMoves, async (ctx, input) => {
  const page = await listPage<MoveLine>(ctx.tx, input, movesListed(ctx.scope, input, ctx.tx, ctx.services));
  return { ...page, items: await withMembers(ctx, page.items) };
});
export const summariseMovesRoute = implement(summariseMoves, async (ctx, filter) => {
  const { rows } = await sql<{ count: number; principalCents: never; giftCents: never }>`select count(*)::int as count,
      coalesce(sum(v.principal_cents), 0)::bigint as "principalCents", coalesce(sum(v.gift_cents), 0)::bigint as "giftCents"
    from ${COUNTED} where ${movesWhere(ctx.services, ctx.scope, filter)}`.execute(ctx.tx);
  return rows[0]!;
});

type Consumed = ParsedOf<typeof summariseConsumption>;
interface Pair {
  readonly id: string;
  readonly storeId: string;
  readonly storeName: string;
  readonly soldStoreId: string;
  readonly soldStoreName: string;
  readonly principalCents: number;
  readonly giftCents: number;
  readonly count: number;
}
/** What each store spent of what each sold, refunds off. */
export async function consumptionOf(
  tx: Transaction,
  scope: Scope,
  { serviceProviderId, merchantId, storeId, soldStoreId, from, to }: Consumed,
): Promise<Pair[]> {
  const where = all([
    sumsInSight(scope, "d", BOTH),
    is("d.service_provider_id", serviceProviderId),
    is("d.merchant_id", merchantId),
    is("d.at_store_id", storeId),
    is("d.sold_store_id", soldStoreId),
    sql`d.cause in ('stored-take', 'stored-back')`,
    onDays({ from, to }, "d.day"),
  ]);
  const { rows } =
    await sql<Pair>`select x.at_store_id || ':' || x.sold_store_id as id, x.at_store_id as "storeId", coalesce(s.short_name, '其他门店') as "storeName",
      x.sold_store_id as "soldStoreId", coalesce(b.short_name, '其他门店') as "soldStoreName", x.principal as "principalCents", x.gift as "giftCents", x.count
    from (select d.service_provider_id, d.at_store_id, d.sold_store_id, -sum(d.principal_cents)::bigint as principal, -sum(d.gift_cents)::bigint as gift, sum(d.count)::int as count
      from (${valueSums}) d where ${where} group by 1, 2, 3) x
    left join stores s on s.service_provider_id = x.service_provider_id and s.id = x.at_store_id and ${inScope(scope, "s")}
    left join stores b on b.service_provider_id = x.service_provider_id and b.id = x.sold_store_id and ${inScope(scope, "b")}
    order by x.principal desc, x.at_store_id, x.sold_store_id`.execute(tx);
  return rows;
}
/** 门店消费汇总. */
export const summariseConsumptionRoute = implement(summariseConsumption, async (ctx, filter) => {
  const rows = await consumptionOf(ctx.tx, ctx.scope, filter);
  return {
    rows: rows as never,
    principalCents: rows.reduce((sum, row) => sum + row.principalCents, 0) as never,
    giftCents: rows.reduce((sum, row) => sum + row.giftCents, 0) as never,
  };
});

/** What stores owe each other for a month, for screen and file. */
export async function betweenStores(
  tx: Transaction,
  scope: Scope,
  { storeId, ...place }: Omit<ParsedOf<typeof getStatements>, "month">,
  month: string,
): Promise<Pair[]> {
  const pairs = await consumptionOf(tx, scope, { ...place, from: `${month}-01`, to: lastOf(month) });
  return pairs.filter(
    (row) => row.storeId !== row.soldStoreId && (storeId === undefined || row.storeId === storeId || row.soldStoreId === storeId),
  );
}
/** 跨店对账 of a month: who sold it owes the principal to who took it; what one owes another is owed, so that all nets to zero. */
export const getStatementsRoute = implement(getStatements, async (ctx, { month = shanghaiDay(ctx.now_ms).slice(0, 7), ...filter }) => {
  const pairs = await betweenStores(ctx.tx, ctx.scope, filter, month);
  const nets = new Map<string, { id: string; name: string; owesCents: number; owedCents: number }>();
  const net = (id: string, name: string) => nets.get(id) ?? nets.set(id, { id, name, owesCents: 0, owedCents: 0 }).get(id)!;
  for (const row of pairs) {
    net(row.soldStoreId, row.soldStoreName).owesCents += row.principalCents;
    net(row.storeId, row.storeName).owedCents += row.principalCents;
  }
  return {
    month,
    pairs: pairs.map((row) => ({
      id: row.id,
      owesId: row.soldStoreId,
      owes: row.soldStoreName,
      owedId: row.storeId,
      owed: row.storeName,
      principalCents: row.principalCents as never,
      giftCents: row.giftCents as never,
    })),
    nets: [...nets.values()].map((one) => ({ ...one, netCents: one.owedCents - one.owesCents })) as never,
  };
});
function lastOf(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`;
}
