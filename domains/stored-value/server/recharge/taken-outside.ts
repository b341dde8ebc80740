import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { TakenOutside } from "../../../orders/server/index.ts";
import { rechargeWay } from "../../contract/index.ts";

interface Taken {
  readonly way: 1 | 2;
  readonly count: number;
  readonly cents: number;
}
const said = ({ way, count, cents }: Taken) => ({ name: `充值${rechargeWay.label(way)}`, count, cents: cents as never });
const byWay = async (tx: Transaction, rows: RawBuilder<unknown>) =>
  (
    await sql<Taken>`with r as (${rows}) select way, count(*)::int as count, sum(principal_cents)::bigint as cents from r group by way order by way`.execute(
      tx,
    )
  ).rows.map(said);
type Where = Parameters<TakenOutside["open"]>[1];
const inNoShift = ({ service_provider_id, store_id }: Where) =>
  sql`r.service_provider_id = ${service_provider_id} and r.store_id = ${store_id} and r.way <> 0 and r.status = 2 and r.handover_id is null`;

/** 收现金, 收转账 of a store: what arrived since the last shift, and each once given to the shift that ends. */
export const takenOutside: TakenOutside = {
  open: (tx, where) => byWay(tx, sql`select r.way, r.principal_cents from recharges r where ${inNoShift(where)}`),
  give: (tx, where, handover_id) =>
    byWay(tx, sql`update recharges r set handover_id = ${handover_id} where ${inNoShift(where)} returning r.way, r.principal_cents`),
};
