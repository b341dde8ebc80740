import { sql } from "kysely";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { maskName } from "@zhangfang/contract/text.ts";
import { implement, type Ctx } from "@zhangfang/server/calls/call.ts";
import { mustChange, type Transaction } from "@zhangfang/server/database/db.ts";
import { invalid, notFound } from "@zhangfang/server/calls/errors.ts";
import { inScope } from "@zhangfang/server/database/scope.ts";
import { proveSelf } from "../../../accounts/server/index.ts";
import { addPayoutAccount, getWithdrawalTerms, payoutMethod, removePayoutAccount, type PayoutMethod } from "../../contract/index.ts";
import { ownReceiver } from "../own-receiver.ts";
import { sealFor } from "./payee.ts";

/** A new account may be paid to after a day: whoever got into an account can't empty it at once. */
const COOL_OFF_MS = 86_400_000;
const MOST = 10;

/** 6222021234567890 → 6222 **** 7890. */
export const maskNumber = (number: string): string => `${number.slice(0, 4)} **** ${number.slice(-4)}`;
/** Whether a card number is one (Luhn). */
export function isCardNumber(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

type Shown = OutputOf<typeof getWithdrawalTerms>["accounts"][number];
/** The caller's own accounts, newest first. */
export async function accountsOf(ctx: Ctx, tx: Transaction): Promise<Shown[]> {
  const { rows } =
    await sql<Shown>`select a.id, a.method, a.bank_name as "bankName", a.number_mask as "numberMask", a.holder_mask as "holderMask",
      a.added_by_name as "addedByName", a.created_at as "createdAt", a.usable_at as "usableAt", a.usable_at <= ${ctx.now}::timestamptz as usable
    from payout_accounts a where ${inScope(ctx.scope, "a")} and a.removed_at is null order by a.created_at desc`.execute(tx);
  return rows;
}

export interface GivenAccount {
  readonly method: PayoutMethod;
  readonly number: string;
  readonly holder: string;
  readonly bankName?: string | undefined;
}
/** Keeps an account for a receiver, sealed. @returns its id, and from when on it may be paid to */
export async function keepAccount(
  tx: Transaction,
  services: Ctx["services"],
  own: ReturnType<typeof ownReceiver>,
  { method, number, holder, bankName }: GivenAccount,
  by: string,
): Promise<{ id: string; usableAt: string }> {
  const now_ms = services.clock.now_ms();
  const id = services.ids.uuid(now_ms);
  const usableAt = new Date(now_ms + COOL_OFF_MS).toISOString();
  await tx
    .insertInto("payout_accounts")
    .values({
      service_provider_id: own.provider,
      id,
      receiver: own.receiver,
      ...own.owner,
      method,
      bank_name: method === "bank" ? (bankName ?? "") : null,
      number_sealed: sealFor(services, "payout_accounts.number", own.provider, id, number),
      holder_sealed: sealFor(services, "payout_accounts.holder", own.provider, id, holder),
      number_mask: maskNumber(number),
      holder_mask: maskName(holder),
      added_by_name: by,
      created_at: new Date(now_ms).toISOString(),
      usable_at: usableAt,
    })
    .execute();
  return { id, usableAt };
}

/** 新增收款账户: with the password, and usable after a day. */
export const addPayoutAccountRoute = implement(addPayoutAccount, async (ctx, { password, ...given }) => {
  const own = ownReceiver(ctx.scope);
  if (given.method === "bank" && !isCardNumber(given.number)) throw invalid("number", "银行卡号不正确，请核对");
  const proven = await proveSelf(ctx, password, "password", "登录密码错误");
  return ctx.transaction(async (tx) => {
    await proven.done(tx);
    if ((await accountsOf(ctx, tx)).length >= MOST) throw invalid("number", `最多保存 ${MOST} 个收款账户`);
    const kept = await keepAccount(tx, ctx.services, own, given, ctx.principal.name);
    await ctx.audit(tx, {
      targetKind: "payout-account",
      targetId: kept.id,
      after: { method: payoutMethod.label(given.method), number: maskNumber(given.number), holder: maskName(given.holder) },
      provider: own.provider,
    });
    return { id: kept.id, usableAt: kept.usableAt as never };
  });
});

export const removePayoutAccountRoute = implement(removePayoutAccount, async (ctx, { id }) => {
  ownReceiver(ctx.scope);
  const found = await ctx.tx
    .selectFrom("payout_accounts as a")
    .selectAll()
    .where("a.id", "=", id)
    .where(inScope(ctx.scope, "a"))
    .where("a.removed_at", "is", null)
    .executeTakeFirst();
  if (!found) throw notFound("收款账户");
  const gone = await ctx.tx
    .updateTable("payout_accounts")
    .set({ removed_at: ctx.now })
    .where("service_provider_id", "=", found.service_provider_id)
    .where("id", "=", id)
    .where("removed_at", "is", null)
    .executeTakeFirst();
  mustChange(gone, () => notFound("收款账户"));
  ctx.note({
    targetKind: "payout-account",
    targetId: id,
    before: { number: found.number_mask, holder: found.holder_mask },
    provider: found.service_provider_id,
  });
  return { ok: true as const };
});
