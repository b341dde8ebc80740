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
const inNoShift = (store_id: string) => sql`r.store_id = ${store_id} and r.way <> 0 and r.status = 2 and r.handover_id is null`;

/** 收现金, 收转账 of a store: what arrived since the last shift, and each once given to the shift that ends. */
export const takenOutside: TakenOutside = {
  open: (tx, { service_provider_id, store_id }) =>
    byWay(
      tx,
      sql`select r.way, r.principal_cents from recharges r where r.service_provider_id = ${service_provider_id} and ${inNoShift(store_id)}`,
    ),
  give: (tx, { service_provider_id, store_id }, handover_id) =>
    byWay(
      tx,
      sql`update recharges r set handover_id = ${handover_id} where r.service_provider_id = ${service_provider_id} and ${inNoShift(store_id)}
        returning r.way, r.principal_cents`,
    ),
};
