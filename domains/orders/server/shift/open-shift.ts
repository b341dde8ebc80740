import { sql } from "kysely";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";

/** A store with the last handover of the chain that is asked for: the whole store's, or one cashier's. */
export interface OpenShift {
  readonly service_provider_id: string;
  readonly merchant_id: string;
  readonly store_id: string;
  readonly store_name: string;
  readonly last_id: string | null;
  readonly after_seq: number;
  readonly from_at: string | null;
}

/** Where the shift that runs began. @throws 404 where store or cashier are not in sight */
export async function openShift(
  { tx, scope }: Pick<Ctx, "tx" | "scope">,
  store_id: string,
  cashier_id: string | undefined,
): Promise<OpenShift> {
  const found = await sql<OpenShift>`
    select s.service_provider_id, s.merchant_id, s.id as store_id, s.short_name as store_name, h.id as last_id, coalesce(h.up_to_seq, 0) as after_seq, h.to_at as from_at
    from stores s left join lateral (
      select x.id, x.up_to_seq, x.to_at from handovers x where x.service_provider_id = s.service_provider_id and x.store_id = s.id and x.cashier_id is not distinct from ${cashier_id ?? null}
      order by x.after_seq desc limit 1) h on true
    where s.id = ${store_id} and ${inScope(scope, "s")}`.execute(tx);
  const shift = found.rows[0];
  if (!shift) throw notFound("门店");
  if (cashier_id !== undefined) {
    const cashier = await tx
      .selectFrom("cashiers")
      .select("id")
      .where("service_provider_id", "=", shift.service_provider_id)
      .where("store_id", "=", store_id)
      .where("id", "=", cashier_id)
      .executeTakeFirst();
    if (!cashier) throw notFound("收银员");
  }
  return shift;
}
