import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid } from "@zhangfang/server/calls/errors.ts";
import type { Actor } from "./account-rules.ts";

/** @throws 400 where a sub-account would see a store that its maker does not see; of another merchant the database refuses them */
export async function checkStores(
  tx: Transaction,
  actor: Actor,
  { storeIds, areaIds }: { storeIds: readonly string[]; areaIds: readonly string[] },
): Promise<void> {
  const { stores, provider } = actor;
  if (stores === undefined) return;
  if (storeIds.length === 0 && areaIds.length === 0) throw invalid("storeIds", "请选择门店，不能超出自己的范围");
  if (storeIds.some((id) => !stores.includes(id))) throw invalid("storeIds", "不能选择自己范围以外的门店");
  if (areaIds.length === 0) return;
  const inside = await tx
    .selectFrom("area_stores")
    .select("store_id")
    .where("service_provider_id", "=", provider!)
    .where("area_id", "in", [...areaIds])
    .execute();
  if (inside.some(({ store_id }) => !stores.includes(store_id))) throw invalid("areaIds", "不能选择自己范围以外的区域");
}
