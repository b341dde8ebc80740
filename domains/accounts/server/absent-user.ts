import { sql } from "kysely";
import type { Principal } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { parseScope } from "@zhangfang/server/database/scope.ts";
import { heldPaths, type Holder } from "../contract/index.ts";

/**
 * Somebody for whom a job works while they are not there, with what they may see and do as of now.
 * @returns undefined where the account or a node above it is closed
 */
export async function absentUser(tx: Transaction, userId: string): Promise<Principal | undefined> {
  const { rows } = await sql<Holder & { scope: string; login: string }>`
    select app.scope_of(u) as scope, u.login, u.level, u.login = u.root_login as root, p.items as position, app.granted_of(u) as granted
    from users u left join positions p on p.id = u.position_id
    where u.id = ${userId} and app.hold_account(u.id)`.execute(tx);
  const row = rows[0];
  if (!row) return undefined;
  const held = heldPaths(row);
  return {
    kind: "user",
    id: userId,
    name: row.login,
    scope: parseScope(row.scope),
    holds: (items) => items.some((item) => held.has(item)),
  };
}
