import { inSavepoint, type Transaction } from "@zhangfang/server/database/db.ts";
import { isRetryable } from "@zhangfang/server/calls/errors.ts";
import { NotYourTurn } from "@zhangfang/server/database/turns.ts";
import { tiedTo } from "@zhangfang/server/calls/domain.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { OrderRow } from "../rows.ts";

/** Money that has just come in or gone back; or an order that was closed and brings none. What the order tells saves each hearer a look. */
export interface Settlement {
  readonly kind: "payment" | "refund" | "closed";
  readonly order: Pick<
    OrderRow,
    "service_provider_id" | "id" | "merchant_id" | "store_id" | "member_id" | "payer" | "purpose" | "priced" | "goods"
  >;
  readonly refundId?: string;
}
/**
 * Does its part in the settlement's own transaction: a row and a job, never a call to the outside. What it throws undoes its part
 * alone: the money is settled, and it is told again.
 */
export type SettlementHearer = (tx: Transaction, services: Services, settlement: Settlement) => Promise<void>;

declare module "@zhangfang/server/calls/domain.ts" {
  interface Domain {
    /** Who only follows the money of orders, by a name that stays: `unheard` keeps it. */
    readonly hearers?: Readonly<Record<string, SettlementHearer>>;
  }
}

/** How long until a hearer that threw is told again the first time. */
export const AGAIN_MS = 60_000;

/** Two that waited for each other, or a job whose turn it is not: nobody failed, and all of it is done again. */
export const nobodyFailed = (error: unknown): boolean => isRetryable(error) || error instanceof NotYourTurn;

/** Hearers by name, those of lower floors first. */
export const hearersOf = (services: Services): ReadonlyMap<string, SettlementHearer> =>
  new Map(tiedTo(services).flatMap(({ hearers = {} }) => Object.entries(hearers)));

/**
 * Tells every hearer. All of them in one savepoint, which is one round trip there and back for a payment; where one throws, each again
 * in a savepoint of its own. Whoever has not heard of the order's earlier money yet is told after that; of an order that stood open
 * nobody was told anything.
 * @param settlement its order as it was before the news
 */
export async function tellSettlement(
  tx: Transaction,
  services: Services,
  settlement: Settlement & { readonly order: Pick<OrderRow, "status"> },
): Promise<void> {
  const hearers = hearersOf(services);
  if (hearers.size === 0) return;
  const { id } = settlement.order;
  const behind = settlement.order.status === 0 ? new Set<string>() : await thoseBehind(tx, settlement.order);
  for (const hearer of hearers.keys()) if (behind.has(hearer)) await keep(tx, services, hearer, settlement, "waits for what came before");
  const ready = [...hearers].filter(([hearer]) => !behind.has(hearer));
  const tell = async (some: typeof ready) => {
    for (const [, hear] of some) await hear(tx, services, settlement);
  };
  const all = await inSavepoint(tx, () => tell(ready)).then(
    () => true,
    (error: unknown) => {
      if (nobodyFailed(error)) throw error;
      return false;
    },
  );
  if (all) return;
  for (const one of ready)
    await inSavepoint(tx, () => tell([one])).catch(async (error: unknown) => {
      if (nobodyFailed(error)) throw error;
      const [hearer] = one;
      services.log.error({ err: error, hearer, order: id }, "a hearer failed; the money is settled, and it will be told again");
      services.metrics.hearings.inc({ hearer, outcome: "failed" });
      await keep(tx, services, hearer, settlement, String(error));
    });
}

/** Who has not heard yet of what came before. */
async function thoseBehind(tx: Transaction, { service_provider_id, id }: Settlement["order"]): Promise<ReadonlySet<string>> {
  const waiting = await tx
    .selectFrom("unheard")
    .select("hearer")
    .where("service_provider_id", "=", service_provider_id)
    .where("order_id", "=", id)
    .execute();
  return new Set(waiting.map(({ hearer }) => hearer));
}

async function keep(tx: Transaction, services: Services, hearer: string, settlement: Settlement, failure: string): Promise<void> {
  const { kind, order, refundId } = settlement;
  const { service_provider_id, merchant_id, store_id, id: order_id } = order;
  const now_ms = services.clock.now_ms();
  await tx
    .insertInto("unheard")
    .values({
      service_provider_id,
      merchant_id,
      store_id,
      order_id,
      hearer,
      kind,
      refund_id: refundId ?? null,
      failure: failure.slice(0, 500),
      next_at: new Date(now_ms + AGAIN_MS).toISOString(),
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
}
