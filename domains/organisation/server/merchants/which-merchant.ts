import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope, type Scope } from "@zhangfang/server/database/scope.ts";

/** The merchant that a call is about: named by those above, their own for its people. @throws 400 unnamed, 404 not in sight */
export async function whichMerchant(tx: Transaction, scope: Scope, merchantId: string | undefined) {
  const id = merchantId ?? scope.merchant;
  if (id === undefined) throw invalid("merchantId", "请选择商户");
  const found = await tx
    .selectFrom("merchants as m")
    .select(["m.service_provider_id", "m.id", "m.short_name", "m.refund_approval_above_cents"])
    .where("m.id", "=", id)
    .where(inScope(scope, "m", scope.level === "MCH" ? "merchant" : "full"))
    .executeTakeFirst();
  if (!found) throw notFound("商户");
  return found;
}
