import { z } from "zod";
import type { ItemPath } from "@zhangfang/contract/endpoint.ts";
import type { Principal } from "@zhangfang/server/calls/call.ts";
import { sha256 } from "@zhangfang/server/crypto.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { parseScope, platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { accountLevel, role } from "../../contract/levels.ts";
import { heldPaths, type Holder } from "../../contract/menu.ts";

const TOUCH_MS = 60_000;
const sessionRow = z.object({
  session_id: z.string(),
  user_id: z.string(),
  actor_user_id: z.string().nullable(),
  login: z.string(),
  root_login: z.string(),
  first_name: z.string(),
  avatar: z.string().nullable(),
  level: z.enum(accountLevel.values as ["ADMIN"]).transform((level): (typeof accountLevel.values)[number] => level),
  role: z.enum(role.values as ["ROLE_ADMIN"]).transform((name): (typeof role.values)[number] => name),
  position_items: z.array(z.string()).nullable(),
  root_items: z.array(z.string()).nullable(),
  may_write: z.boolean(),
  scope: z.string(),
  seen_at: z.string(),
  expires_at: z.string(),
  actor_login: z.string().nullable(),
});
export type Session = z.output<typeof sessionRow>;

/** The select that opens the session of a token and sets its scope (app.open_session); undefined where it can't be one of ours. */
export function sessionSql(token: string, now_ms: number): string | undefined {
  if (!/^[\w-]{43}$/.test(token)) return undefined;
  return `select * from app.open_session(${hashOf(token)}, '${new Date(now_ms).toISOString()}')`;
}
const hashOf = (token: string) => `'\\x${sha256(token).toString("hex")}'::bytea`;

/** For a service with standbys: the transaction that wrote last in a session's name, as it is read, and as a transaction leaves it. */
export const sessionWrites = {
  read: (token: string) => `select wrote from sessions where token_hash = ${hashOf(token)}`,
  /** Where it wrote nothing it leaves nothing; another of the same session is waited for as long as any statement may take. */
  leave: (token: string) =>
    `set local lock_timeout = 0; update sessions set wrote = pg_current_xact_id_if_assigned() where token_hash = ${hashOf(token)} and pg_current_xact_id_if_assigned() is not null`,
};

/** Who a session's row stands for, and what it holds at this moment. */
export function readSession(row: Readonly<Record<string, unknown>>, services: Services): Principal {
  const session = row as unknown as Session;
  touch(session, services);
  let held: ReadonlySet<ItemPath> | undefined;
  return {
    kind: "user",
    id: session.user_id,
    name: session.login,
    scope: parseScope(session.scope),
    session: row,
    ...(session.actor_user_id !== null && { actorId: session.actor_user_id, readOnly: !session.may_write }),
    holds: (items) => items.some((item) => (held ??= heldPaths(holderOf(session))).has(item)),
  };
}
/** The session behind a principal. @throws where a device or nobody calls */
export function sessionOf(principal: Principal): Session {
  return sessionRow.parse(principal.session);
}
export const isRoot = (session: Pick<Session, "login" | "root_login">): boolean => session.login === session.root_login;
export const holderOf = (session: Session): Holder => ({
  level: session.level,
  root: isRoot(session),
  position: session.position_items,
  granted: session.root_items,
});

// At most once a minute, beside the request: a list must not wait for a write, and a read-only transaction can't do one.
const touching = new Set<string>();
function touch(session: Session, services: Services): void {
  const now_ms = services.clock.now_ms();
  if (now_ms - Date.parse(session.seen_at) < TOUCH_MS || touching.has(session.session_id)) return;
  touching.add(session.session_id);
  const now = new Date(now_ms).toISOString();
  void withScope(services.pool, platformScope("session seen"), (tx) =>
    tx.updateTable("sessions").set({ seen_at: now }).where("id", "=", session.session_id).where("seen_at", "<", now).execute(),
  )
    .catch((error: unknown) => services.log.warn({ err: error }, "session not marked as seen"))
    .finally(() => touching.delete(session.session_id));
}
