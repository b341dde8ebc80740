import { sql, type RawBuilder } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { foundBy } from "@zhangfang/server/lists/found-by.ts";
import { firstFence, inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** The first fence of providers: each level reads its own. `p` is the alias. */
export function providersInScope(scope: Scope): RawBuilder<boolean> {
  if (!firstFence.on || scope.level === "PLATFORM" || scope.level === "ADMIN") return sql<boolean>`true`;
  return sql<boolean>`p.id = ${scope.provider ?? null}`;
}
/** The first fence of merchants: attribution is their own, and stores they have none to be narrowed by. `m` is the alias. */
export const merchantsInScope = (scope: Scope): RawBuilder<boolean> =>
  inScope(scope, "m", scope.level === "MCH" || scope.level === "AE" ? "merchant" : "full");
/** The merchants `m` that a keyword means. */
export const merchantsFoundBy = (tx: Transaction, keyword: string): Promise<RawBuilder<boolean>> =>
  foundBy(tx, keyword, { alias: "m", table: "merchant_search", id: "merchant_id", phone: "contact_phone" });
