import type { Ctx } from "@zhangfang/server/calls/call.ts";
import { conflict, refusalOf } from "@zhangfang/server/calls/errors.ts";
import { whyNo } from "../../../channels/contract.ts";
import {
  type ChannelReceiver,
  type Outcome,
  type SharingAccount,
  sharingChannelOf,
  type SharingWallet,
} from "../../../channels/server/index.ts";
import { accountOf, beginCall, endCall, NO_KEYS, type OpenCall } from "../sharing-calls.ts";
import type { AccountRow, ReceiverRow } from "../rows.ts";
import { openReceiverName } from "./receiver-secrets.ts";

export interface Binding {
  readonly receiver: ReceiverRow;
  /** The receiver's, at one wallet. */
  readonly at: AccountRow;
  readonly account: SharingAccount;
  readonly call: OpenCall;
}
type Told = { readonly id: string; readonly bindState: "bound" | "unsure" | "failed"; readonly message: string | null };

/** Writes down that the channel is about to hear of a receiver's account. @throws 409 where the merchant has no keys there */
export async function beginBinding(
  ctx: Ctx,
  tx: Ctx["tx"],
  receiver: ReceiverRow,
  at: AccountRow,
  operation: "add-receiver" | "remove-receiver",
): Promise<Binding> {
  const { service_provider_id, merchant_id, id } = receiver;
  const wallet = at.wallet as SharingWallet;
  const account = await accountOf(tx, ctx.services, receiver, wallet);
  if (!account) throw conflict(NO_KEYS[wallet]);
  const call = await beginCall(tx, ctx.services, { service_provider_id, merchant_id, receiver_id: id }, operation, at.account);
  return { receiver, at, account, call };
}
/** Adds it at the channel and keeps what the channel said. Adding twice is fine, so that no answer may be asked again. */
export async function bind(ctx: Ctx, binding: Binding): Promise<Told> {
  const { receiver, at, account } = binding;
  const given: ChannelReceiver = {
    type: at.type as ChannelReceiver["type"],
    account: at.account,
    name: openReceiverName(ctx.services, receiver),
    relation: receiver.relation,
    customRelation: receiver.custom_relation,
  };
  const outcome = await sharingChannelOf(ctx.services).addReceiver(account, given);
  const bindState = outcome.kind === "ok" ? "bound" : outcome.kind === "refused" ? "failed" : "unsure";
  const message = wordsOf(outcome);
  try {
    await endBinding(ctx, binding, outcome, bindState, message);
  } catch (error) {
    // The account stands and the channel has heard of it: "try again later" would only find that it is there already.
    if (refusalOf(error)?.status !== 503) throw error;
    ctx.services.log.warn({ err: error, receiver: receiver.id }, "what a channel said to a receiver was not written down");
    return { id: receiver.id, bindState: "unsure", message: "系统繁忙，登记结果没有记下，请稍后点「登记」再查一次" };
  }
  return { id: receiver.id, bindState, message };
}
/** Takes an account away at the channel. @returns what the channel said, where it did not say yes */
export async function unbind(ctx: Ctx, binding: Binding): Promise<string | null> {
  const { at, account } = binding;
  const party = { type: at.type as ChannelReceiver["type"], account: at.account };
  const outcome = await sharingChannelOf(ctx.services).removeReceiver(account, party);
  await endBinding(ctx, binding, outcome, outcome.kind === "ok" ? "removed" : at.bind_state, wordsOf(outcome));
  return wordsOf(outcome);
}
async function endBinding(ctx: Ctx, { at, call }: Binding, outcome: Outcome<null>, bind_state: string, bind_message: string | null) {
  await ctx.transaction(async (tx) => {
    await endCall(tx, ctx.services, call, outcome);
    await tx
      .updateTable("sharing_accounts")
      .set({ bind_state, bind_message, bound_at: bind_state === "bound" ? ctx.now : at.bound_at })
      .where("service_provider_id", "=", at.service_provider_id)
      .where("receiver_id", "=", at.receiver_id)
      .where("wallet", "=", at.wallet)
      // The word was about this account: another may have taken its place meanwhile.
      .where("type", "=", at.type)
      .where("account", "=", at.account)
      .execute();
  });
}
/** What the channel said, where it did not say yes. */
const wordsOf = (outcome: Outcome<unknown>): string | null =>
  outcome.kind === "ok" ? null : (outcome.kind === "refused" ? whyNo(outcome) : "通道没有应答，可再次登记").slice(0, 200);
