import { sql } from "kysely";
import { newToken, sha256 } from "@zhangfang/server/crypto.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { Refusal, unauthorized } from "@zhangfang/server/calls/errors.ts";
import type { Services } from "@zhangfang/server/services.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** How long a session lives unused, and at most (reliability 2.1). One that acts for somebody is not renewed. */
const SESSION_LIMITS = {
  normal: { idle_ms: 30 * MINUTE_MS, life_ms: 12 * 60 * MINUTE_MS },
  remembered: { idle_ms: 7 * DAY_MS, life_ms: 30 * DAY_MS },
  acting: { idle_ms: 30 * MINUTE_MS, life_ms: 30 * MINUTE_MS },
} as const;

export interface SessionStart {
  readonly userId: string;
  readonly limits: keyof typeof SESSION_LIMITS;
  /** Who really acts. */
  readonly actorId?: string | undefined;
  /** The session that it is made from, where it acts for somebody: the two end together. */
  readonly madeBy?: string | undefined;
  readonly ip: string;
  /** What the browser calls itself. */
  readonly device?: string | undefined;
}

/**
 * Starts a session in the caller's transaction. Of the token only the SHA-256 is kept.
 * The account, whoever acts for it and every node above them are held open until the commit, so that a disabling that runs at the
 * same time finds the session.
 * @returns the token @throws 401 where the account or a node above it is disabled
 */
export async function startSession(tx: Transaction, services: Services, start: SessionStart): Promise<string> {
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  // Written before the row is held for sharing: two who share it and then both write would wait for one another.
  if (start.actorId === undefined) await tx.updateTable("users").set({ last_login_at: now }).where("id", "=", start.userId).execute();
  const held = await sql<{
    open: boolean;
  }>`select app.hold_account(${start.userId}) and (${start.actorId ?? null}::uuid is null or app.hold_account(${start.actorId ?? null})) as open`.execute(
    tx,
  );
  if (held.rows[0]?.open !== true) throw new Refusal(401, "login.failed", "账号已停用或不存在");
  // Held open too: a logout at the same time finds what it made, or nothing is made.
  if (start.madeBy !== undefined) {
    const maker = tx.selectFrom("sessions").select("id").where("id", "=", start.madeBy).where("ended_at", "is", null);
    if (!(await maker.forShare().executeTakeFirst())) throw unauthorized();
  }
  const { idle_ms, life_ms } = SESSION_LIMITS[start.limits];
  const token = newToken();
  await tx
    .insertInto("sessions")
    .values({
      token_hash: sha256(token),
      id: services.ids.uuid(now_ms),
      user_id: start.userId,
      actor_user_id: start.actorId ?? null,
      made_by: start.madeBy ?? null,
      remember: start.limits === "remembered",
      created_at: now,
      seen_at: now,
      idle_ms,
      expires_at: new Date(now_ms + life_ms).toISOString(),
      ip: start.ip,
      device: start.device?.slice(0, 200) ?? null,
    })
    .execute();
  return token;
}
