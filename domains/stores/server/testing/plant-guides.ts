import { plant, type Soil } from "../../../../apps/server/testing/world.ts";

/** Somebody of the staff in a store of each of two trees, whom no channel knows yet. */
async function addGuides({ till: { tree, owner } }: Soil) {
  const made = [];
  for (const merchant of ["mch01", "mch02"] as const) {
    const own = tree.merchants[merchant];
    const storeId = own.stores[0]!.id;
    const [row] = await owner<{ id: string }>(
      `insert into guides (service_provider_id, id, merchant_id, store_id, code, name, phone_sealed, phone_tail, corp_id, wecom_user_id, qr_code,
        avatar, status, created_at, updated_at)
      values ($1, gen_random_uuid(), $2, $3, 'G1', '文新', '', '5678', 'ww01', 'wenxin', 'https://a.cn', 'https://a.cn', 'failed', now(), now()) returning id`,
      [own.serviceProviderId, own.id, storeId],
    );
    made.push({ id: row!.id, merchant, store: 0, storeId });
  }
  return made;
}
export const guideFacts = plant(addGuides);
