import type { Ctx } from "@zhangfang/server/calls/call.ts";
import type { Transaction } from "@zhangfang/server/database/db.ts";
import { channelOf, NOT_FOUND, type Outcome, type PayAccount } from "../../../channels/server/index.ts";
import { whichMerchant } from "./which-merchant.ts";

interface Keys<R> {
  readonly merchantId: string | undefined;
  readonly table: "channel_settings" | "channel_accounts";
  find(tx: Transaction, merchant: { service_provider_id: string; id: string }): Promise<R | undefined>;
  /** Where none are set. */
  readonly none: Error;
  account(row: R): PayAccount;
  /** What is said of keys that fit. */
  readonly accepted: string;
  readonly targetKind: string;
  /** What the audit row says besides. */
  readonly about?: object;
}
/**
 * Asks for an order that can't be there, keeps what is said, and says it. "Never heard of it", signed by the channel's key, is a yes.
 */
export async function verifyKeys<R extends { readonly id: string; readonly updated_at: string }>(
  ctx: Ctx,
  { merchantId, table, find, none, account, accepted, targetKind, about }: Keys<R>,
) {
  const { merchant, row } = await ctx.transaction(
    async (tx) => {
      const found = await whichMerchant(tx, ctx.scope, merchantId);
      return { merchant: found, row: await find(tx, found) };
    },
    { readOnly: true },
  );
  if (!row) throw none;
  const said = told(await channelOf(ctx.services).query(account(row), { outTradeNo: `VERIFY${ctx.services.ids.digits(20)}` }), accepted);
  await ctx.transaction(async (tx) => {
    // writes: channel_settings, channel_accounts
    await tx
      .updateTable(table)
      .set({ verified_at: ctx.now, verify_outcome: said.outcome, verify_message: said.message })
      .where("service_provider_id", "=", merchant.service_provider_id)
      .where("id", "=", row.id)
      // Keys that were changed meanwhile have not been asked about.
      .where("updated_at", "=", row.updated_at)
      .execute();
    await ctx.audit(tx, {
      targetKind,
      targetId: merchant.id,
      after: { ...about, ...said },
      provider: merchant.service_provider_id,
      merchant: merchant.id,
    });
  });
  return said;
}

function told(outcome: Outcome<unknown>, accepted: string): { outcome: "ok" | "refused" | "unknown"; message: string } {
  if (outcome.kind === "ok" || (outcome.kind === "refused" && outcome.code === NOT_FOUND)) return { outcome: "ok", message: accepted };
  if (outcome.kind === "refused") return { outcome: "refused", message: `${outcome.code}：${outcome.message}`.slice(0, 200) };
  return { outcome: "unknown", message: outcome.reason.slice(0, 200) };
}
