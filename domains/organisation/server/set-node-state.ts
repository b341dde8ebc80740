import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { endSessions, type TreeNode } from "../../accounts/server/index.ts";

type Kind = Exclude<TreeNode["kind"], "store" | "area">;
const TABLE = {
  provider: "service_providers",
  agent: "agents",
  group: "business_groups",
  team: "business_teams",
  salesman: "salesmen",
  merchant: "merchants",
} as const satisfies Record<Kind, string>;

/**
 * Opens or closes a node. Closing ends the sessions of its whole subtree in the same transaction, and nobody below signs in
 * until it is opened again; a merchant's devices are refused as well.
 * @returns how many sessions were ended
 * @throws 409 where it is in that state already or not in sight
 */
export async function setNodeState(
  tx: Transaction,
  services: Services,
  node: TreeNode & { kind: Kind },
  state: "active" | "disabled",
): Promise<number> {
  mustChange(
    await tx
      // writes: service_providers, agents, business_groups, business_teams, salesmen, merchants
      .updateTable(TABLE[node.kind])
      .set({ state })
      .where("service_provider_id", "=", node.serviceProviderId)
      .where("id", "=", node.id)
      .where("state", "<>", state)
      .executeTakeFirst(),
    () => conflict(state === "active" ? "已是启用状态" : "已是停用状态"),
  );
  return state === "disabled" ? endSessions(tx, services, { subtree: node }, "机构停用") : 0;
}
