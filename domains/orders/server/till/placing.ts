import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { writeAudit } from "@zhangfang/server/calls/audit.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
import type { Customer, Line, Wished } from "../../../pricing/server/index.ts";
import type { OrderRow } from "../rows.ts";
import type { TillStore } from "./till-order.ts";

/** Who places an order, and in whose sight. */
export type Placing = Pick<Ctx, "services" | "scope" | "now" | "now_ms" | "principal" | "incoming" | "transaction" | "audit">;

/** Whoever pays at a store without a session or a device: they see that store, and are called what `name` says. */
export function placingAt(ctx: Ctx, endpoint: Endpoint, store: TillStore, name: string): Placing {
  const { services, now, now_ms, incoming } = ctx;
  const scope = storeScope(store.service_provider_id, store.merchant_id, store.store_id);
  const placing: Placing = {
    services,
    now,
    now_ms,
    incoming,
    scope,
    principal: { kind: "nobody", id: "", name, scope, holds: () => false },
    transaction: (fn, options) => withScope(services.pool, scope, fn, options ?? {}),
    audit: (tx, note) => writeAudit(tx, placing as Ctx, endpoint, note),
  };
  return placing;
}

/** What else an order may come with. */
export interface Beside {
  /** What it was asked with besides a till's body: the same number with something else is another order, and refused. */
  readonly asked: object;
  readonly lifetime_ms?: number;
  /** What is sold beforehand, where it is not goods (`pay_orders.purpose`): its room gives it back and nobody else. */
  readonly purpose?: 1 | 2 | 3 | 4;
  /** Goods are set aside for it and sent (`pay_orders.goods`). */
  readonly goods?: true;
  /** Whose it is, where nobody stands at a till with a ticket. */
  readonly memberId?: string;
  /** Who orders, proved by a session of their own instead of a ticket: the quote is theirs, and they spend what it says. */
  readonly customer?: Customer;
  /** Lines of a member's order that nobody quoted, and what is wished: priced as it is placed. */
  readonly price?: Wished & { readonly lines: readonly Line[] };
  /** Where the price leaves no money to pay: paid at once whatever way was meant, or refused, for somebody else was to pay it. */
  readonly free?: "settle" | "refuse";
  /** Writes what belongs to the new order, in its own transaction. */
  readonly write: (tx: Transaction, order: OrderRow) => Promise<void>;
}
