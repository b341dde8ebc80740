import { sql } from "kysely";
import type { Access, ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Transaction } from "@zhangfang/server/db.ts";
import { heldPaths, type Holder } from "../../accounts/contract/index.ts";

/** Somebody whose export is written while they are not there. */
export interface Maker {
  /** What they may see now, as text. */
  readonly scope: string;
  holds(items: readonly ItemPath[]): boolean;
}

/** The rights of a user as of now; undefined where the account or a node above it is closed. */
export async function makerOf(tx: Transaction, userId: string): Promise<Maker | undefined> {
  const { rows } = await sql<Holder & { scope: string }>`
    select app.scope_of(u) as scope, u.level, u.login = u.root_login as root, p.items as position, app.granted_of(u) as granted
    from users u left join positions p on p.id = u.position_id
    where u.id = ${userId} and app.hold_account(u.id)`.execute(tx);
  const row = rows[0];
  if (!row) return undefined;
  const held = heldPaths(row);
  return { scope: row.scope, holds: (items) => items.some((item) => held.has(item)) };
}

/** Whether somebody may export a list: they need an item that opens it, as its own screen asks for. */
export function mayExport(who: { holds(items: readonly ItemPath[]): boolean }, access: Access): boolean {
  if (access === "signed-in") return true;
  if (access === "public" || access === "device" || access === "channel") return false;
  return who.holds([access].flat() as ItemPath[]);
}
