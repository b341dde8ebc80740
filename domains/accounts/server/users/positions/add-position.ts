import type { z } from "zod";
import { checkGiven } from "@zhangfang/server/calls/edge.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { accountLevel, levelsWithStaff, type Level } from "../../../contract/levels.ts";
import { heldItems, type MenuItem } from "../../../contract/menu.ts";
import { newPosition } from "../../../contract/users.ts";

/**
 * Adds a position (岗位) of a root account: a named set of items out of what the root itself holds.
 * @returns its id
 * @throws 400 at `items` where one is not held or is for roots alone, 404 where the account is no root that has staff
 */
export async function addPosition(
  tx: Transaction,
  services: Services,
  rootUserId: string,
  given: z.input<typeof newPosition>,
): Promise<string> {
  const position = checkGiven(newPosition, given);
  const root = await tx
    .selectFrom("users")
    .select(["login", "root_login", "level", "granted"])
    .where("id", "=", rootUserId)
    .executeTakeFirst();
  const level = accountLevel.values.find((value) => value === root?.level);
  if (!root || !level || root.login !== root.root_login || !levelsWithStaff.includes(level)) throw notFound("主账号");
  checkItems(level, root.granted, position.items);
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  await tx
    .insertInto("positions")
    .values({
      id,
      root_user_id: rootUserId,
      root_login: root.login,
      name: position.name,
      items: position.items,
      created_at: new Date(now_ms).toISOString(),
    })
    .execute();
  return id;
}

/** What a root may give away: what it holds itself now, but for what only roots hold. */
export const givenAway = (level: Level, granted: readonly string[] | null): MenuItem[] =>
  heldItems({ level, root: true, position: null, granted }).filter((item) => !item.rootOnly);
/** @throws 400 where an item is not the root's to give */
export function checkItems(level: Level, granted: readonly string[] | null, items: readonly string[]): void {
  const grantable = new Set(givenAway(level, granted).flatMap((item) => (item.parentId === 0 ? [] : [item.path])));
  if (items.some((item) => !grantable.has(item))) throw invalid("items", "只能选择自己持有的权限");
}
