import { sql } from "kysely";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import type { Services } from "@zhangfang/server/services.ts";
import type { Platform } from "../../contract/index.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import { platformApi } from "../platform/open-platform.ts";
import { reverse } from "./cancel.ts";
import { type Attempt, type AttemptRef, holdAttempt, setAttempt, VERIFY } from "./settle.ts";
import { openCode } from "./tickets.ts";
import { standsThere } from "./uses-there.ts";

/** A voucher, by what the platform calls it. */
export interface Named {
  readonly service_provider_id: string;
  readonly account_id: string;
  readonly certificate_id: string;
}
/** Of a card its last uses: what is older can't be taken back any more. */
const LAST = 5;
/** Asks a platform what has become of a voucher after its use: refunded, over, or taken back there. What it does not say changes nothing. */
export async function askVoucher(services: Services, named: Named): Promise<void> {
  const known = await withScope(services.pool, VERIFY, async (tx) => {
    const voucher = await tx
      .selectFrom("platform_vouchers")
      .selectAll()
      .where("service_provider_id", "=", named.service_provider_id)
      .where("account_id", "=", named.account_id)
      .where("certificate_id", "=", named.certificate_id)
      .executeTakeFirst();
    if (!voucher || voucher.code_sealed === null) return undefined;
    const account = await platformAccountOf(tx, services, { ...voucher, platform: voucher.platform as Platform });
    // Those that are there before it is asked: a use that is made meanwhile is none that the answer is about.
    const uses = await tx
      .selectFrom("voucher_verifications")
      .selectAll()
      .where("service_provider_id", "=", voucher.service_provider_id)
      .where("voucher_id", "=", voucher.id)
      .where("status", "=", 1)
      .orderBy("started_at", "desc")
      .limit(LAST)
      .execute();
    return account && { voucher, account, uses, code: openCode(services, voucher, voucher.code_sealed) };
  });
  if (!known) return;
  const { voucher, account, uses, code } = known;
  const there = await platformApi(services, account).query(code, voucher.id);
  if (there.kind !== "ok" || there.value.status === "used") return;
  const { status } = there.value;
  if (status === "free") {
    for (const use of uses) await takeBack(services, account, use);
    return;
  }
  const to = status === "refunded" ? 4 : 3;
  await withScope(services.pool, VERIFY, (tx) =>
    sql`update platform_vouchers v set status = ${to}, updated_at = ${new Date(services.clock.now_ms()).toISOString()}
      where v.service_provider_id = ${voucher.service_provider_id} and v.id = ${voucher.id}
        and v.status in (0, 2, ${to === 4 ? 1 : 0})`.execute(tx),
  );
}
/** Takes a use back here that was taken back there, by the platform's record of this very use. @returns whether it was */
async function takeBack(services: Services, account: PlatformAccount, use: Attempt): Promise<boolean> {
  const there = await standsThere(platformApi(services, account), use);
  if (there.kind !== "ok" || !there.value.reversed) return false;
  await withScope(services.pool, VERIFY, (tx) => reverseThere(tx, services, use, there.value.reversedAt));
  return true;
}
/** The same for one use, before its voucher is used again. */
export async function wasTakenBack(services: Services, ref: AttemptRef): Promise<boolean> {
  const known = await withScope(services.pool, VERIFY, async (tx) => {
    const use = await holdAttempt(tx, ref);
    const account = use?.status === 1 && (await platformAccountOf(tx, services, { ...use, platform: use.platform as Platform }));
    return account ? { use, account } : undefined;
  });
  return known?.use !== undefined && takeBack(services, known.account, known.use);
}
/** A use that somebody took back in the platform's own app. @param at when, where the platform says so: it counts for that day */
export async function reverseThere(tx: Transaction, services: Services, ref: AttemptRef, at: string | null): Promise<void> {
  const attempt = await holdAttempt(tx, ref);
  if (attempt?.status !== 1) return;
  const now = at ?? new Date(services.clock.now_ms()).toISOString();
  const nobody = { cancel_user_id: null, cancel_cashier_id: null, cancel_device_id: null };
  const by = { ...nobody, cancel_at: now, cancel_by_name: "平台商家端", cancel_reason: "在平台商家端撤销" };
  await setAttempt(tx, attempt, { status: 5, ...by });
  await reverse(tx, services, { ...attempt, status: 5, ...by }, now);
}
