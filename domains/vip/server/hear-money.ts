import { asPlatform, withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { OrderFollower, Settlement } from "../../orders/server/index.ts";
import { followLevel } from "./levels/follow-level.ts";
import { hearOfTerm } from "./terms/hear-term.ts";
import { hearOfCard } from "./times/hear-card.ts";

const orderOf = (tx: Transaction, { service_provider_id, id }: { readonly service_provider_id: string; readonly id: string }) =>
  tx
    .selectFrom("pay_orders")
    .select(["service_provider_id", "id", "merchant_id", "store_id", "member_id", "purpose", "paid_at"])
    .where("service_provider_id", "=", service_provider_id)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

/**
 * What the money of a term's or times card's order means, in its own transaction: it begins or goes back. Whoever brought the news, in
 * whatever sight, it is the same.
 */
export async function hearMoney(tx: Transaction, services: Services, settlement: Settlement): Promise<void> {
  const { member_id, purpose } = settlement.order;
  if (member_id === null || (purpose !== 2 && purpose !== 3)) return;
  await asPlatform(tx, async () => {
    const sold = { ...(await orderOf(tx, settlement.order)), member_id };
    await (purpose === 2 ? hearOfTerm : hearOfCard)(tx, services, settlement, sold);
  });
}

/** Of what members buy, the level is reckoned anew right after. */
export const followOrder: OrderFollower = (services, ref) =>
  withScope(services.pool, platformScope("follow level"), async (tx) => {
    const { service_provider_id, merchant_id, member_id, purpose } = await orderOf(tx, ref);
    if (member_id !== null && purpose === 0) await followLevel(tx, services, { service_provider_id, merchant_id, member_id });
  });
