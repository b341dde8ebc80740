import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { endSessions } from "../../../accounts/server/index.ts";

/**
 * Opens or closes a store. Closing ends the sessions of its employees and area managers, and its devices are refused.
 * @returns how many sessions were ended
 * @throws 409 where it is in that state already or not in sight
 */
export async function setStoreState(
  tx: Transaction,
  services: Services,
  store: { serviceProviderId: string; id: string },
  state: "active" | "disabled",
): Promise<number> {
  mustChange(
    await tx
      .updateTable("stores")
      .set({ state })
      .where("service_provider_id", "=", store.serviceProviderId)
      .where("id", "=", store.id)
      .where("state", "<>", state)
      .executeTakeFirst(),
    () => conflict(state === "active" ? "门店已是启用状态" : "门店已是停用状态"),
  );
  return state === "disabled" ? endSessions(tx, services, { subtree: { kind: "store", ...store } }, "门店停用") : 0;
}
