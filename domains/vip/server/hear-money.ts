import { asPlatform, type Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Settlement } from "../../orders/server/index.ts";
import { followLevelJob } from "./levels/follow-level.ts";
import { hearOfTerm } from "./terms/hear-term.ts";
import { hearOfCard } from "./times/hear-card.ts";

/**
 * What an order's money means here, in its own transaction: a term or a times card begins or goes back; of what members buy the level is
 * reckoned anew right after. Whoever brought the news, in whatever sight, it is the same.
 */
export const hearMoney = (tx: Transaction, services: Services, settlement: Settlement): Promise<void> =>
  asPlatform(tx, async () => {
    const { service_provider_id, id } = settlement.order;
    const order = await tx
      .selectFrom("pay_orders")
      .select(["service_provider_id", "id", "merchant_id", "store_id", "member_id", "purpose", "paid_at"])
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const { member_id, merchant_id, purpose } = order;
    if (member_id === null) return;
    if (purpose === 2) await hearOfTerm(tx, services, settlement, { ...order, member_id });
    if (purpose === 3) await hearOfCard(tx, services, settlement, { ...order, member_id });
    if (purpose === 0 && settlement.kind !== "closed")
      await services.jobs.enqueue(tx, followLevelJob, { service_provider_id, merchant_id, member_id });
  });
