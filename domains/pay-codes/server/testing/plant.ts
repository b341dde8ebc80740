import type { MerchantKey } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A store's pay code: `code` is what stands in its address. */
export interface PayCodeFact {
  readonly id: string;
  readonly code: string;
  readonly storeId: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
/** Has some merchants look at the codes of all their stores. */
async function openPayCodes({ till: { tree }, send }: Soil): Promise<PayCodeFact[]> {
  const made: PayCodeFact[] = [];
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const stores = tree.merchants[merchant].stores.map(({ id }) => id);
    const { body } = await send(merchant, { verb: "POST", path: "/api/pay-codes/open", body: { storeIds: stores } });
    for (const { id, url, storeId } of (body as { items: { id: string; url: string; storeId: string }[] }).items)
      made.push({ id, code: url.split("/").at(-1)!, storeId, merchant, store: stores.indexOf(storeId) });
  }
  return made;
}

/** A cashier's own pay code. */
export interface CashierCodeFact {
  readonly id: string;
  readonly cashierId: string;
  readonly merchant: MerchantKey;
  readonly store: number;
}
/** Has some merchants look at the code of the first cashier of each store. */
async function openCashierCodes({ till: { tree }, send }: Soil): Promise<CashierCodeFact[]> {
  const made: CashierCodeFact[] = [];
  for (const merchant of ["mch01", "mch02", "mch03"] as const) {
    const cashiers = tree.merchants[merchant].stores.map((store) => store.cashiers[0]!.id);
    const { body } = await send(merchant, { verb: "POST", path: "/api/pay-codes/cashiers/open", body: { cashierIds: cashiers } });
    for (const { id, cashierId } of (body as { items: { id: string; cashierId: string }[] }).items)
      made.push({ id, cashierId, merchant, store: cashiers.indexOf(cashierId) });
  }
  return made;
}
export const payCodeFacts = plant(openPayCodes);
export const cashierCodeFacts = plant(openCashierCodes);
