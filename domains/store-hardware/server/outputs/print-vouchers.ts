import { sql } from "kysely";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import { queueOutput, type Target } from "./write-output.ts";

/** A use that is older is printed by nobody any more. */
const NEW = sql`interval '10 minutes'`;
interface Due extends Target {
  readonly attempt_id: string;
}
/**
 * Every three seconds: uses of platforms' vouchers that just succeeded, on each printer that printed payments then. Beside the use, never in it: a
 * printer is no reason to lose one.
 */
export const printVouchers = lookAfter<Due>({
  name: "print-vouchers",
  every: 3,
  due: async (tx, now) => {
    const { rows } = await sql<Due>`
      select h.service_provider_id, h.merchant_id, h.store_id, h.id, h.kind, v.id as attempt_id from voucher_verifications v
      join store_hardware h on h.service_provider_id = v.service_provider_id and h.store_id = v.store_id and h.kind = 'printer' and h.state = 'bound' and h.on_payment
      left join merchant_settings m on m.service_provider_id = h.service_provider_id and m.merchant_id = h.merchant_id
      where v.status = 1 and v.settled_at > ${now}::timestamptz - ${NEW} and v.settled_at >= greatest(h.created_at, h.payment_since, m.print_receipt_since) and coalesce(m.print_receipt, true)
        and not exists (select from hardware_outputs o where o.service_provider_id = h.service_provider_id and o.hardware_id = h.id and o.attempt_id = v.id and o.cause = 'voucher')
      order by v.settled_at, v.id, h.id limit 200`.execute(tx);
    return rows;
  },
  one: (services, { attempt_id, ...target }) =>
    withScope(services.pool, platformScope("print a voucher"), (tx) => queueOutput(tx, services, target, { cause: "voucher", attempt_id })),
});
