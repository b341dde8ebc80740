import { sql } from "kysely";
import { conflict, invalid } from "@zhangfang/server/calls/errors.ts";
import { withScope } from "@zhangfang/server/database/db.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { hashPassword, verifyPassword } from "../../accounts/server/index.ts";
import { addMemberEvent } from "./events.ts";
import type { MemberRef } from "./member-facts.ts";

const WRONG_MOST = 5;
const LOCK_MS = 15 * 60_000;

/**
 * Gives a member a PIN. The hash is made outside of any transaction: it takes a core for a while. What was signed in or shown before is over.
 * @param pin and whether one that was checked ends with it
 * @returns the member's version by now
 * @throws 409 where another was set meanwhile
 */
export async function setPin(
  services: Services,
  member: MemberRef,
  { pin, instead }: { readonly pin: string; readonly instead: boolean },
  by_name: string,
): Promise<number> {
  const pin_hash = await hashPassword(pin);
  return withScope(services.pool, platformScope("set pin"), async (tx) => {
    const changed = await tx
      .updateTable("members")
      .set((column) => ({ pin_hash, pin_wrong: 0, pin_locked_until: null, code_version: column("code_version", "+", 1) }))
      .where("service_provider_id", "=", member.service_provider_id)
      .where("id", "=", member.id)
      .where("status", "in", [1, 2])
      .where("pin_hash", instead ? "is not" : "is", null)
      .returning("code_version")
      .executeTakeFirst();
    if (!changed) throw conflict("支付密码刚被改过，请重新打开");
    await addMemberEvent(tx, services, member, "pin-set", by_name);
    return changed.code_version;
  });
}

/**
 * Checks a PIN in transactions of its own, so that a wrong one counts whatever becomes of the caller's. Each try is counted before it is
 * looked at: however many come at once, five are looked at.
 * @throws 400 at `pin`
 */
export async function checkPin(services: Services, { service_provider_id, merchant_id, id }: MemberRef, pin: string): Promise<void> {
  const now = new Date(services.clock.now_ms()).toISOString();
  const own = platformScope("check pin");
  const tried = await withScope(services.pool, own, async (tx) => {
    const { rows } = await sql<{ pin_hash: string | null; pin_wrong: number; free: boolean }>`
      update members m set pin_wrong = case when m.pin_locked_until <= ${now}::timestamptz then 1 else m.pin_wrong + 1 end,
        pin_locked_until = case when m.pin_locked_until <= ${now}::timestamptz then null else m.pin_locked_until end
      where m.service_provider_id = ${service_provider_id} and m.id = ${id} and m.pin_wrong < 30000
      returning m.pin_hash, m.pin_wrong, m.pin_locked_until is null as free`.execute(tx);
    return rows[0];
  });
  if (!tried?.pin_hash) throw invalid("pin", "会员未设置支付密码，请用短信验证码");
  const locked = invalid("pin", "支付密码已锁定，请 15 分钟后再试");
  if (!tried.free) throw locked;
  if (tried.pin_wrong <= WRONG_MOST && (await verifyPassword(tried.pin_hash, pin))) {
    await withScope(services.pool, own, (tx) =>
      tx
        .updateTable("members")
        .set({ pin_wrong: 0 })
        .where("service_provider_id", "=", service_provider_id)
        .where("id", "=", id)
        .where("pin_locked_until", "is", null)
        .execute(),
    );
    return;
  }
  if (tried.pin_wrong < WRONG_MOST) throw invalid("pin", `支付密码错误，还可再试 ${WRONG_MOST - tried.pin_wrong} 次`);
  await withScope(services.pool, own, async (tx) => {
    await tx
      .updateTable("members")
      .set({ pin_locked_until: new Date(services.clock.now_ms() + LOCK_MS).toISOString() })
      .where("service_provider_id", "=", service_provider_id)
      .where("id", "=", id)
      .execute();
    await addMemberEvent(tx, services, { service_provider_id, merchant_id, id }, "pin-locked", "系统", "连续 5 次错误");
  });
  throw locked;
}
