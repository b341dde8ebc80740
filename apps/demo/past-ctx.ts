import type { Endpoint } from "@zhangfang/contract/endpoint.ts";
import { writeAudit } from "@zhangfang/server/calls/audit.ts";
import type { Ctx, Principal } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { storeScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { DEMO_TRACE } from "./mark.ts";
import type { DemoStore } from "./tree/tree.ts";

/** What a handler would be given for a caller of this store, at the moment at which the services stand. */
export function pastCtx(services: Services, endpoint: Endpoint, store: DemoStore, caller: Pick<Principal, "kind" | "id" | "name">): Ctx {
  const now_ms = services.clock.now_ms();
  const scope = storeScope(store.serviceProviderId, store.merchantId, store.id);
  const ctx = {
    services,
    scope,
    now_ms,
    now: new Date(now_ms).toISOString(),
    principal: { ...caller, scope, holds: () => false },
    incoming: {
      verb: endpoint.verb,
      url: endpoint.path,
      params: {},
      query: {},
      body: {},
      rawBody: Buffer.alloc(0),
      headers: {},
      ip: "127.0.0.1",
      host: "demo",
      traceId: DEMO_TRACE,
    },
    audit: (tx: Transaction, note: Parameters<Ctx["audit"]>[1]) => writeAudit(tx, ctx, endpoint, note),
  } as unknown as Ctx;
  return ctx;
}
