import type { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { forbidden, invalid } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { openStore, type newStoreFacts } from "../../contract/index.ts";
import { addStore } from "./add-store.ts";

/** 新建门店. */
export const openStoreRoute = implement(openStore, async (ctx, { requestId: _key, merchantId, ...given }) => {
  const merchant = await merchantForStores(ctx, ctx.tx, merchantId);
  const { told, ...made } = await makeStore(ctx, ctx.tx, merchant, given);
  ctx.note(told);
  return made;
});

/** The merchant that somebody adds stores to, open and in sight. @throws 400 at `merchantId`, 403 for whoever sees a part of its stores */
export async function merchantForStores({ scope }: Pick<Ctx, "scope">, tx: Transaction, merchantId: string | undefined) {
  if (scope.stores !== undefined || scope.level === "AE") throw forbidden();
  const id = merchantId ?? scope.merchant;
  if (id === undefined) throw invalid("merchantId", "请选择商户");
  const merchant = await tx
    .selectFrom("merchants as m")
    .select(["m.service_provider_id", "m.id", "m.state"])
    .where("m.id", "=", id)
    .where(inScope(scope, "m", scope.level === "MCH" ? "merchant" : "full"))
    .executeTakeFirst();
  if (merchant?.state !== "active") throw invalid("merchantId", "商户不存在或已停用");
  return merchant;
}

/**
 * Makes one store of a merchant that was found before; for a list of them the caller makes as many in one transaction.
 * @returns its id and number, and the audit note for whoever writes it
 * @throws 400 at a wrong field, at `number` where the number is taken
 */
export async function makeStore(
  { services }: Pick<Ctx, "services">,
  tx: Transaction,
  merchant: { readonly service_provider_id: string; readonly id: string },
  given: z.output<typeof newStoreFacts>,
) {
  const provider = merchant.service_provider_id;
  const id = await addStore(tx, services, { ...given, serviceProviderId: provider, merchantId: merchant.id });
  const { number } = await tx
    .selectFrom("stores")
    .select("number")
    .where("service_provider_id", "=", provider)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const { phone: _phone, ...told } = given;
  return { id, number, told: { targetKind: "store", targetId: id, after: { ...told, number }, provider, merchant: merchant.id } };
}
