import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { writeAudit } from "@zhangfang/server/calls/audit.ts";
import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
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
