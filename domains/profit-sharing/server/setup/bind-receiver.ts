import type { Ctx } from "@zhangfang/server/call.ts";
import { conflict } from "@zhangfang/server/errors.ts";
import { type ChannelAccount, type ChannelReceiver, type Outcome, sharingChannelOf } from "../../../channels/server/index.ts";
import { accountOf, beginCall, endCall, type OpenCall } from "../sharing-calls.ts";
import type { ReceiverRow } from "../rows.ts";
import { openReceiverName } from "./receiver-secrets.ts";

export interface Binding {
  readonly receiver: ReceiverRow;
  readonly account: ChannelAccount;
  readonly call: OpenCall;
}
type Told = { readonly id: string; readonly bindState: "bound" | "unsure" | "failed"; readonly message: string | null };

/** Writes down that the channel is about to hear of a receiver. @throws 409 where the merchant has no keys */
export async function beginBinding(
  ctx: Ctx,
  tx: Ctx["tx"],
  receiver: ReceiverRow,
  operation: "add-receiver" | "remove-receiver",
): Promise<Binding> {
  const { service_provider_id, merchant_id, id } = receiver;
  const account = await accountOf(tx, ctx.services, receiver);
  if (!account) throw conflict("商户还没有设置微信支付密钥，请先在商户管理的 APIv3密钥 里设置");
  const call = await beginCall(tx, ctx.services, { service_provider_id, merchant_id, receiver_id: id }, operation, receiver.account);
  return { receiver, account, call };
}
/** Adds it at the channel and keeps what the channel said. Adding twice is fine, so that no answer may be asked again. */
export async function bind(ctx: Ctx, { receiver, account, call }: Binding): Promise<Told> {
  const given: ChannelReceiver = {
    type: receiver.type as ChannelReceiver["type"],
    account: receiver.account,
    name: openReceiverName(ctx.services, receiver),
    relation: receiver.relation,
    customRelation: receiver.custom_relation,
  };
  const outcome = await sharingChannelOf(ctx.services).addReceiver(account, given);
  const bindState = outcome.kind === "ok" ? "bound" : outcome.kind === "refused" ? "failed" : "unsure";
  const message = wordsOf(outcome);
  await ctx.transaction(async (tx) => {
    await endCall(tx, ctx.services, call, outcome);
    await tx
      .updateTable("sharing_receivers")
      .set({ bind_state: bindState, bind_message: message, bound_at: outcome.kind === "ok" ? ctx.now : null, updated_at: ctx.now })
      .where("service_provider_id", "=", receiver.service_provider_id)
      .where("id", "=", receiver.id)
      .execute();
  });
  return { id: receiver.id, bindState, message };
}
/** What the channel said, where it did not say yes. */
export const wordsOf = (outcome: Outcome<unknown>): string | null =>
  outcome.kind === "ok" ? null : (outcome.kind === "refused" ? outcome.message || outcome.code : "渠道没有应答，可再次登记").slice(0, 200);
