import { MERCHANT_KEYS, type MerchantKey, MERCHANTS } from "../../../../apps/server/testing/matrix/people.ts";
import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** A store of another platform. */
export interface OtherStoreFact {
  readonly id: string;
  readonly merchant: MerchantKey;
  readonly merchantId: string;
}
/** A store of another platform for each merchant, mapped to its first own one. */
async function saveOtherStores({ till: { tree }, send }: Soil): Promise<readonly OtherStoreFact[]> {
  const saved = [];
  for (const merchant of MERCHANT_KEYS) {
    const merchantId = tree.merchants[merchant].id;
    const body = {
      merchantId,
      platform: "dy",
      platformStoreId: `dy-${merchant}`,
      name: "抖音店",
      storeId: tree.merchants[merchant].stores[0]!.id,
    };
    const answer = await send(MERCHANTS[merchant].provider, { verb: "POST", path: "/sfpfacadeservicepc/api/other_store/save", body });
    saved.push({ id: (answer.body as { id: string }).id, merchant, merchantId });
  }
  return saved;
}
export const otherStores = plant(saveOtherStores);

/** An area that can be taken away: no manager sees the store by it. */
async function addFreeArea({ till: { tree }, services, send }: Soil): Promise<string> {
  const body = {
    requestId: services.ids.uuid(services.clock.now_ms()),
    name: "城西区",
    storeIds: [tree.merchants.mch01.stores.at(-1)!.id],
  };
  const answer = await send("mch01", { verb: "POST", path: "/api/stores/areas/add", body });
  return (answer.body as { id: string }).id;
}
/** An area of mch01's last store that nobody manages. */
export const freeArea = plant(addFreeArea);
