import { sql } from "kysely";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { totpStep } from "./check-totp.ts";
import { recoveryHash } from "./recovery-codes.ts";
import { openTotp } from "./totp-secret.ts";

interface Guarded {
  readonly id: string;
  readonly totp_sealed: string;
  readonly totp_step: number | null;
}

/**
 * Takes a code of the app or a recovery code, each of which opens once: the guard stands in the write, whoever comes second.
 * @returns whether it was one
 */
export async function spendCode(
  tx: Transaction,
  services: Services,
  { id, totp_sealed, totp_step }: Guarded,
  code: string,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) {
    const hash = recoveryHash(code);
    const spent = await tx
      .updateTable("users")
      .set({ recovery_hashes: sql`array_remove(recovery_hashes, ${hash})` })
      .where("id", "=", id)
      .where(sql<boolean>`${hash} = any(recovery_hashes)`)
      .executeTakeFirst();
    return spent.numUpdatedRows === 1n;
  }
  const step = totpStep(openTotp(services, id, totp_sealed), code, services.clock.now_ms(), totp_step);
  if (step === undefined) return false;
  const spent = await tx
    .updateTable("users")
    .set({ totp_step: step })
    .where("id", "=", id)
    .where((where) => where.or([where("totp_step", "is", null), where("totp_step", "<", step)]))
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}
