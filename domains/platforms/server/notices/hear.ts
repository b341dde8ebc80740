import { sql } from "kysely";
import { z } from "zod";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { Refusal } from "@zhangfang/server/calls/errors.ts";
import { type Transaction, withScope } from "@zhangfang/server/database/db.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { hearDouyin, hearKuaishou, type VoucherPlatform } from "../../contract/index.ts";
import { type PlatformAccount, platformAccountOf } from "../accounts/account-of.ts";
import type { Notice } from "../platform/answers.ts";
import { douyinChallenge, readDouyinNotice } from "../platform/douyin.ts";
import { readKuaishouNotice } from "../platform/kuaishou.ts";
import { askAttempt } from "../verifying/ask-attempts.ts";
import { askVoucher } from "../verifying/ask-voucher.ts";

const HEAR = platformScope("hear a platform");
const MOST_BYTES = 100_000;
// An address of nothing is one that no key fits: from outside the two look the same.
const unheard = (): Refusal => new Refusal(401, "SIGNATURE", "通知验签不通过");

const jobData = z.object({ service_provider_id: z.uuid(), account_id: z.uuid(), certificate_id: z.string() });
/** What a notice names is asked about: only answers move anything. */
export const askNoticed = job({
  name: "ask-noticed-voucher",
  data: jobData,
  retryDelay_s: 5,
  retryLimit: 4,
  run: async (services, { service_provider_id, account_id, certificate_id }) => {
    const due = await withScope(services.pool, HEAR, async (tx) => {
      const now = new Date(services.clock.now_ms()).toISOString();
      const { rows } = await sql<{ id: string }>`update voucher_verifications v set next_at = ${now}
        where v.service_provider_id = ${service_provider_id} and v.account_id = ${account_id} and v.certificate_id = ${certificate_id}
          and v.status in (3, 4) and (v.next_at is null or v.next_at > ${now}) returning v.id`.execute(tx);
      return rows;
    });
    for (const { id } of due) await askAttempt(services, { service_provider_id, id });
    await askVoucher(services, { service_provider_id, account_id, certificate_id });
  },
});

/** A notice counts once, is verified before anything in it is read, and is answered after the commit. @throws 401 */
async function hear(
  ctx: Ctx,
  id: string,
  platform: VoucherPlatform,
  read: (account: PlatformAccount, raw: Buffer) => Notice | undefined,
): Promise<void> {
  const { services, incoming, now, now_ms } = ctx;
  const raw = incoming.rawBody;
  if (raw.length > MOST_BYTES) throw new Refusal(400, "BODY", "通知无法读取");
  await ctx.platform("hear a platform", async (tx) => {
    const row = await tx
      .selectFrom("platform_accounts")
      .select(["service_provider_id", "merchant_id"])
      .where("id", "=", id)
      .where("platform", "=", platform)
      .executeTakeFirst();
    const account = row && (await platformAccountOf(tx, services, { ...row, platform }));
    if (!account) throw unheard();
    const notice = readSafely(() => read(account, raw));
    if (!notice) throw unheard();
    const { service_provider_id } = account;
    const whose = await whoseIs(tx, services, account, notice);
    // It is of a merchant that is not here, or signs by other keys.
    if (!whose || (whose.id !== id && !readSafely(() => read(whose, raw)))) return;
    const { merchant_id, id: account_id } = whose;
    const certificate_id = notice.certificateIds[0] ?? "";
    const message_id =
      notice.messageId === "" ? `${notice.event}:${certificate_id}:${services.ids.uuid(now_ms)}`.slice(0, 120) : notice.messageId;
    const added = await tx
      .insertInto("platform_notices")
      .values({
        service_provider_id,
        merchant_id,
        id: services.ids.uuid(now_ms),
        account_id,
        message_id,
        event: notice.event,
        certificate_id,
        heard_at: now,
      })
      .onConflict((twice) => twice.columns(["service_provider_id", "account_id", "message_id"]).doNothing())
      .executeTakeFirst();
    if (added.numInsertedOrUpdatedRows !== 1n) return;
    for (const one of notice.certificateIds)
      await services.jobs.enqueue(tx, askNoticed, { service_provider_id, account_id, certificate_id: one });
  });
}
/** An application has one address for all its merchants: the account that is named is meant. */
async function whoseIs(
  tx: Transaction,
  services: Services,
  account: PlatformAccount,
  { accountNo }: Notice,
): Promise<PlatformAccount | undefined> {
  if (accountNo === "" || accountNo === account.accountNo) return account;
  const { service_provider_id, platform } = account;
  const row = await tx
    .selectFrom("platform_accounts")
    .select("merchant_id")
    .where("service_provider_id", "=", service_provider_id)
    .where("platform", "=", platform)
    .where("account_no", "=", accountNo)
    .executeTakeFirst();
  return row && platformAccountOf(tx, services, { service_provider_id, platform, merchant_id: row.merchant_id });
}
/** @throws 400 where it is signed and cannot be read */
function readSafely(read: () => Notice | undefined): Notice | undefined {
  try {
    return read();
  } catch {
    throw new Refusal(400, "BODY", "通知无法读取");
  }
}
export const hearDouyinRoute = implement(hearDouyin, async (ctx, { account: id }) => {
  const challenge = douyinChallenge(ctx.incoming.rawBody.subarray(0, MOST_BYTES));
  if (challenge !== undefined) return { challenge };
  await hear(ctx, id, "dy", (account, raw) => readDouyinNotice(account, raw, ctx.incoming.headers));
  return { err_no: 0, err_tips: "success" };
});
export const hearKuaishouRoute = implement(hearKuaishou, async (ctx, { account: id }) => {
  await hear(ctx, id, "ks", (account, raw) => readKuaishouNotice(account, raw, ctx.incoming.query));
  return { result: 1 };
});
