import { sql } from "kysely";
import type { Poster } from "@zhangfang/server/book.ts";
import { behind, type Transaction } from "@zhangfang/server/database/db.ts";
import type { ValueCause } from "../../contract.ts";
import type { Drawn } from "../draw-rules.ts";
import type { Holder } from "../post-value.ts";

interface Noted {
  readonly cause: ValueCause;
  readonly cause_id: string;
  readonly order_id?: string | undefined;
  readonly refund_id?: string | undefined;
  /** Where it happened. */
  readonly store_id: string;
  /** −1: it is gone for good; 1: it was added or is back. */
  readonly sign: 1 | -1;
}
/** Writes down by lot what is owed more or less from now on: the fact behind every sum of stored value. */
export async function noteMoves(
  tx: Transaction,
  { ids, now_ms }: Poster,
  { service_provider_id, merchant_id, member_id }: Holder,
  { cause, cause_id, order_id = null as never, refund_id = null as never, store_id, sign }: Noted,
  moved: readonly Drawn[],
): Promise<void> {
  const rows = moved.filter((one) => one.principal_cents !== 0 || one.gift_cents !== 0).map((one) => ({ ...one, id: ids.uuid(now_ms) }));
  if (rows.length === 0) return;
  const noted = sql`insert into value_moves (service_provider_id, id, merchant_id, member_id, lot_id, cause, cause_id, order_id, refund_id,
      at_store_id, sold_store_id, sold_month, principal_cents, gift_cents, at)
    select ${service_provider_id}, m.id, ${merchant_id}, ${member_id}, l.id, ${cause}, ${cause_id}, ${order_id}::uuid, ${refund_id}::uuid,
      ${store_id}, l.sold_store_id, date_trunc('month', l.sold_at at time zone 'Asia/Shanghai')::date,
      m.principal_cents * ${sign}::int, m.gift_cents * ${sign}::int, ${new Date(now_ms).toISOString()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id uuid, lot_id uuid, principal_cents bigint, gift_cents bigint)
    join value_lots l on l.service_provider_id = ${service_provider_id} and l.id = m.lot_id`;
  behind(tx, noted, ({ numUpdatedRows: written }) => {
    if (Number(written) !== rows.length) throw new Error(`a lot of ${member_id} that moved is gone`);
  });
}
