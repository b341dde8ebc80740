import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import { lookAfter } from "@zhangfang/server/jobs/look-after.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { moveCoupons } from "../holding/move-coupons.ts";
import { type Get, GET } from "./give-package.ts";

/**
 * Sets what nobody used of a package aside, so that nobody uses it while its share is on its way back. A coupon is one row: who has it first, a
 * till or this, has it.
 * @returns the places of those that were set aside
 */
export async function setUnusedAside(tx: Transaction, services: Services, get: Get): Promise<readonly number[]> {
  const { service_provider_id, id, order_id } = get;
  const { rows } = await sql<{ id: string; place: number }>`select c.id, x.place from package_coupons x
    join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
    where x.service_provider_id = ${service_provider_id} and x.get_id = ${id} and c.state in ('SENDED', 'EXPIRED')
    order by c.id for no key update of c`.execute(tx);
  await moveCoupons(tx, services, get, rows, { to: "LOCKED", cause: "unpacked", order_id: order_id ?? "" });
  const places = rows.map(({ place }) => place);
  await sql`update package_coupons x set returned = true where x.service_provider_id = ${service_provider_id} and x.get_id = ${id}
    and x.place = any(${places}::int[])`.execute(tx);
  return places;
}
/** What was set aside is void, or free again where the money did not go back. */
export async function endSetAside(
  tx: Transaction,
  services: Services,
  get: Get,
  { back, refund_id }: { readonly back: boolean; readonly refund_id?: string },
): Promise<void> {
  const { service_provider_id, id } = get;
  const now = new Date(services.clock.now_ms()).toISOString();
  const { rows } = await sql<{ id: string; over: boolean }>`select c.id, c.valid_to <= ${now} as over from package_coupons x
    join coupons c on c.service_provider_id = x.service_provider_id and c.id = x.coupon_id
    where x.service_provider_id = ${service_provider_id} and x.get_id = ${id} and x.returned and c.state = 'LOCKED'
    order by c.id for no key update of c`.execute(tx);
  const why = { cause: "unpacked", ...(refund_id !== undefined && { refund_id }) } as const;
  if (back) return moveCoupons(tx, services, get, rows, { to: "DEACTIVATED", ...why });
  for (const over of [false, true])
    await moveCoupons(
      tx,
      services,
      get,
      rows.filter((row) => row.over === over),
      { to: over ? "EXPIRED" : "SENDED", ...why },
    );
  await sql`update package_coupons x set returned = false where x.service_provider_id = ${service_provider_id} and x.get_id = ${id}`.execute(
    tx,
  );
}

interface Due {
  readonly service_provider_id: string;
  readonly id: string;
  readonly order_id: string;
}
const NOT_BACK = sql`r.status in (3, 4, 5)`;
/** Each minute: packages whose refund failed, was refused or taken back. Their coupons are good again. */
export const followPackageRefunds = lookAfter<Due>({
  name: "follow-package-refunds",
  due: async (tx) =>
    (
      await sql<Due>`select g.service_provider_id, g.id, g.order_id from package_gets g
        join refunds r on r.service_provider_id = g.service_provider_id and r.id = g.refund_id where g.status = 3 and ${NOT_BACK} limit 500`.execute(
        tx,
      )
    ).rows,
  one: (services, { service_provider_id, id, order_id }) =>
    withScope(services.pool, platformScope("a package whose money does not go back"), async (tx) => {
      // The order first, as by its money: a success that comes right now waits.
      await sql`select 1 from pay_orders where service_provider_id = ${service_provider_id} and id = ${order_id} for update`.execute(tx);
      const { rows } =
        await sql<Get>`select ${GET} from package_gets g where g.service_provider_id = ${service_provider_id} and g.id = ${id} and g.status = 3
        and exists (select from refunds r where r.service_provider_id = g.service_provider_id and r.id = g.refund_id and ${NOT_BACK})
        for no key update of g`.execute(tx);
      if (!rows[0]) return;
      await endSetAside(tx, services, rows[0], { back: false });
      await sql`update package_gets g set status = 1, refund_cents = null where g.service_provider_id = ${service_provider_id} and g.id = ${id} and g.status = 3`.execute(
        tx,
      );
    }),
});
