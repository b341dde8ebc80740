import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { notFound } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { accountLevel } from "../../../contract/levels.ts";
import { endSessions } from "../../session/end-sessions.ts";
import { checkItems } from "./add-position.ts";

/** Puts other items in a position of the root; whoever holds it signs in again. @throws 400 at `items`, 404 where it is not the root's */
export async function updatePosition(
  tx: Transaction,
  services: Services,
  rootUserId: string,
  positionId: string,
  items: readonly string[],
): Promise<void> {
  const root = await tx.selectFrom("users").select(["level", "granted"]).where("id", "=", rootUserId).executeTakeFirst();
  const level = accountLevel.values.find((value) => value === root?.level);
  if (!level) throw notFound("主账号");
  checkItems(level, root?.granted ?? null, items);
  mustChange(
    await tx
      .updateTable("positions")
      .set({ items: [...items] })
      .where("id", "=", positionId)
      .where("root_user_id", "=", rootUserId)
      .executeTakeFirst(),
    () => notFound("岗位"),
  );
  await endSessions(tx, services, { positionId }, "岗位变更");
}
