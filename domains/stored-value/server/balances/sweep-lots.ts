import { sql } from "kysely";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { type Holder, releaseLot, waitForHolder } from "../../../value-book/server/index.ts";
import { posterOf } from "../contributor.ts";

const MOST = 100;
interface Stray extends Holder {
  readonly lot_id: string;
  readonly store_id: string;
}
/** Lots of which something is held by no card refund that waits and no transfer that waits. */
async function strayLots(tx: Transaction, lot_id: string | null = null): Promise<Stray[]> {
  const { rows } = await sql<Stray>`select l.service_provider_id, l.merchant_id, l.member_id, l.id as lot_id, l.sold_store_id as store_id
    from value_lots l where l.held_principal_cents + l.held_gift_cents > 0 and l.id = coalesce(${lot_id}::uuid, l.id)
      and not exists (select from card_refunds c where c.service_provider_id = l.service_provider_id and c.lot_id = l.id and c.status in (0, 1))
      and not exists (select from transfer_offers o, jsonb_to_recordset(o.parts) as p(lot_id uuid)
        where o.service_provider_id = l.service_provider_id and o.member_id = l.member_id and o.status = 0 and p.lot_id = l.id)
    order by l.service_provider_id, l.id limit ${sql.lit(MOST)}`.execute(tx);
  return rows;
}
/**
 * Each minute: what is held of a lot that nothing holds. Card refunds and transfers hold and let go in their own transaction, so there is
 * none; should there be, it can be spent again, and is said loudly. Whoever holds anything waits for its member: it is asked once more then.
 */
export const sweepLots = lookAfter<Stray>({
  name: "sweep-lots",
  due: (tx) => strayLots(tx),
  async one(services, { lot_id, ...holder }) {
    const freed = await withScope(services.pool, platformScope("sweep lots"), async (tx) => {
      await waitForHolder(tx, holder);
      const [stray] = await strayLots(tx, lot_id);
      if (stray) await releaseLot(tx, posterOf(services), stray, lot_id, { cause_id: lot_id, store_id: stray.store_id });
      return stray !== undefined;
    });
    if (freed) services.log.error({ lot: lot_id }, "a lot was held by no card refund and no transfer");
  },
});
