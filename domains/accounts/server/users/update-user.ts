import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { endSessions } from "../session/end-sessions.ts";
import { setUserStores } from "./add-user.ts";

/** What of a sub-account may change; absent fields stay. */
export interface UserChange {
  readonly firstName?: string;
  /** Another position of the same root, or none. */
  readonly positionId?: string | null;
  /** The stores of an employee, or those that a merchant's sub-account is narrowed to (none: all of them). */
  readonly storeIds?: readonly string[];
  /** The areas of an area manager. Stores and areas change places when somebody becomes the one or the other. */
  readonly areaIds?: readonly string[];
}

/**
 * Changes an account's position, role or stores. Who may do it to whom is the caller's to check; a right that changes ends the sessions.
 * @throws 404 where there is no such account in sight
 */
export async function updateUser(tx: Transaction, services: Services, id: string, change: UserChange): Promise<void> {
  const user = await tx
    .selectFrom("users")
    .select(["id", "level", "service_provider_id", "merchant_id"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!user) throw notFound("账号");
  const moves = change.storeIds !== undefined || change.areaIds !== undefined;
  const storeIds = change.storeIds ?? [];
  const areaIds = change.areaIds ?? [];
  const values = {
    ...(change.firstName !== undefined && { first_name: change.firstName }),
    ...(change.positionId !== undefined && { position_id: change.positionId }),
    ...(moves && user.level === "AE" && { role: areaIds.length > 0 ? "ROLE_Area" : "ROLE_Employee" }),
    ...(moves && user.level === "MCH" && { narrowed: storeIds.length > 0 }),
  };
  if (Object.keys(values).length > 0)
    mustChange(await tx.updateTable("users").set(values).where("id", "=", id).executeTakeFirst(), () => notFound("账号"));
  if (moves) {
    if (user.service_provider_id === null || user.merchant_id === null) throw notFound("门店");
    await setUserStores(tx, { id, service_provider_id: user.service_provider_id, merchant_id: user.merchant_id }, storeIds, areaIds);
  }
  if (moves || change.positionId !== undefined) await endSessions(tx, services, { userIds: [id] }, "权限变更");
}
