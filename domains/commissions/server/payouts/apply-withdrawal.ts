import { sql } from "kysely";
import { z } from "zod";
import { id } from "@zhangfang/contract/fields.ts";
import { shanghaiTime, shanghaiDay } from "@zhangfang/contract/time.ts";
import { yuan } from "@zhangfang/contract/money.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { withScope, type Transaction } from "@zhangfang/server/database/db.ts";
import { conflict, invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { once } from "@zhangfang/server/calls/idempotency.ts";
import { job } from "@zhangfang/server/jobs/jobs.ts";
import { platformScope } from "@zhangfang/server/database/scope.ts";
import type { Services } from "@zhangfang/server/services.ts";
import { proveSelf } from "../../../accounts/server/index.ts";
import { tell } from "../../../messages/server/index.ts";
import { applyWithdrawal, getWithdrawalTerms, receiver, type PayoutMethod } from "../../contract/index.ts";
import { ownReceiver } from "../own-receiver.ts";
import { sendWithdrawal } from "./transfers/chase-withdrawal.ts";
import { accountsOf } from "./payout-accounts.ts";
import { openFor, sealPayee } from "./payee.ts";
import { payoutTermsOf } from "./payout-settings.ts";
import { bookWithdrawal, lockWithdrawal, type Withdrawal } from "./transfers/settle-withdrawal.ts";
import { amountRefusal, closedNow, needsApproval, withdrawalFee, type PayoutTerms } from "./withdrawal-rules.ts";

type Own = ReturnType<typeof ownReceiver>;

/** What a receiver has available, less what has not waited long enough. The database holds to the same when it is asked for. */
async function withdrawableOf(tx: Transaction, services: Services, { provider, owner }: Own): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select (coalesce((select a.balance_cents from commission_accounts a where a.service_provider_id = ${provider} and a.receiver_id = ${owner.receiver_id} and a.kind = 'available'), 0)
      - coalesce((select sum(d.difference_cents + d.ratio_cents) from commission_daily d where d.service_provider_id = ${provider} and d.receiver_id = ${owner.receiver_id}
        and d.day >= app.commissions_wait_from(${provider}::uuid, ${shanghaiDay(services.clock.now_ms())}::date)), 0))::bigint as cents`.execute(
    tx,
  );
  return rows[0]?.cents ?? 0;
}

/** 提现条件: what may be asked for now, and to where. */
export const getWithdrawalTermsRoute = implement(getWithdrawalTerms, async (ctx) => {
  const own = ownReceiver(ctx.scope);
  const given = await payoutTermsOf(ctx.tx, own.provider);
  return {
    withdrawableCents: Math.max(0, await withdrawableOf(ctx.tx, ctx.services, own)) as never,
    minCents: given.min_cents as never,
    feeFixedCents: given.fee_fixed_cents as never,
    feeRate: given.fee_rate,
    freezeDays: given.freeze_days,
    unapprovedUpToCents: given.unapproved_up_to_cents as never,
    closed: closedNow(given, ctx.now_ms) ?? null,
    paysWechat: given.pays_wechat,
    accounts: await accountsOf(ctx, ctx.tx),
  };
});

export interface Asking {
  readonly own: Own;
  readonly request_id: string;
  readonly account_id: string;
  readonly amount_cents: number;
  readonly by: { readonly id: string; readonly name: string };
}
/**
 * Writes a withdrawal down and sets its amount aside, in the caller's transaction: all or nothing. Up to the provider's limit it is
 * on its way at once. @throws 400 with the reason at its field, 409 where it is not the hour for it
 */
export async function placeWithdrawal(tx: Transaction, services: Services, asking: Asking): Promise<Withdrawal> {
  const { own, amount_cents } = asking;
  const given = await payoutTermsOf(tx, own.provider);
  const now_ms = services.clock.now_ms();
  const now = new Date(now_ms).toISOString();
  const closed = closedNow(given, now_ms);
  if (closed) throw conflict(closed, "withdrawal.closed");
  const account = await usableAccount(tx, asking, given, now);
  const refusal = amountRefusal(given, amount_cents, await withdrawableOf(tx, services, own));
  if (refusal) throw invalid("amountCents", refusal);
  const withdrawal_id = services.ids.uuid(now_ms);
  const opened = (column: "number" | "holder") =>
    openFor(
      services,
      `payout_accounts.${column}`,
      own.provider,
      account.id,
      column === "number" ? account.number_sealed : account.holder_sealed,
    );
  const payee = { method: account.method as PayoutMethod, number: opened("number"), holder: opened("holder"), bankName: account.bank_name };
  const waits = needsApproval(given, amount_cents);
  const row = await tx
    .insertInto("withdrawals")
    .values({
      service_provider_id: own.provider,
      id: withdrawal_id,
      withdrawal_no: `W${shanghaiTime(now_ms).replaceAll(/\D/g, "")}${services.ids.digits(10)}`,
      request_id: asking.request_id,
      receiver: own.receiver,
      ...own.owner,
      status: waits ? 0 : 2,
      amount_cents,
      fee_cents: withdrawalFee(given, amount_cents),
      method: payee.method,
      bank_name: payee.bankName,
      number_mask: account.number_mask,
      holder_mask: account.holder_mask,
      ...sealPayee(services, own.provider, withdrawal_id, payee),
      needs_approval: waits,
      applied_by: asking.by.id,
      applied_by_name: asking.by.name,
      ...(!waits && payee.method === "wechat" && { next_query_at: now }),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await bookWithdrawal(tx, services, row, "withdrawal-hold").catch((error: { constraint?: string }) => {
    // Somebody else of theirs asked for it between our look and our hold: the database has the last word.
    throw error.constraint === "ledger_floor" ? invalid("amountCents", "可提现金额刚刚发生变化，已不足此数，请刷新后查看") : error;
  });
  if (!waits && payee.method === "wechat")
    await services.jobs.enqueue(tx, sendWithdrawal, { service_provider_id: own.provider, id: withdrawal_id });
  if (waits || payee.method === "bank")
    await services.jobs.enqueue(tx, tellProvider, { service_provider_id: own.provider, id: withdrawal_id });
  return row;
}
async function usableAccount(tx: Transaction, { own, account_id }: Asking, given: PayoutTerms, now: string) {
  const account = await tx
    .selectFrom("payout_accounts")
    .selectAll()
    .where("service_provider_id", "=", own.provider)
    .where("receiver_id", "=", own.owner.receiver_id)
    .where("id", "=", account_id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  if (!account) throw notFound("收款账户");
  if (account.usable_at > now) throw invalid("accountId", `新增的收款账户 24 小时后可用（${shanghaiTime(account.usable_at)}）`);
  if (account.method === "wechat" && !given.pays_wechat) throw invalid("accountId", "服务商还没有开通打款到微信，请选择银行卡");
  return account;
}
/** Tells a provider's people that somebody waits for them; after the commit, because they stand above whoever asked. */
export const tellProvider = job({
  name: "tell-withdrawal",
  concurrency: 1,
  data: z.object({ service_provider_id: id, id }),
  run: async (services, ref) => {
    await withScope(services.pool, platformScope("tell of a withdrawal"), async (tx) => {
      const row = await lockWithdrawal(tx, ref);
      if (!row) return;
      const who = receiver.label(row.receiver as keyof typeof receiver.entries);
      await tell(
        tx,
        { level: "SP", provider: row.service_provider_id },
        {
          kind: "withdrawal",
          title: `${who}申请提现 ¥${yuan(row.amount_cents)}`,
          href: `/dataCentre/withdrawal?id=${row.id}`,
          item: "/dataCentre/withdrawal",
          once: `withdrawal ${row.id}`,
          at: row.created_at,
        },
      );
    });
  },
});

/** 申请提现: with the caller's password, once for a request. */
export const applyWithdrawalRoute = implement(applyWithdrawal, async (ctx: Ctx, { password, ...input }) => {
  const own = ownReceiver(ctx.scope);
  const proven = await proveSelf(ctx, password, "password", "登录密码错误");
  const asked = { actor: `user:${ctx.principal.id}`, key: input.requestId, endpoint: applyWithdrawal.path, input, now: ctx.now };
  return ctx.transaction(async (tx) => {
    await proven.done(tx);
    return once(tx, asked, async () => {
      const row = await placeWithdrawal(tx, ctx.services, {
        own,
        request_id: input.requestId,
        account_id: input.accountId,
        amount_cents: input.amountCents,
        by: { id: ctx.principal.id, name: ctx.principal.name },
      });
      await ctx.audit(tx, {
        targetKind: "withdrawal",
        targetId: row.id,
        after: {
          withdrawalNo: row.withdrawal_no,
          amountCents: row.amount_cents,
          feeCents: row.fee_cents,
          to: row.number_mask,
          status: row.status,
        },
        provider: own.provider,
      });
      return {
        id: row.id,
        withdrawalNo: row.withdrawal_no,
        status: row.status as 0 | 2,
        feeCents: row.fee_cents as never,
        netCents: row.net_cents as never,
      };
    });
  });
});
