import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { z } from "zod";
import { newCashier } from "../contract.ts";

/** Adds a cashier of a store. @returns its id @throws 400 at a wrong field, also where the merchant has the code already */
export async function addCashier(tx: Transaction, services: Services, given: z.input<typeof newCashier>): Promise<string> {
  const cashier = checkGiven(newCashier, given);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const added = await tx
    .insertInto("cashiers")
    .values({
      service_provider_id: cashier.serviceProviderId,
      id,
      merchant_id: cashier.merchantId,
      store_id: cashier.storeId,
      ...factsOf(cashier),
      created_at: new Date(now_ms).toISOString(),
    })
    .onConflict((twice) => twice.columns(["service_provider_id", "merchant_id", "code"]).doNothing())
    .executeTakeFirst();
  if (added.numInsertedOrUpdatedRows !== 1n) throw codeTaken(cashier.code);
  return id;
}
/** Said where another cashier of the merchant has the code, perhaps out of the caller's sight. */
export const codeTaken = (code: string) => invalid("code", `收银员编号 ${code} 在本商户已使用`);

type Facts = Pick<
  z.output<typeof newCashier>,
  "code" | "name" | "shift" | "payMostCents" | "offMostCents" | "refundMostCents" | "refundDayCents"
>;
/** The columns of what a form says. */
export const factsOf = ({ code, name, shift, payMostCents, offMostCents, refundMostCents, refundDayCents }: Facts) => ({
  code,
  name,
  shift,
  pay_most_cents: payMostCents,
  off_most_cents: offMostCents,
  refund_most_cents: refundMostCents,
  refund_day_cents: refundDayCents,
});
